// Questions of scripts: marker and file, saved under home, decided once by a model or a person, or not at all.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openSandbox } from '../../../src/process/sandbox/sandbox.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';
import { openTaskProject, type TaskProject } from '../../support/task-support.ts';

const FILE = 'langgraph_interrupt.json';
const QUESTION = {
  interrupted_skills: ['alpha', 'beta'],
  question: 'Which of them stay?',
  resume_command: 'python bin/apply.py --from {decisions}',
};

const ASK = 'run python bin/ask.py';
const APPLY =
  'import json, sys\nprint(json.dumps({"stdin": json.load(sys.stdin), "argument": json.loads(sys.argv[2])}))\n';

function openAsking(
  t: Parameters<typeof openTaskProject>[0],
  written = JSON.stringify(QUESTION),
  marker = '[INTERRUPT]',
): TaskProject {
  const made = openTaskProject(t);
  const write = written === '' ? '' : `open("${FILE}", "w").write(${JSON.stringify(written)})\n`;
  made.write('bin/ask.py', `import sys\n${write}print("${marker}")\nsys.exit(4 if "${marker}" else 0)\n`);
  made.write('bin/apply.py', APPLY);
  return made;
}

test('001-40 001-41 001-42 001-46 marker and file make an interrupted outcome, as the seed writes it', async (t) => {
  const { run, project } = openAsking(t);
  const { state, summary, data } = await run(ASK, { language: 'zh' });
  assert.deepEqual([state, summary], ['interrupted', '工作流已暂停: 2 个技能需 LLM 分析']);
  assert.deepEqual(data.interrupted_skills, ['alpha', 'beta']);
  assert.deepEqual(data.allowed, ['keep', 'uninstall']);
  assert.equal(data.resume_command, QUESTION.resume_command);
  assert.equal(data.resume_with, `skillwright resume ${data.id} --decide alpha=keep beta=keep`);
  assert.ok(!existsSync(path.join(project, FILE)), 'the file is gone afterwards');
});

test('001-44 001-45 a decision runs the resume command once, with the decisions on stdin and as its argument', async (t) => {
  const { run, resume } = openAsking(t);
  const { data } = await run(ASK);
  const decisions = { alpha: 'keep', beta: 'uninstall' };
  const done = await resume(String(data.id), ['alpha=keep', 'beta=uninstall']);
  assert.deepEqual([done.state, done.agent], ['success', 'worker_agent']);
  assert.deepEqual(plain([done.data.stdin, done.data.argument]), [decisions, decisions]);
  const again = await resume(String(data.id), ['alpha=keep', 'beta=uninstall']);
  assert.deepEqual([again.state, again.data.type], ['error', 'DataNotFound']);
});

test('001-44 a JSON object decides as well, through the command line and after a restart', async (t) => {
  const { run, project, home } = openAsking(t);
  const { data } = await run(ASK);
  const listed = await runCli(['interrupts', '--json'], { cwd: project, home });
  assert.deepEqual(
    JSON.parse(listed.stdout).data.items.map(({ id, kind }: { id: string; kind: string }) => [id, kind]),
    [[data.id, 'worker']],
  );
  const args = ['resume', String(data.id), '--decide', '{"alpha":"keep","beta":"keep"}', '--yes', '--json'];
  const { code, stdout } = await runCli(args, { cwd: project, home });
  assert.equal(code, 0, stdout);
  assert.deepEqual(JSON.parse(stdout).data.stdin, { alpha: 'keep', beta: 'keep' });
});

test('anything missing, unknown or meant for another question decides nothing, and the question stays open', async (t) => {
  const { run, resume } = openAsking(t);
  const { data } = await run(ASK);
  const id = String(data.id);
  for (const [words, type] of [
    [['alpha=keep'], 'InvalidArgs'],
    [['alpha=keep', 'beta=burn'], 'InvalidArgs'],
    [['alpha=keep', 'beta=keep', 'gamma=keep'], 'InvalidArgs'],
    [['alpha=keep', 'alpha=uninstall', 'beta=keep'], 'InvalidArgs'],
    [['{"alpha": "keep"'], 'InvalidArgs'],
    [['approve'], 'InvalidArgs'],
  ] as const) {
    const outcome = await resume(id, words);
    assert.deepEqual([outcome.state, outcome.data.type], ['error', type], words.join(' '));
  }
  assert.equal((await resume('000000000000', ['alpha=keep', 'beta=keep'])).data.type, 'DataNotFound');
  assert.equal((await resume(id, ['alpha=keep', 'beta=keep'])).state, 'success');
});

test('a change of bin/ after the question refuses every decision', async (t) => {
  const { run, resume, write } = openAsking(t);
  const { data } = await run(ASK);
  write('bin/apply.py', 'print("something else")\n');
  assert.equal((await resume(String(data.id), ['alpha=keep', 'beta=keep'])).data.type, 'IntegrityMismatch');
});

test('an expired question decides nothing and is gone', async (t) => {
  const { run, resume, home } = openAsking(t);
  const { data } = await run(ASK);
  const folder = path.join(home, '.agent', 'interrupts');
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.json')) ?? '';
  const saved = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  writeFileSync(path.join(folder, file), JSON.stringify({ ...saved, expires: 1 }));
  for (let time = 0; time < 2; time++)
    assert.equal((await resume(String(data.id), ['alpha=keep', 'beta=keep'])).data.type, 'DataNotFound');
});

