import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, repository, temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { findTree, killTagged } from './kill-tree.ts';
import type { Ended, Launch } from './order.ts';
import { type ProcessRunOptions, runProcess } from './run.ts';

interface Settings {
  cwd?: string;
  env?: Record<string, string>;
  descriptors?: Uint8Array[];
  release?: () => void;
}

function launchOf(argv: string[], settings: Settings = {}): Launch {
  const [file = '', ...args] = argv;
  return {
    file,
    args,
    env: settings.env ?? { PATH: '/usr/bin:/bin' },
    cwd: settings.cwd ?? '/',
    descriptors: settings.descriptors ?? [],
    tier: 'S0',
    notEnforced: [],
    endsTree: false,
    release: settings.release ?? (() => {}),
  };
}

function bash(script: string, options: Partial<ProcessRunOptions> = {}, settings: Settings = {}): Promise<Ended> {
  return runProcess(launchOf(['/bin/bash', '-c', script], settings), { timeoutMs: 60_000, ...options });
}

function node(script: string, options: Partial<ProcessRunOptions> = {}, settings: Settings = {}): Promise<Ended> {
  return runProcess(launchOf([process.execPath, '-e', script], settings), { timeoutMs: 60_000, ...options });
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/** A tag whose processes are gone after the test, whatever it showed. */
function tagFor(t: TestContext): string {
  const tag = randomId();
  t.after(() => killTagged(tag));
  return tag;
}

function living(tag: string): number[] {
  return findTree({ leader: -1, tag, since: 0 }).map((member) => member.pid);
}

/** Killed processes take a moment to go. */
async function assertGone(tag: string): Promise<void> {
  for (let tries = 0; tries < 50 && living(tag).length > 0; tries++) await sleep(10);
  assert.deepEqual(living(tag), []);
}

test('a process gets its input and gives its output, its errors and its exit code', async () => {
  const ended = await bash('cat; echo oops >&2; exit 3', { stdin: 'ping' });
  assert.deepEqual(
    { out: text(ended.stdout), err: text(ended.stderr), exit: ended.exit, signal: ended.signal, why: ended.why },
    { out: 'ping', err: 'oops\n', exit: 3, signal: null, why: 'exit' },
  );
});

test('input can be read by name as well, and is empty when there is none', async () => {
  assert.equal(text((await bash('cat /dev/stdin', { stdin: 'by name' })).stdout), 'by name');
  assert.equal(text((await bash('cat')).stdout), '');
});

test('input lies in the given folder, without a name', async (t) => {
  const folder = temporaryFolder(t);
  const ended = await bash(
    'readlink /proc/self/fd/0; cat /dev/stdin; ls -A',
    { stdin: 'x', inputFolder: folder },
    { cwd: folder },
  );
  assert.match(text(ended.stdout), new RegExp(`^${folder}/\\S+ \\(deleted\\)\nx$`));
});

test('a process that does not read its input ends as it wants', async () => {
  const ended = await bash('exit 0', { stdin: Buffer.alloc(8 * 1024 * 1024) });
  assert.equal(ended.exit, 0);
});

test('words reach the program as they are: no shell reads them', async () => {
  const words = ['; rm -rf /', '$(id)', '`id`', '', 'a b', '*', '--output=/etc/x', '"\'\n'];
  const show = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  const ended = await runProcess(launchOf([process.execPath, '-e', show, '--', ...words]), { timeoutMs: 60_000 });
  assert.deepEqual(JSON.parse(text(ended.stdout)), words);
});

test('contents are handed over as descriptors 3 and 4', async () => {
  const descriptors = [Buffer.from('three'), Buffer.alloc(100_000, 'x')];
  const ended = await bash('cat <&3; wc -c <&4; cat /proc/self/fd/3', {}, { descriptors });
  assert.equal(text(ended.stdout), 'three100000\nthree');
});

test('a program that cannot be started is a fault, and the launch is released', async () => {
  let released = 0;
  const release = () => released++;
  const missing = runProcess(launchOf(['/no/such/program'], { release }), { timeoutMs: 1000 });
  await assert.rejects(missing, (error) => error instanceof Fault && error.type === 'RuntimeFailed');
  const withZero = runProcess(launchOf(['/bin/echo', 'a\0b'], { release }), { timeoutMs: 1000 });
  await assert.rejects(withZero, (error) => error instanceof Fault && error.type === 'InvalidArgs');
  const tooLong = runProcess(launchOf(['/bin/echo', 'x'.repeat(300_000)], { release }), { timeoutMs: 1000 });
  await assert.rejects(tooLong, (error) => error instanceof Fault && error.type === 'InvalidArgs');
  assert.equal(released, 3);
});

test('a program that cannot be started leaves nothing behind, also when it is aborted at once', async () => {
  const fail = () => runProcess(launchOf(['/no/such/program']), { timeoutMs: 0, stdin: 'x' }).catch(() => {});
  await fail();
  const before = readdirSync('/proc/self/fd').length;
  for (let done = 0; done < 20; done++) await fail();
  assert.equal(readdirSync('/proc/self/fd').length, before);
});

test('at the time limit a process is asked to end and may say goodbye', async () => {
  const ended = await bash("trap 'echo bye; exit 7' TERM; echo on; while :; do sleep 0.05; done", { timeoutMs: 400 });
  assert.deepEqual([ended.why, ended.exit, text(ended.stdout)], ['timeout', 7, 'on\nbye\n']);
});

test('a process that ignores the request is killed', async () => {
  const ended = await bash("trap '' TERM; while :; do sleep 0.05; done", { timeoutMs: 200, graceMs: 100 });
  assert.deepEqual([ended.why, ended.exit, ended.signal], ['timeout', null, 'SIGKILL']);
});

test('an abort signal ends the process, and one given before starts none', async (t) => {
  const mark = path.join(temporaryFolder(t), 'mark');
  const control = new AbortController();
  const onProgress = () => control.abort();
  const ended = await bash('echo "10%" >&2; sleep 60', { signal: control.signal, onProgress });
  assert.deepEqual([ended.why, ended.signal], ['aborted', 'SIGTERM']);
  const never = await bash(`touch ${mark}`, { signal: AbortSignal.abort() });
  assert.equal(never.why, 'aborted');
  assert.equal((await bash(`test -e ${mark}`)).exit, 1);
});

test('progress lines are reported while the process runs', async () => {
  const seen: unknown[] = [];
  const script =
    'printf "start\\n25%% fetched\\n{\\"progress\\"" >&2; sleep 0.1; printf ":0.5}\\n100%% complete\\n" >&2';
  await bash(script, { onProgress: (progress) => seen.push([progress.fraction, progress.message]) });
  assert.deepEqual(seen, [
    [0.25, 'fetched'],
    [0.5, ''],
    [1, 'complete'],
  ]);
});

test('trap 1: a daemon that holds stdout open does not hold the call', async (t) => {
  const ended = await bash('setsid sleep 60 & echo done', { tag: tagFor(t) });
  assert.deepEqual([ended.why, ended.exit, text(ended.stdout)], ['exit', 0, 'done\n']);
});

// Twice forked, in a session of its own, deaf to SIGTERM, with stdout kept open.
const DAEMON = `
  (setsid bash -c 'trap "" TERM; echo $$ >"$1"; exec -a quiet-daemon sleep 60' daemon "$MARK" &) &
  while [ ! -s "$MARK" ]; do sleep 0.01; done; echo started`;

for (const [name, script, timeoutMs] of [
  ['after its parent has left', DAEMON, 60_000],
  ['at the time limit', `${DAEMON}; sleep 60`, 1500],
] as const) {
  test(`threat 43 blocked: a daemon in its own session is ended ${name}`, async (t) => {
    const tag = tagFor(t);
    const env = { PATH: '/usr/bin:/bin', MARK: path.join(temporaryFolder(t), 'pid') };
    const ended = await bash(script, { tag, timeoutMs, graceMs: 100 }, { env });
    assert.equal(text(ended.stdout), 'started\n');
    await assertGone(tag);
  });
}

test('threat 43 control: without the search the daemon lives on', async (t) => {
  const tag = tagFor(t);
  const env = { PATH: '/usr/bin:/bin', MARK: path.join(temporaryFolder(t), 'pid') };
  await bash(DAEMON, { tag, endLeftovers: false }, { env });
  assert.equal(living(tag).length, 1);
});

test('a background process that closed its output is ended with the call', async (t) => {
  const tag = tagFor(t);
  await bash('sleep 60 >/dev/null 2>&1 & disown', { tag });
  await assertGone(tag);
});

test('a process that forks while it is hunted is hunted down', async (t) => {
  const tag = tagFor(t);
  const script =
    'hop() { for i in 1 2 3 4; do (sleep 0.02; setsid bash -c "$HOP" &) ; done; }; HOP="sleep 60"; export HOP; hop; sleep 60';
  await bash(script, { tag, timeoutMs: 500, graceMs: 50 });
  await assertGone(tag);
});

test('what a dead host left running is ended by its tag', async (t) => {
  const tag = tagFor(t);
  await bash('setsid sleep 60 >/dev/null 2>&1 & echo', { tag, endLeftovers: false });
  // While it is being exchanged for another program, a process shows no environment.
  for (let waited = 0; waited < 5000 && living(tag).length === 0; waited += 10) await sleep(10);
  assert.equal(living(tag).length, 1);
  await killTagged(tag);
  await assertGone(tag);
});

const FLOODS: [string, string, 'stdout' | 'stderr'][] = [
  ['one endless line', 'head -c 200000000 /dev/zero', 'stdout'],
  ['many lines', 'yes', 'stdout'],
  ['standard error', 'yes >&2', 'stderr'],
];

for (const [name, script, stream] of FLOODS) {
  test(`threat 45 blocked: ${name} ends at the cap`, async (t) => {
    const tag = tagFor(t);
    const before = process.memoryUsage().rss;
    const ended = await bash(script, { tag });
    assert.equal(ended.why, 'output-limit');
    assert.equal(ended[stream].length, 10 * 1024 * 1024);
    await assertGone(tag);
    assert.ok(process.memoryUsage().rss - before < 130 * 1024 * 1024);
  });
}

test('threat 45 blocked: a million tiny writes take little memory', async () => {
  const writes = count(1_000_000, 50_000);
  const script = `const { writeSync } = require('fs'); for (let i = 0; i < ${writes}; i++) writeSync(1, 'x')`;
  const before = process.memoryUsage().rss;
  const ended = await node(script);
  assert.equal(ended.stdout.length, writes);
  assert.ok(process.memoryUsage().rss - before < 130 * 1024 * 1024);
});

test('threat 45 control: without the cap everything is collected', async () => {
  const ended = await bash('head -c 20000000 /dev/zero', { outputLimit: Number.MAX_SAFE_INTEGER });
  assert.deepEqual([ended.why, ended.stdout.length], ['exit', 20_000_000]);
});

// Runs this folder's code in a process that was started with a canary on descriptor 200.
function readInherited(t: TestContext, load: string): Promise<Ended> {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, 'canary'), 'canary-of-the-host');
  const look =
    'for fd in /proc/self/fd/*; do case $fd in */[0-2]|*/255) ;; *) cat $fd 2>/dev/null;; esac; done; echo looked';
  const program = `
    import { changed } from ${JSON.stringify(path.join(repository, 'test/support/changed/changed-source.ts'))};
    const { runProcess } = await ${load};
    const launch = { file: '/bin/bash', args: ['-c', ${JSON.stringify(look)}], env: { PATH: '/usr/bin:/bin' }, cwd: '/',
      descriptors: [], tier: 'S0', notEnforced: [], endsTree: false, release() {} };
    const ended = await runProcess(launch, { timeoutMs: 60000 });
    process.stdout.write(ended.stdout);`;
  writeFileSync(path.join(folder, 'host.ts'), program);
  const host = `exec 9<canary 200<canary; exec ${process.execPath} host.ts`;
  return bash(host, {}, { cwd: folder });
}

