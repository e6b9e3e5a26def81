// A call that is killed at any instant: the project is before or after, the layer complete, marked or absent, and
// neither a mount nor a process is left.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { skillFiles } from '../../support/door-support.ts';
import { readAnswer } from '../../support/rule-support.ts';
import { commandLine, compiledCode, count } from '../../support/support.ts';
import { type EnteredProject, enterWorld, worldsHere } from '../../support/world/enter.ts';
import { type World, worldWords } from '../../support/world/world.ts';

const FILES = 40;
const SCRIPT = `import os, time
for n in range(${FILES}):
    name = 'data/%d.txt' % n
    if n % 3 == 0: os.remove(name)
    else: open(name, 'w').write('after')
    time.sleep(0.005)
`;

const files = {
  ...skillFiles('many', 'name: many\ndescription: Changes many files.', { 'scripts/m.py': SCRIPT }),
  ...Object.fromEntries(Array.from({ length: FILES }, (_, n) => [`data/${n}.txt`, 'before'])),
};

for (const world of worldsHere())
  test(`${world.title}: a killed call leaves the project before or after, and a layer that says what it is`, async (t) => {
    const entered = enterWorld(t, world, files);
    if (!entered) return;
    const seen = new Map<string, number>();
    const whole = await killed(world, entered.project, PATIENCE_MS);
    assert.equal(await lookAfter(entered), 'applied');
    for (let round = 0; round < count(60, 2); round++) {
      await killed(world, entered.project, Math.random() * whole);
      const found = await lookAfter(entered);
      seen.set(found, (seen.get(found) ?? 0) + 1);
      await nothingIsLeft(entered.project);
    }
    t.diagnostic([...seen].map(([what, times]) => `${times} × ${what}`).join(', '));
  });

/** Ends the command with SIGKILL at any instant between its start and its end; returns how long it went on. */
async function killed(world: World, cwd: string, withinMs: number): Promise<number> {
  const words = ['exec', 'many', 'scripts/m.py', '--yes', '--json'];
  const [program = '', ...rest] = [...worldWords(world), process.execPath, commandLine(), ...words];
  const env = { PATH: process.env.PATH ?? '', HOME: path.join(cwd, '../home'), ...compiledCode() };
  const began = performance.now();
  const child = spawn(program, rest, { cwd, env, stdio: 'ignore' });
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return performance.now() - began;
}

/** The next command finds one of the few states there may be; what it undoes and discards leaves the project as it was. */
async function lookAfter({ project: cwd, run }: EnteredProject): Promise<string> {
  assert.equal((await run(['runs', 'list', '--json'])).code, 0);
  const state = stateOf(cwd);
  assert.ok(state === 'before' || state === 'after', state);
  assert.deepEqual(
    readdirSync(cwd).filter((name) => name.startsWith('.skillwright')),
    [],
  );
  if (state === 'after') {
    const undone = await run(['runs', 'undo', 'latest']);
    assert.equal(undone.code, 0, undone.stderr);
    assert.equal(stateOf(cwd), 'before');
    await run(['runs', 'discard', 'latest']);
    return 'applied';
  }
  const shown = readAnswer(await run(['runs', 'changes', 'latest', '--json']));
  if (shown.code !== 0) return `nothing (${shown.data.type})`;
  const { changes, cut_off } = shown.data as unknown as { changes: { path: string }[]; cut_off?: boolean };
  if (!cut_off) assert.ok(changes.length === FILES || changes.length === 0, JSON.stringify(changes));
  const discarded = await run(['runs', 'discard', 'latest']);
  assert.equal(discarded.code, 0, discarded.stderr);
  assert.equal(stateOf(cwd), 'before');
  return cut_off ? 'marked as cut off' : `complete with ${changes.length}`;
}

function stateOf(cwd: string): string {
  const found = Object.fromEntries(
    readdirSync(path.join(cwd, 'data')).map((name) => [name, readFileSync(path.join(cwd, 'data', name), 'utf8')]),
  );
  const names = Array.from({ length: FILES }, (_, n) => `${n}.txt`);
  if (names.every((name) => found[name] === 'before')) return 'before';
  const isAfter = (name: string, n: number) => found[name] === (n % 3 === 0 ? undefined : 'after');
  return names.every(isAfter) ? 'after' : JSON.stringify(found);
}

const PATIENCE_MS = 60_000;

async function nothingIsLeft(cwd: string): Promise<void> {
  const place = path.dirname(cwd);
  const processes = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const isOurs = (pid: string) => ['mountinfo', 'cmdline'].some((file) => readProc(pid, file).includes(place));
  for (const began = Date.now(); ; await sleep(50)) {
    const left = processes().filter(isOurs);
    if (left.length === 0) return;
    const names = left.map((pid) => readProc(pid, 'cmdline').replaceAll('\0', ' '));
    assert.ok(Date.now() - began < PATIENCE_MS, `left: ${names.join('; ')}`);
  }
}

function readProc(pid: string, file: string): string {
  const at = `/proc/${pid}/${file}`;
  try {
    return existsSync(at) ? readFileSync(at, 'utf8') : '';
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
