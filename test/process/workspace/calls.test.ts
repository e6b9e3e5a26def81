// Every kind of call works in the layer of its run: what it changes waits, and a yes, a grant or an option puts it there.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  answer,
  makeWorld,
  observed,
  runProcess,
  script,
  select,
  skillFile,
  tool,
} from '../../support/agent-support.ts';
import { readAnswer } from '../../support/rule-support.ts';
import { runCli } from '../../support/support.ts';

const SPEAKS = `cat > /dev/null
echo "from call" > called.txt
echo '{"success": true, "action": "go", "data": 1}'
`;

const FILES = {
  ...skillFile('speaks', 'entry: scripts/main.sh\nactions: {go: {description: Goes.}}\n'),
  '.agent/skills/speaks/scripts/main.sh': SPEAKS,
  ...skillFile('writes', 'command: sh scripts/write.sh {output}\n'),
  '.agent/skills/writes/scripts/write.sh': 'mkdir -p docs src; echo a > docs/a.txt; echo b > src/b.txt\n',
  ...skillFile('step'),
  '.agent/skills/step/scripts/step.sh': 'cat "$1" 2>/dev/null; echo "$2" >> "$1"\n',
  'notes/old.txt': 'old\n',
};

function place(t: TestContext) {
  const { project: cwd, home } = makeWorld(t, FILES);
  const sw = async (...args: string[]) => {
    const { data, ...answered } = readAnswer(await runCli([...args, '--json'], { cwd, home }));
    return { ...answered, data: data as Data };
  };
  const read = (name: string) => readFileSync(path.join(cwd, name), 'utf8');
  return { world: { project: cwd, home }, sw, read, has: (name: string) => existsSync(path.join(cwd, name)) };
}

interface Data extends Record<string, unknown> {
  readonly id: string;
  readonly changes: { readonly run: string; readonly waiting: unknown };
}

const pathsOf = (changes: unknown) => (changes as { path: string }[]).map(({ path: below }) => below);

test('an action that writes into the project: it waits, exit code 4; --yes applies it, runs undo takes it back', async (t) => {
  const { sw, has, read } = place(t);
  const asked = await sw('call', 'speaks', 'go', '--apply', 'ask');
  assert.equal(asked.code, 4);
  const [, , question = ''] = String(asked.data.resume_command).split(' ');
  const waits = await sw('resume', question, '--decide', 'approve');
  assert.deepEqual([waits.code, waits.state, has('called.txt')], [4, 'interrupted', false], JSON.stringify(waits));
  assert.match(String(waits.data.resume_command), /^skillwright runs apply /);
  assert.deepEqual(pathsOf(waits.data.changes.waiting), ['called.txt']);
  const applied = await sw('call', 'speaks', 'go', '--yes');
  assert.deepEqual([applied.code, applied.state, read('called.txt')], [0, 'success', 'from call\n']);
  assert.equal((await sw('runs', 'undo', applied.data.changes.run)).code, 0);
  assert.equal(has('called.txt'), false);
});

test('a grant with --writes applies what it names, and nothing else; without it everything waits', async (t) => {
  const { sw, has, read } = place(t);
  const refused = await sw('grants', 'add', 'writes', '--script', 'scripts/write.sh', '--tier', 'S1', '--writes=.git');
  assert.deepEqual([refused.code, refused.data.type], [2, 'Usage']);
  assert.equal((await sw('grants', 'add', 'writes', '--script', 'scripts/write.sh', '--writes=')).code, 2);
  assert.equal(
    (await sw('grants', 'add', 'writes', '--script', 'scripts/write.sh', '--tier', 'S1', '--writes=../x')).code,
    2,
  );

  const plain = await sw('grants', 'add', 'writes', '--script', 'scripts/write.sh', '--tier', 'S1');
  const waits = await sw('invoke', '@writes');
  assert.deepEqual([waits.code, has('docs/a.txt')], [4, false], JSON.stringify(waits));
  await sw('grants', 'revoke', plain.data.id);

  const some = await sw('grants', 'add', 'writes', '--script', 'scripts/write.sh', '--tier', 'S1', '--writes=docs');
  assert.deepEqual(some.data.writes, ['docs']);
  const half = await sw('invoke', '@writes');
  assert.deepEqual([half.code, read('docs/a.txt'), has('src/b.txt')], [4, 'a\n', false], JSON.stringify(half));
  assert.deepEqual(pathsOf(half.data.changes.waiting), ['src', 'src/b.txt']);
  await sw('grants', 'revoke', some.data.id);

  await sw('grants', 'add', 'writes', '--script', 'scripts/write.sh', '--tier', 'S1', '--writes');
  const all = await sw('invoke', '@writes');
  assert.deepEqual([all.code, read('src/b.txt')], [0, 'b\n'], JSON.stringify(all));
});