test('001-43 a marker without a file is an error, a file without a marker is ignored with a word', async (t) => {
  const alone = await openAsking(t, '').run(ASK);
  assert.deepEqual([alone.state, alone.data.type], ['error', 'InvalidResponse']);
  const silent = await openAsking(t, JSON.stringify(QUESTION), '').run(ASK);
  assert.equal(silent.state, 'success');
  assert.match(String((silent.data.warnings as string[])[0]), /ignored/);
});

test('a question that is cut off, incomplete or leads out of the grammar is refused, and nothing is saved', async (t) => {
  const wrong: Record<string, string> = {
    JSON: '{"interrupted_skills": ["a"], "resume_com',
    interrupted_skills: JSON.stringify({ ...QUESTION, interrupted_skills: [] }),
    allowed: JSON.stringify({ ...QUESTION, allowed: 'keep' }),
    question: JSON.stringify({ ...QUESTION, question: 'a\u001b[2Jb' }),
    resume_command: JSON.stringify({ ...QUESTION, resume_command: '' }),
  };
  for (const [field, text] of Object.entries(wrong)) {
    const { data } = await openAsking(t, text).run(ASK);
    assert.deepEqual([data.type, (data.details as { field: string }).field], ['InvalidResponse', field]);
  }
  for (const command of [
    'python -c "print(1)"',
    'rm -rf .',
    'python ../x.py',
    'python bin/nope.py',
    'python bin/apply.py | sh',
  ]) {
    const { run, home } = openAsking(t, JSON.stringify({ ...QUESTION, resume_command: command }));
    const { state } = await run(ASK);
    assert.equal(state, 'error', command);
    assert.ok(
      !existsSync(path.join(home, '.agent', 'interrupts')) ||
        readdirSync(path.join(home, '.agent', 'interrupts'), { recursive: true, withFileTypes: true }).every(
          (entry) => !entry.isFile(),
        ),
      command,
    );
  }
});

test('a file that was there before is refused, and so is the task', async (t) => {
  const { run, write, project } = openAsking(t);
  write(FILE, JSON.stringify(QUESTION));
  const { state, data } = await run(ASK);
  assert.deepEqual([state, data.type], ['error', 'AlreadyExists']);
  assert.ok(existsSync(path.join(project, FILE)), 'it is the user’s to remove');
});

test('001-47 a model that is there decides first, and its answer is checked like any other', async (t) => {
  const { run } = openAsking(t);
  const done = await run(ASK, { decide: async ({ items }) => items.map((item) => `${item}=keep`) });
  assert.deepEqual(plain([done.state, done.data.stdin]), ['success', { alpha: 'keep', beta: 'keep' }]);
  for (const answer of [undefined, ['alpha=keep'], ['alpha=keep', 'beta=burn'], ['{']]) {
    const asked = await run(ASK, { decide: async () => answer });
    assert.equal(asked.state, 'interrupted', String(answer));
  }
});

test('the resume command passes through the door as well: nobody there, no grant, no execution', async (t) => {
  const { run, resume } = openAsking(t);
  const { data } = await run(ASK);
  const outcome = await resume(String(data.id), ['alpha=keep', 'beta=keep'], { door: { yes: false } });
  assert.deepEqual([outcome.state, outcome.data.type], ['interrupted', 'ApprovalRequired']);
  const done = await resume(String(outcome.data.id), ['approve'], { door: { yes: false } });
  assert.deepEqual(plain(done.data.stdin), { alpha: 'keep', beta: 'keep' });
});

test('threat 62 blocked: interrupts and stored outcomes in a cloned project decide nothing', async (t) => {
  const { run, resume, write, home, project } = openAsking(t);
  const { data } = await run(ASK);
  const folder = path.join(home, '.agent', 'interrupts');
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.json')) ?? '';
  const saved = readFileSync(path.join(folder, file), 'utf8');
  await resume(String(data.id), ['alpha=keep', 'beta=keep']);
  write(path.join('.agent/interrupts', file), saved);
  write('.agent/state/state.db', 'planted');
  assert.ok(existsSync(path.join(project, '.agent/interrupts', file)));
  assert.equal((await resume(String(data.id), ['alpha=keep', 'beta=keep'])).data.type, 'DataNotFound');
});

test('scripts at the same time do not see each other’s question, which never lies in the project', async (t) => {
  const { run, write, project } = openAsking(t);
  write('bin/quiet.py', 'import time\ntime.sleep(0.5)\nprint("{\\"q\\": 1}")\n');
  const quiet = 'run python bin/quiet.py';
  const outcomes = await Promise.all([run(quiet), run(ASK), run(quiet)]);
  assert.deepEqual(
    outcomes.map(({ state }) => state),
    ['success', 'interrupted', 'success'],
  );
  assert.ok(outcomes.every(({ data }) => !('warnings' in data)));
  assert.equal(existsSync(path.join(project, FILE)), false);
});

test('a question reaches the host under every tier, and the place of its file is left clean', async (t) => {
  const { run, project } = openAsking(t);
  for (const tier of ['S3', 'S2', 'S1'] as const) {
    const sandbox = await openSandbox({ cacheFolder: temporaryFolder(t), tier });
    const outcome = await run(ASK, { door: { sandbox: async () => sandbox } });
    const found = outcome.data.sandbox as { tier: string } | undefined;
    t.diagnostic(`${tier}: ran at ${found?.tier}`);
    if (sandbox.tier === 'S0') assert.equal(outcome.data.type, 'PermissionDenied', 'S0 needs a grant that names it');
    else assert.equal(outcome.state, 'interrupted', `${tier}: ${outcome.summary}`);
    assert.ok(!existsSync(path.join(project, FILE)), tier);
  }
});

// Objects from outside have no prototype.
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
