// Environments under running calls: neither `prune` nor a second build takes away what a call has begun with.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { randomId } from '../../../src/base/ids.ts';
import { type EnvironmentDesk, openEnvironmentDesk, storedIn } from '../../support/environment/desk.ts';
import { wheel } from '../../support/environment/packages.ts';
import { commandLine, compiledCode } from '../../support/support.ts';

/** Imports its package only when it is told to. */
const WAITS = `import signal, time
told = []
signal.signal(signal.SIGUSR1, lambda *_: told.append(1))
while not told:
    time.sleep(0.02)
import plain
print("late", plain.VERSION)
`;
const FILES = { 'requirements.txt': 'plain\n', 'scripts/late.py': WAITS };

async function prepared(t: TestContext): Promise<EnvironmentDesk & { readonly name: string }> {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [wheel({ name: 'plain' })] });
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(told.state, 'success', JSON.stringify(told));
  return { ...desk, name: storedIn(desk.home)[0] ?? '' };
}

/** A call that is in the middle of its script, and what lets it go on. */
async function begin(t: TestContext, { project, home }: EnvironmentDesk) {
  const mark = randomId(8);
  const words = ['exec', 'uses', 'scripts/late.py', '--yes', '--', mark];
  const env = { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode() };
  const child = spawn(process.execPath, [commandLine(), ...words], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(said)));
  let waiting = waitingWith(mark);
  for (; waiting === undefined; waiting = waitingWith(mark)) {
    assert.equal(child.exitCode, null, said);
    await delay(20);
  }
  const pid = waiting;
  return async () => {
    process.kill(pid, 'SIGUSR1');
    return await ended;
  };
}

/** The process of the script, once it waits for the signal. */
function waitingWith(mark: string): number | undefined {
  const found = readdirSync('/proc').find((pid) => {
    const words = textOf(`/proc/${pid}/cmdline`).split('\0');
    const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? '0';
    return /python/.test(words[0] ?? '') && words.includes(mark) && (BigInt(`0x${caught}`) & SIGUSR1_BIT) !== 0n;
  });
  return found === undefined ? undefined : Number(found);
}

const SIGUSR1_BIT = 1n << 9n;

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

test('threat 84 blocked: prune keeps what a running call uses, and removes it afterwards', async (t) => {
  const desk = await prepared(t);
  const go = await begin(t, desk);
  const kept = await desk.run(['environments', 'prune', '--days', '0']);
  assert.match(kept.stdout, /removed 0 environments; running calls use 1 environment/);
  const named = await desk.ask(['environments', 'prune', desk.name.slice(0, 12)]);
  assert.deepEqual([named.code, named.state], [6, 'partial'], JSON.stringify(named));
  assert.equal((named.data.in_use as unknown[]).length, 1);
  assert.match(await go(), /^late 1\.0\n/);
  assert.equal((await desk.ask(['environments', 'prune', '--days', '0'])).state, 'success');
  assert.deepEqual(storedIn(desk.home), []);
});

test('threat 84 control: without the hold of the call, its packages are gone', async (t) => {
  const desk = await prepared(t);
  const go = await begin(t, desk);
  const blind = {
    file: 'src/environment/store/store.ts',
    from: 'const isAway = ifUnlocked(useLock(home, name), () => {',
    to: 'const isAway = ifUnlocked(useLock(home, name.slice(1)), () => {',
  };
  const { code } = await desk.run(['environments', 'prune', '--days', '0'], { change: [blind] });
  assert.equal(code, 0);
  assert.match(await go(), /No module named 'plain'/);
});

test('threat 84 blocked: a second build leaves what a running call uses, also where it was changed, and says so', async (t) => {
  const desk = await prepared(t);
  const go = await begin(t, desk);
  const tree = path.join(desk.home, '.agent/environments', desk.name, 'tree');
  const found = readdirSync(tree, { recursive: true, encoding: 'utf8' }).find((file) => file.endsWith('/METADATA'));
  const file = path.join(tree, found ?? '');
  chmodSync(file, 0o644);
  writeFileSync(file, 'changed\n');
  const refused = await desk.ask(['prepare', 'uses', '--yes']);
  assert.deepEqual([refused.code, refused.data.type], [1, 'StateUnusable'], JSON.stringify(refused));
  assert.match(refused.summary, /is not as it was built, and a running call uses it/);
  assert.match(await go(), /^late 1\.0\n/);
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  assert.equal((await desk.run(['environments', 'verify'])).code, 0);
});
