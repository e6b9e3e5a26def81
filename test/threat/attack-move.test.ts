// A move has two ends: neither gets past lists, settings, grants or the guard of the file tools, whichever it is.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readRecords } from '../../src/audit/verify.ts';
import { answer, makeWorld, plant, readText, select, skillFile, tool, type World } from '../support/agent-support.ts';
import type { Change } from '../support/changed/change.ts';
import { runCli } from '../support/support.ts';

type Move = readonly [from: string, to: string, overwrite?: true];

const FILES = { 'notes/a.md': 'a', 'notes/b.md': 'b', 'src/code.ts': 'code', '.env': 'SECRET' };
const KEEPER = skillFile('keeper', 'allowed-tools: Read Move(notes/**)\n');

/** As if policy saw the first path of a call only. */
const FIRST_PATH_ONLY: Change = {
  file: 'src/policy/need.ts',
  from: 'Object.entries(paths).map(',
  to: 'Object.entries(paths).slice(0, 1).map(',
};

function project(t: TestContext): World {
  return makeWorld(t, { ...FILES, ...KEEPER });
}

async function json(world: World, args: readonly string[], change: readonly Change[] = []) {
  const ran = await runCli([...args, '--json'], { cwd: world.project, home: world.home, change });
  return JSON.parse(ran.stdout);
}

/** One run in which the skill moves files, one after the other. */
async function moves(world: World, asked: readonly Move[], args: readonly string[], change: readonly Change[] = []) {
  const calls = asked.map(([from, to, overwrite]) =>
    tool('move_file', { from, to, ...(overwrite && { overwrite }) }, 'keeper'),
  );
  writeFileSync(path.join(world.home, 'case.json'), JSON.stringify([select('keeper'), ...calls, answer('done')]));
  const model = `mock:${path.join(world.home, 'case.json')}`;
  return await json(world, ['run', 'tidy up', '--model', model, ...args], change);
}

const has = (world: World, file: string) => existsSync(path.join(world.project, file));
const text = (world: World, file: string) => readFileSync(path.join(world.project, file), 'utf8');

const OUT: readonly Move[] = [
  ['src/code.ts', 'notes/code.ts'],
  ['notes/a.md', 'src/a.md'],
  ['notes/a.md', 'src/code.ts', true],
];

test('threat 28 blocked: a list that covers one end of a move refuses it; one that covers both lets it through', async (t) => {
  const world = project(t);
  const { data } = await moves(world, [...OUT, ['notes/b.md', 'notes/deep/c.md']], ['--yes']);
  for (const [file, content] of Object.entries(FILES))
    if (file !== 'notes/b.md') assert.equal(text(world, file), content, file);
  assert.equal(text(world, 'notes/deep/c.md'), 'b');
  assert.ok(!has(world, 'notes/b.md') && !has(world, 'src/a.md') && !has(world, 'notes/code.ts'));
  const events = readRecords(String(data.record));
  const decided = events.flatMap((event) => (event.type === 'decision' ? [`${event.tool} ${event.effect}`] : []));
  assert.deepEqual(decided, ['move_file deny', 'move_file deny', 'move_file deny', 'move_file ask']);
  const [intent] = events.flatMap((event) => (event.type === 'call-intent' ? [event] : []));
  assert.ok(intent?.tool === 'move_file');
  assert.deepEqual(JSON.parse(readText(String(data.record), intent.args)), {
    from: 'notes/b.md',
    to: 'notes/deep/c.md',
  });
});

test('threat 28 control: where policy sees the first path only, the list of the skill holds for one end', async (t) => {
  const world = project(t);
  await moves(world, OUT, ['--yes'], [FIRST_PATH_ONLY]);
  assert.ok(has(world, 'src/code.ts') && !has(world, 'notes/code.ts'), 'the first end is still held');
  assert.equal(text(world, 'src/a.md'), 'a');
});

test('threat 32 blocked: hidden files, git and our own state are no end of a move, whatever is allowed', async (t) => {
  const world = makeWorld(t, {
    ...FILES,
    ...skillFile('keeper'),
    '.git/hooks/sample': 'x',
    '.agent/config.json': '{}',
  });
  plant(world.home, { '.agent/config.json': '{"execution":{"require_approval_for":[]}}' });
  const kept = ['.env', '.git/hooks/sample', '.agent/config.json'];
  const { data } = await moves(
    world,
    [
      ...kept.map((file): Move => [file, 'notes/taken']),
      ...kept.map((file): Move => ['notes/a.md', file, true]),
      ['notes/a.md', 'notes/b.md'],
      ['notes/a.md', 'src/moved.md'],
    ],
    [],
  );
  assert.deepEqual(
    kept.map((file) => text(world, file)),
    ['SECRET', 'x', '{}'],
  );
  assert.ok(!has(world, 'notes/taken'));
  assert.deepEqual([text(world, 'notes/b.md'), text(world, 'src/moved.md')], ['b', 'a']);
  assert.equal(data.tool_calls, 8, 'each of them was tried');
});

test('a grant answers a move only where it covers both ends; else a person reads both paths', async (t) => {
  const world = project(t);
  const granted = await json(world, ['grants', 'add', 'keeper', '--tool', 'mv', '--pattern', 'notes/*.md']);
  assert.deepEqual([granted.state, granted.data.what, granted.data.writes], ['success', 'move_file(notes/*.md)', true]);
  const { state, data } = await moves(
    world,
    [
      ['notes/a.md', 'notes/c.md'],
      ['notes/b.md', 'notes/deep/b.md'],
    ],
    [],
  );
  // What was moved already waits in the layer with the run.
  assert.deepEqual([has(world, 'notes/c.md'), text(world, 'notes/a.md')], [false, 'a']);
  assert.deepEqual([state, has(world, 'notes/b.md'), has(world, 'notes/deep')], ['interrupted', true, false]);
  assert.match(
    String(data.question),
    /move_file \[high risk\]\n {2}moves notes\/b\.md \(.*\)\n {2}to notes\/deep\/b\.md/,
  );
  const explained = await json(world, ['explain', 'keeper', 'move_file', 'notes/b.md', 'notes/deep/b.md']);
  assert.deepEqual([explained.data.effect, explained.data.grant], ['ask', null]);
  const covered = await json(world, ['explain', 'keeper', 'rename_file', 'notes/b.md', 'notes/d.md']);
  assert.deepEqual([covered.data.effect, covered.data.grant], ['allow', granted.data.id]);
  const closed = await json(world, ['explain', 'keeper', 'move_file', 'notes/b.md', '.git/hooks/post-commit']);
  assert.deepEqual([closed.data.effect, closed.data.layers[0].layer], ['deny', 'files']);
});
