// The door as a whole: real skills, real processes in the real sandbox, real records.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type DoorOptions, type OpenDoor, openDoor } from '../../../src/app/open-door.ts';
import { createRuntime } from '../../../src/app/runtime.ts';
import { verifyRun } from '../../../src/audit/run-archive.ts';
import type { RunCommand, RunScript } from '../../../src/door/call.ts';
import { perform } from '../../../src/door/perform.ts';
import { resumeCall } from '../../../src/door/resume.ts';
import { openGrants } from '../../../src/policy/grant/store.ts';
import { digestSkill } from '../../../src/skill/digest.ts';
import { temporaryFolder } from '../../support/support.ts';

const SKILL = `---
name: sample
description: Prints what it is given. Use in tests.
secrets: []
---
# Sample
`;

const SCRIPTS: Record<string, string> = {
  'echo.py': 'import sys, os\nprint("args", *sys.argv[1:])\nprint("in", sys.stdin.read())\n',
  'count.sh': 'cd "$SKILL_OUTPUT_DIR" && echo run >> count.txt && cat count.txt\n',
  'fail.mjs': 'console.error("no database"); process.exit(3);\n',
  'slow.sh': 'sleep 30\n',
  'env.py': 'import os\nprint(sorted(os.environ))\nprint(os.environ.get("CANARY"))\n',
  'secret.sh': 'echo "$API_TOKEN"; echo "$API_TOKEN" | base64\n',
  'tell.sh':
    'echo "10% got $API_TOKEN" >&2; echo "{\\"progress\\":0.5,\\"message\\":\\"$API_TOKEN\\"}" >&2; echo x > "$SKILL_OUTPUT_DIR/$API_TOKEN.txt"\n',
  'result.sh': 'cd "$SKILL_OUTPUT_DIR" && mkdir -p sub && echo hello > sub/page.html && ln -s /etc/passwd link\n',
};

interface Place {
  project: string;
  home: string;
  skill: string;
}

function place(t: TestContext, manifest = SKILL): Place {
  const folder = temporaryFolder(t);
  const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  const skill = path.join(project, '.agent', 'skills', 'sample');
  mkdirSync(path.join(skill, 'scripts'), { recursive: true });
  mkdirSync(home);
  writeFileSync(path.join(skill, 'SKILL.md'), manifest);
  for (const [name, text] of Object.entries(SCRIPTS)) writeFileSync(path.join(skill, 'scripts', name), text);
  return { project, home, skill };
}

async function door(
  { project, home }: Place,
  options: Partial<DoorOptions> = {},
  env: Record<string, string> = {},
): Promise<OpenDoor> {
  const runtime = await createRuntime({
    project,
    home,
    env: { PATH: process.env.PATH, CANARY: 'leaked', ...env },
    language: 'en',
  });
  return openDoor(runtime, { kind: 'test', request: 'test', version: '0', ...options });
}

const script = (open: OpenDoor, name: string, args: string[] = [], more: Partial<RunScript> = {}): RunScript => ({
  kind: 'run_script',
  skill: 'sample',
  script: `scripts/${name}`,
  args,
  context: open.context,
  ...more,
});

const command = (open: OpenDoor, argv: string[], more: Partial<RunCommand> = {}): RunCommand => ({
  kind: 'run_command',
  argv,
  context: open.context,
  ...more,
});

test('with a yes a script runs with literal words, stdin and a clean environment', async (t) => {
  const here = place(t);
  const open = await door(here, { yes: true });
  const said = await perform(script(open, 'echo.py', ['$(id)', '; rm -rf /', '中文'], { stdin: 'hello' }), open);
  assert.equal(said.state, 'success', said.summary);
  assert.equal(said.data.stdout, 'args $(id) ; rm -rf / 中文\nin hello\n');
  const seen = await perform(script(open, 'env.py'), open);
  assert.doesNotMatch(String(seen.data.stdout), /CANARY|leaked/);
  assert.match(JSON.stringify(said.data.sandbox), /"tier":"S\d"/);
});

test('002-79 002-81 nobody there: nothing runs, and the exact command that goes on is given', async (t) => {
  const here = place(t);
  const open = await door(here);
  const asked = await perform(script(open, 'count.sh'), open);
  assert.equal(asked.state, 'interrupted');
  assert.equal(asked.data.type, 'ApprovalRequired');
  assert.equal(asked.data.resume_command, `skillwright resume ${asked.data.id} --decide approve`);
  assert.ok(!existsSync(path.join(here.project, 'mybox', 'output', 'count.txt')));
  const later = await door(here);
  const resumed = await resumeCall({ question: String(asked.data.id), words: ['approve'] }, later);
  assert.equal(resumed.state, 'success', resumed.summary);
  assert.equal(readFileSync(path.join(here.project, 'mybox', 'output', 'count.txt'), 'utf8'), 'run\n');
  const again = await resumeCall({ question: String(asked.data.id), words: ['approve'] }, later);
  assert.equal(again.data.code, 'DATA_NOT_FOUND');
});