test('scripts and file tools of one run see the same layer; the project is untouched until its end', async (t) => {
  const { world, has, read } = place(t);
  const steps = [
    select('step'),
    tool('write_file', { path: 'list.txt', edits: [{ op: 'append', content: 'one\n' }] }),
    script('step', 'step.sh', 'list.txt', 'two'),
    tool('read_file', { path: 'list.txt' }),
    tool('move_file', { from: 'notes/old.txt', to: 'notes/new.txt' }),
    script('step', 'step.sh', 'notes/new.txt', 'more'),
    tool('grep', { pattern: 'more' }),
    tool('delete_file', { path: 'list.txt' }),
    script('step', 'step.sh', 'list.txt', 'again'),
    answer('done'),
  ];
  const waits = await runProcess(world, steps, { args: ['--yes', '--apply', 'never'] });
  assert.equal(waits.outcome.state, 'success', waits.stdout);
  assert.deepEqual([has('list.txt'), read('notes/old.txt')], [false, 'old\n']);
  const [, , ran = '', readBack = '', , moved = '', found = ''] = observed(waits);
  assert.match(ran, /one/);
  assert.match(readBack, /one\ntwo/);
  assert.match(moved, /old/);
  assert.match(found, /notes\/new\.txt/);
  const applied = await runProcess(world, steps, { args: ['--yes'] });
  assert.equal(applied.outcome.state, 'success', applied.stdout);
  assert.deepEqual([read('list.txt'), read('notes/new.txt'), has('notes/old.txt')], ['again\n', 'old\nmore\n', false]);
});

test('what was allowed file by file is not asked about again, unless a script has changed it since', async (t) => {
  const { world, sw, has, read } = place(t);
  await sw('grants', 'add', 'step', '--tool', 'write_file', '--pattern', 'kept/**');
  await sw('grants', 'add', 'step', '--script', 'scripts/step.sh', '--tier', 'S1');
  const write = (file: string) =>
    tool('write_file', { path: file, edits: [{ op: 'append', content: 'mine\n' }] }, 'step');
  const steps = [
    select('step'),
    write('kept/a.txt'),
    write('kept/b.txt'),
    script('step', 'step.sh', 'kept/b.txt', 'x'),
  ];
  const ran = await runProcess(world, [...steps, answer('done')]);
  assert.equal(ran.code, 4, ran.stdout);
  assert.deepEqual([read('kept/a.txt'), has('kept/b.txt')], ['mine\n', false]);
  assert.deepEqual(pathsOf((ran.outcome.data.changes as { waiting: unknown }).waiting), ['kept/b.txt']);
});

test('a script of bin/ works in the layer, too, and the file of its question never reaches the project', async (t) => {
  const { world, sw, read, has } = place(t);
  mkdirSync(path.join(world.project, 'bin'));
  const asks = `echo made > made.txt
printf '%s' '{"question": "q?", "skills": ["a"], "choices": ["keep"]}' > langgraph_interrupt.json
echo '⏸️ interrupted'
`;
  writeFileSync(path.join(world.project, 'bin/plain.sh'), 'echo made > made.txt; echo done\n');
  writeFileSync(path.join(world.project, 'bin/asks.sh'), asks);
  await sw('trust');
  const waits = await sw('task', 'make it', 'run bash bin/plain.sh', '--yes', '--apply', 'never');
  assert.deepEqual([waits.code, has('made.txt')], [0, false], JSON.stringify(waits));
  const done = await sw('task', 'make it', 'run bash bin/plain.sh', '--yes');
  assert.deepEqual([done.code, read('made.txt')], [0, 'made\n'], JSON.stringify(done));
  await sw('task', 'ask it', 'run bash bin/asks.sh', '--yes');
  assert.equal(has('langgraph_interrupt.json'), false);
});
