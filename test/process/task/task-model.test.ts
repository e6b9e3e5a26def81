// A configured model answers the question of a script: through the command line, checked like a person's answer, recorded.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { trustProject } from '../../../src/config/trust.ts';
import { type Act, fails, openai, says, sendsPage, startModelServer } from '../../support/server/model-server.ts';
import { runCli } from '../../support/support.ts';
import { openTaskProject } from '../../support/task-support.ts';

const ASK = `import json, sys
json.dump({"interrupted_skills": ["alpha", "beta"], "question": "Which of them stay?", "resume_command": "python bin/apply.py"}, open("langgraph_interrupt.json", "w"))
print("[INTERRUPT]")
sys.exit(4)
`;
const APPLY = 'import json, sys\nprint(json.dumps({"applied": json.load(sys.stdin)}))\n';
const KEEP = { alpha: 'keep', beta: 'uninstall' };

interface Settings {
  readonly user?: unknown;
  readonly project?: unknown;
  /** Whether the project's settings are part of what is trusted. */
  readonly trusted?: boolean;
}

function open(t: TestContext, { user, project: own, trusted = true }: Settings) {
  const made = openTaskProject(t);
  const { project, home, write } = made;
  write('bin/ask.py', ASK);
  write('bin/apply.py', APPLY);
  if (own !== undefined) write('.agent/config.json', JSON.stringify(own));
  if (trusted) trustProject(project, home, Date.now());
  if (user !== undefined) writeFileSync(path.join(home, '.agent', 'config.json'), JSON.stringify(user));
  const ask = async (env: Record<string, string> = {}) => {
    const args = ['task', 'ask about skills', 'run python bin/ask.py', '--yes', '--json'];
    const { stdout, stderr } = await runCli(args, { cwd: project, home, env });
    return { ...JSON.parse(stdout), stderr };
  };
  return { ...made, ask, events: () => readEvents(project) };
}

function readEvents(project: string): Record<string, unknown>[] {
  const runs = path.join(project, '.agent', 'runs');
  const folders = readdirSync(runs).filter((name) => /^\d/.test(name));
  return folders.flatMap((name) =>
    readFileSync(path.join(runs, name, 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

const scripted = (...answers: unknown[]) => ({
  interrupts: { decide_with: 'model' },
  model: { provider: 'mock', params: { answers } },
});

test('001-47 a model named in the settings decides first, and the record says who decided', async (t) => {
  const { ask, events } = open(t, { user: scripted(KEEP) });
  const outcome = await ask();
  assert.deepEqual([outcome.state, outcome.data.applied], ['success', KEEP]);
  const seen = events();
  assert.deepEqual(
    seen.filter(({ type }) => type === 'interrupt-answer').map(({ by, refused }) => [by, refused]),
    [['model', undefined]],
  );
  assert.equal(seen.filter(({ type, model }) => type === 'model' && model === 'mock').length, 1);
});

test('without the setting no model is asked', async (t) => {
  const { ask, events } = open(t, { user: { model: scripted(KEEP).model } });
  assert.equal((await ask()).state, 'interrupted');
  assert.ok(events().every(({ type }) => type !== 'model'));
});

test('what a model leaves out, adds or says in prose decides nothing, and a person can still answer', async (t) => {
  for (const [answer, refused] of [
    [{ alpha: 'keep' }, 'undecided'],
    [{ ...KEEP, gamma: 'keep' }, 'unknown'],
    [{ ...KEEP, beta: 'burn' }, 'unknown'],
    ['{"alpha": "keep", "beta": "ke', 'unknown'],
    [`{"alpha": "keep", "alpha": "keep"} {}`, 'unknown'],
    ['keep all of them', undefined],
    ['alpha=keep', undefined],
  ] as const) {
    const { ask, events, resume } = open(t, { user: scripted(answer) });
    const { state, data } = await ask();
    assert.equal(state, 'interrupted', JSON.stringify(answer));
    assert.equal(typeof data.note, 'string');
    assert.deepEqual(
      events()
        .filter(({ type }) => type === 'interrupt-answer')
        .map((event) => event.refused),
      refused === undefined ? [] : [refused],
    );
    assert.ok(
      events().every(({ type, exit }) => type !== 'call-result' || exit === 4),
      'nothing went on',
    );
    assert.equal((await resume(data.id, ['alpha=keep', 'beta=keep'])).state, 'success');
  }
});

test('a project turns it on only when it is trusted, and may always turn it off', async (t) => {
  const { model, ...turnedOn } = scripted(KEEP);
  const untrusted = open(t, { user: { model }, project: turnedOn, trusted: false });
  assert.equal((await untrusted.ask()).data.type, 'NotTrusted');
  const trusted = open(t, { user: { model }, project: turnedOn });
  assert.equal((await trusted.ask()).state, 'success');
  const off = open(t, { user: scripted(KEEP), project: { interrupts: { decide_with: 'person' } } });
  assert.equal((await off.ask()).state, 'interrupted');
});

test('a script that asks again and again ends up with a person', async (t) => {
  const { ask, write, events } = open(t, { user: scripted(...Array.from({ length: 20 }, () => KEEP)) });
  write('bin/apply.py', ASK);
  const { state } = await ask();
  assert.equal(state, 'interrupted');
  assert.equal(events().filter(({ type }) => type === 'model').length, 3);
});

test('over HTTP: the question goes as data, the answer comes back checked, and no failure decides anything', async (t) => {
  const server = async (...acts: Act[]) => {
    const { url, seen } = await startModelServer(t, ...acts);
    const model = { provider: 'openai-compatible', name: 'm', base_url: url, key_env: 'TEST_KEY', retries: 0 };
    return { ...open(t, { user: { interrupts: { decide_with: 'model' }, model } }), seen };
  };
  const answered = await server(says(openai, { calls: [JSON.stringify(KEEP)] }));
  const outcome = await answered.ask({ TEST_KEY: 'k' });
  assert.deepEqual([outcome.state, outcome.data.applied], ['success', KEEP], outcome.stderr);
  const sent = JSON.stringify(answered.seen[0]?.body);
  assert.match(sent, /Which of them stay/);
  assert.match(sent, /"enum":\["keep","uninstall"\]/);
  for (const act of [
    fails(openai, 500),
    fails(openai, 401),
    sendsPage(),
    says(openai, { text: 'I would keep them.' }),
    says(openai, { calls: [JSON.stringify(KEEP), JSON.stringify(KEEP)] }),
  ]) {
    const failing = await server(act);
    const { state, data } = await failing.ask({ TEST_KEY: 'k' });
    assert.deepEqual([state, typeof data.note], ['interrupted', 'string']);
  }
  const keyless = await server(says(openai, { calls: [JSON.stringify(KEEP)] }));
  const { state, data } = await keyless.ask();
  assert.equal(state, 'interrupted');
  assert.match(data.note, /TEST_KEY/);
});

test('the offline model answers no questions, and says so', async (t) => {
  const { ask } = open(t, { user: { interrupts: { decide_with: 'model' } } });
  const { state, data } = await ask();
  assert.equal(state, 'interrupted');
  assert.match(data.note, /offline/);
});