test('threat 49 blocked: an approval for one thing does not run another', async (t) => {
  const here = place(t);
  const asked = await perform(script(await door(here), 'echo.py', ['a']), await door(here));
  appendFileSync(path.join(here.skill, 'scripts', 'echo.py'), '# changed\n');
  const resumed = await resumeCall({ question: String(asked.data.id), words: ['approve'] }, await door(here));
  assert.equal(resumed.data.code, 'INTEGRITY_MISMATCH', resumed.summary);
});

test('threat 49 control: without the change the same approval runs it', async (t) => {
  const here = place(t);
  const asked = await perform(script(await door(here), 'echo.py', ['a']), await door(here));
  const resumed = await resumeCall({ question: String(asked.data.id), words: ['approve'] }, await door(here));
  assert.equal(resumed.state, 'success', resumed.summary);
});

test('a person is asked with the real words; no means no, yes runs it once', async (t) => {
  const here = place(t);
  const questions: string[][] = [];
  const refuse: DoorOptions['ask'] = async ({ words }) => {
    questions.push([...words]);
    return 'no';
  };
  const refusing = await door(here, { ask: refuse });
  const refused = await perform(script(refusing, 'echo.py', ['--x']), refusing);
  assert.equal(refused.data.code, 'APPROVAL_DENIED');
  assert.deepEqual(questions, [['scripts/echo.py', '--x']]);
  let asked = 0;
  const agree: DoorOptions['ask'] = async () => {
    asked++;
    return 'once';
  };
  const agreeing = await door(here, { ask: agree });
  for (const _ of [1, 2]) assert.equal((await perform(script(agreeing, 'echo.py'), agreeing)).state, 'success');
  assert.equal(asked, 2);
});

test('one grant lets a job-like call run unattended, and any byte change stops it', async (t) => {
  const here = place(t);
  const { digest } = digestSkill(here.skill);
  const now = Date.now();
  openGrants(here.home, here.project).add({
    skill: 'sample',
    bound: { digest },
    target: { kind: 'script', script: 'scripts/echo.py', words: [], exact: false },
    network: false,
    writes: false,
    tier: 'S0',
    created: now,
    expires: now + 60_000,
  });
  const open = await door(here);
  assert.equal((await perform(script(open, 'echo.py', ['daily']), open)).state, 'success');
  assert.equal((await perform(script(open, 'count.sh'), open)).state, 'interrupted');
  appendFileSync(path.join(here.skill, 'SKILL.md'), ' ');
  assert.equal((await perform(script(open, 'echo.py', ['daily']), open)).state, 'interrupted');
});

test('threat 62 blocked: files planted in a project change no decision', async (t) => {
  const here = place(t);
  const { digest } = digestSkill(here.skill);
  const grant = {
    id: 'aaaaaaaaaaaa',
    project: here.project,
    skill: 'sample',
    bound: { digest },
    target: { kind: 'script', script: 'scripts/echo.py', words: [], exact: false },
    network: true,
    writes: true,
    tier: 'S0',
    created: 0,
    expires: 9e15,
  };
  for (const folder of ['grants', 'interrupts', 'trust', path.join('home', '.agent', 'grants')]) {
    mkdirSync(path.join(here.project, '.agent', folder), { recursive: true });
    writeFileSync(path.join(here.project, '.agent', folder, 'aaaaaaaaaaaa.json'), JSON.stringify(grant));
  }
  writeFileSync(
    path.join(here.project, '.agent', 'config.json'),
    JSON.stringify({ execution: { require_approval_for: [] } }),
  );
  const open = await door(here);
  assert.equal((await perform(script(open, 'echo.py'), open)).state, 'interrupted');
});

test('002-105 an empty tool list allows nothing, a list without the tool refuses it', async (t) => {
  const here = place(t, SKILL.replace('secrets: []', 'allowed-tools: []'));
  const open = await door(here, { yes: true });
  assert.equal((await perform(script(open, 'echo.py'), open)).data.code, 'PERMISSION_DENIED');
  const reader = place(t, SKILL.replace('secrets: []', 'allowed-tools: Read, Grep'));
  const reading = await door(reader, { yes: true });
  assert.equal((await perform(script(reading, 'echo.py'), reading)).data.code, 'PERMISSION_DENIED');
});

