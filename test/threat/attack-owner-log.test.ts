// Attacks on the owner's log: whoever reaches it without the key changes nothing unnoticed, and no project brings one.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Change } from '../support/changed/changed-source.ts';
import { runCli, temporaryFolder } from '../support/support.ts';

interface World {
  readonly cwd: string;
  readonly home: string;
}

/** A project with three edits in its log. */
async function prepare(t: TestContext): Promise<World> {
  const folder = temporaryFolder(t);
  const world = { cwd: path.join(folder, 'project'), home: path.join(folder, 'home') };
  for (const made of [world.cwd, world.home]) mkdirSync(made);
  for (const name of ['a', 'b', 'c']) assert.equal((await cli(world, ['edit', 'append', name, 'x'])).code, 0);
  return world;
}

function cli({ cwd, home }: World, args: readonly string[], ...change: Change[]) {
  return runCli(args, { cwd, home, change });
}

async function verify(world: World, ...change: Change[]) {
  const { code, stdout } = await cli(world, ['log', 'verify', '--json'], ...change);
  const { data } = JSON.parse(stdout);
  return { code, why: data.logs[0].breaks.map(({ why }: { why: string }) => why).join(), hint: data.hint };
}

function partOf({ home }: World): string {
  const logs = path.join(home, '.agent', 'log');
  return path.join(logs, readdirSync(logs)[0] ?? '', '1');
}

function eventsFile(world: World): string {
  return path.join(partOf(world), 'events.jsonl');
}

/** Whoever has no key can still number the lines anew and bind each to the one before. */
function relink(lines: readonly string[]): string {
  let prev = JSON.parse(lines[0] ?? '{}').prev;
  const linked = lines.map((line, seq) => {
    const text = JSON.stringify({ ...JSON.parse(line), seq, prev });
    prev = createHash('sha256').update(text).digest('hex');
    return `${text}\n`;
  });
  return linked.join('');
}

const TAMPERINGS: Readonly<Record<string, (lines: readonly string[], world: World) => void>> = {
  'a line was changed': (lines, world) =>
    writeFileSync(eventsFile(world), relink(lines.map((line) => line.replace('"files":["b"]', '"files":["z"]')))),
  'a command was removed': (lines, world) => writeFileSync(eventsFile(world), relink(lines.toSpliced(3, 2))),
  'the end was cut off': (lines, world) => writeFileSync(eventsFile(world), `${lines.slice(0, -2).join('\n')}\n`),
  'a line was added': (lines, world) => writeFileSync(eventsFile(world), relink([...lines, lines.at(-1) ?? ''])),
  'the log was deleted': (_lines, world) => rmSync(path.dirname(partOf(world)), { recursive: true }),
  'its head was deleted': (_lines, { home }) => {
    for (const name of readdirSync(path.join(home, '.agent', 'log-register')))
      rmSync(path.join(home, '.agent', 'log-register', name, '1'));
  },
};

/** Without these nothing would look at seals, links and heads. */
const TRUSTING: readonly Change[] = [
  { file: 'src/audit/verify.ts', from: 'why === undefined ? compareHead(', to: 'why === undefined ? void (' },
  { file: 'src/audit/verify.ts', from: 'if (key && unsealJson(line, key) === undefined)', to: 'if (false)' },
  { file: 'src/audit/owner/verify.ts', from: 'if (found.sealedFrom > 0)', to: 'if (false)' },
];

test('blocked: a changed, removed, added or cut line, a deleted log and a deleted head are found', async (t) => {
  const world = await prepare(t);
  const [honest, saved] = [readFileSync(eventsFile(world), 'utf8'), path.join(world.home, 'saved')];
  cpSync(path.join(world.home, '.agent'), saved, { recursive: true });
  const lines = honest.trimEnd().split('\n');
  assert.equal((await verify(world)).code, 0);
  for (const [what, tamper] of Object.entries(TAMPERINGS)) {
    tamper(lines, world);
    const found = await verify(world);
    assert.equal(found.code, 1, what);
    assert.notEqual(found.why, '', what);
    rmSync(path.join(world.home, '.agent'), { recursive: true });
    cpSync(saved, path.join(world.home, '.agent'), { recursive: true });
  }
  assert.equal((await verify(world)).code, 0);
});

test('control: without seals, links and heads the same changes pass', async (t) => {
  const world = await prepare(t);
  const lines = readFileSync(eventsFile(world), 'utf8').trimEnd().split('\n');
  for (const what of ['a line was changed', 'a command was removed', 'the end was cut off', 'its head was deleted']) {
    TAMPERINGS[what]?.(lines, world);
    assert.equal((await verify(world, ...TRUSTING)).code, 0, what);
  }
});

test('a broken log is told by doctor and by log, holds no command up, and once it was seen new breaks stand out', async (t) => {
  const world = await prepare(t);
  const honest = readFileSync(eventsFile(world), 'utf8').trimEnd().split('\n');
  TAMPERINGS['a line was changed']?.(honest, world);
  const doctor = await cli(world, ['doctor', '--json']);
  assert.equal(doctor.code, 6);
  const check = JSON.parse(doctor.stdout).data.checks.find(({ name }: { name: string }) => name === 'log');
  assert.deepEqual([check.ok, /skillwright log verify/.test(check.detail)], [false, true]);
  const shown = await cli(world, ['log', '--json']);
  assert.deepEqual([shown.code, JSON.parse(shown.stdout).data.total], [6, 1], 'only what is as it was written');
  assert.equal((await cli(world, ['edit', 'append', 'd', 'x'])).code, 0);
  const still = await cli(world, ['log', 'verify']);
  assert.equal(still.code, 1);
  assert.match(still.stdout + still.stderr, /part 1, event 3: its seal is not ours[\s\S]*log verify --accept/);
  assert.equal((await cli(world, ['log', 'verify', '--accept'])).code, 0);
  assert.equal((await verify(world)).code, 0);
  TAMPERINGS['the end was cut off']?.(honest, world);
  assert.equal((await verify(world)).code, 1);
});

test('blocked: a project brings no log with it', async (t) => {
  const world = await prepare(t);
  const own = { cwd: world.cwd, home: path.join(world.home, 'other') };
  mkdirSync(own.home);
  cpSync(path.join(world.home, '.agent'), path.join(world.cwd, '.agent'), { recursive: true });
  assert.equal(JSON.parse((await cli(own, ['log', '--json'])).stdout).data.total, 0);
});

test('control: the same files count under home', async (t) => {
  const world = await prepare(t);
  cpSync(path.join(world.home, '.agent'), path.join(world.cwd, '.agent'), { recursive: true });
  const same = { cwd: world.cwd, home: world.cwd };
  assert.equal(JSON.parse((await cli(same, ['log', '--json'])).stdout).data.total, 3);
});