test('threat 61 blocked: a descriptor the host inherited is not passed on', async (t) => {
  assert.equal(
    text((await readInherited(t, `import(${JSON.stringify(path.join(import.meta.dirname, 'run.ts'))})`)).stdout),
    'looked\n',
  );
});

test('threat 61 control: without the cover it is', async (t) => {
  const change = {
    file: 'src/process/child/descriptor.ts',
    from: 'if (hideInherited)',
    to: 'if (false)',
  };
  const load = `changed('src/process/run.ts', ${JSON.stringify(change)})`;
  assert.match(text((await readInherited(t, load)).stdout), /canary-of-the-host/);
});

const namedFiles = () =>
  ['/dev/shm', '/tmp'].flatMap((folder) => readdirSync(folder)).filter((name) => name.startsWith('.skillwright-'));

// Others may be between making and unnaming theirs, so only what stays is counted.
async function forgottenFiles(before: readonly string[]): Promise<string[]> {
  const first = new Set(namedFiles());
  await sleep(100);
  return namedFiles().filter((name) => first.has(name) && !before.includes(name));
}

test('many calls leave no descriptor, process, listener or file behind', async (t) => {
  const tag = tagFor(t);
  const { signal } = new AbortController();
  const state = () => ({
    descriptors: readdirSync('/proc/self/fd').length,
    resources: process.getActiveResourcesInfo().length,
    listeners: getEventListeners(signal, 'abort').length,
  });
  const descriptors = [Buffer.from('d')];
  const call = () => bash('cat >/dev/null; echo out; echo err >&2', { tag, stdin: 'x', signal }, { descriptors });
  const named = namedFiles();
  await call();
  await forgottenFiles(named);
  const before = state();
  for (let done = 0; done < count(1000, 50); done += 10) await Promise.all(Array.from({ length: 10 }, call));
  assert.deepEqual(await forgottenFiles(named), []);
  assert.deepEqual(state(), before);
  await assertGone(tag);
});