test('run_command runs what the list of the skill covers, in the project folder, without a shell', async (t) => {
  const here = place(t, SKILL.replace('secrets: []', 'allowed-tools: Bash(ls:*), Bash(echo hello)'));
  const open = await door(here, { yes: true });
  const listed = await perform(command(open, ['ls', '-a'], { skill: 'sample' }), open);
  assert.equal(listed.state, 'success', listed.summary);
  assert.match(String(listed.data.stdout), /\.agent/);
  for (const argv of [['id'], ['echo', 'bye'], ['bash', '-c', 'ls; id'], ['bash', '-c', 'ls $(id)'], ['ls; id']]) {
    assert.equal(
      (await perform(command(open, argv, { skill: 'sample' }), open)).data.code,
      'PERMISSION_DENIED',
      argv.join(' '),
    );
  }
});

test('a failure, a missing script and a timeout are outcomes with the right state', async (t) => {
  const here = place(t);
  const open = await door(here, { yes: true });
  const failed = await perform(script(open, 'fail.mjs'), open);
  assert.equal(failed.data.type, 'RuntimeFailed');
  assert.match(failed.summary, /no database/);
  assert.equal((await perform(script(open, 'none.py'), open)).data.code, 'SCRIPT_NOT_FOUND');
  assert.equal((await perform(script(open, '../SKILL.md'), open)).data.code, 'PATH_BLOCKED');
  const late = await perform(script(open, 'slow.sh', [], { timeoutSeconds: 1 }), open);
  assert.equal(late.state, 'timeout');
  assert.equal(late.data.limit, 1);
  assert.equal(late.data.recoverable, true);
  assert.equal((await perform(command(open, ['no-such-program']), open)).data.code, 'RUNTIME_FAILED');
  assert.equal((await perform({ ...script(open, 'echo.py'), skill: 'sampel' }, open)).data.code, 'SKILL_NOT_FOUND');
});

test('results come out through the guard, links do not', async (t) => {
  const here = place(t);
  const open = await door(here, { yes: true });
  const made = await perform(script(open, 'result.sh'), open);
  assert.equal(made.state, 'success', made.summary);
  assert.equal(readFileSync(path.join(here.project, 'mybox', 'output', 'sub', 'page.html'), 'utf8'), 'hello\n');
  assert.ok(!existsSync(path.join(here.project, 'mybox', 'output', 'link')));
  assert.match(JSON.stringify(made.data.refused), /link/);
});

/** By a person: an option hands over no variables. */
const APPROVED: Partial<DoorOptions> = { ask: async () => 'once' };

test('a declared secret reaches the script and not the outcome', async (t) => {
  const here = place(t, SKILL.replace('secrets: []', 'secrets: [API_TOKEN]'));
  const open = await door(here, APPROVED, { API_TOKEN: 'tok-1234567890' });
  const said = await perform(script(open, 'secret.sh'), open);
  assert.equal(said.state, 'success', said.summary);
  assert.doesNotMatch(JSON.stringify(said), /tok-1234567890|dG9rLTEyMzQ1Njc4OTAK/);
  const without = await door(here, APPROVED);
  assert.equal((await perform(script(without, 'secret.sh'), without)).data.code, 'MISSING_PARAM');
});

test('threat 38 blocked: neither progress, nor names of results, nor the record carry a declared secret', async (t) => {
  const here = place(t, SKILL.replace('secrets: []', 'secrets: [API_TOKEN]'));
  const shown: string[] = [];
  const onProgress: NonNullable<DoorOptions['onProgress']> = ({ message }) => void shown.push(message);
  for (const token of ['tok-1234567890', `${randomBytes(3000).toString('hex')}`]) {
    const open = await door(here, { ...APPROVED, onProgress }, { API_TOKEN: token });
    const said = await perform(script(open, token.length > 200 ? 'secret.sh' : 'tell.sh'), open);
    assert.equal(said.state, 'success', said.summary);
    const records = readdirSync(open.begin().folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
    assert.ok(![JSON.stringify(said), ...records, ...shown].some((text) => text.includes(token.slice(-200))));
  }
  assert.deepEqual(shown, ['got [redacted]', '[redacted]']);
});

test('002-39 002-82 002-83 every call is on record, and the record verifies', async (t) => {
  const here = place(t);
  const open = await door(here, { yes: true });
  await perform(script(open, 'echo.py'), open);
  await perform(script(open, 'fail.mjs'), open);
  open.begin().finish({ outcome: 'success' });
  const verified = verifyRun(here.project, here.home, open.begin().id);
  assert.equal(verified.ok, true);
  const summary = JSON.parse(readFileSync(path.join(open.begin().folder, 'run.json'), 'utf8'));
  assert.deepEqual(summary.exit_codes, [0, 3]);
  const events = readFileSync(path.join(open.begin().folder, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(events.map((event) => event.type).slice(0, 5), [
    'run-start',
    'decision',
    'approval',
    'call-intent',
    'call-result',
  ]);
  assert.ok(events.every((event) => event.request_id === open.context.request_id));
});
