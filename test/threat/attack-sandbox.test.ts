// What an attack review found in the sandbox, each as `blocked` and with a `control` that shows the attack has teeth.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AbsolutePath, absolutePath } from '../../src/base/value/absolute-path.ts';
import { failureOf } from '../../src/door/output/verdict.ts';
import { limitReached } from '../../src/process/limits.ts';
import type { Ended, Limits, Order } from '../../src/process/order.ts';
import { runProcess } from '../../src/process/run.ts';
import { findTrusted, type Ingredient } from '../../src/process/sandbox/host.ts';
import { findPlace } from '../../src/process/sandbox/linux/cgroup-place.ts';
import { openSandbox } from '../../src/process/sandbox/sandbox.ts';
import { type Change, changed } from '../support/changed/changed-source.ts';
import { makeProject, skillFiles } from '../support/door-support.ts';
import { runCli, temporaryFolder } from '../support/support.ts';
import {
  HIDDEN_FOR,
  type Level,
  openLevel,
  orderOf,
  type SandboxPlace as Place,
  runOrder as run,
  testAsOrdinaryUser,
  trimmed as text,
  workIn,
} from '../support/world/sandbox-support.ts';

const WITH_LAUNCHER: readonly Level[] = ['S3', 'S2', 'S1', 'S0'];
const FAKE = 'echo "sandbox: exec: faked" >&2; exit 125';
const isRoot = process.geteuid?.() === 0;

for (const level of WITH_LAUNCHER) {
  test(`threat 61 blocked: at ${level} no program answers for the launcher`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const ended = await run(place.sandbox, sh(place.folder, FAKE));
    assert.deepEqual([ended.exit, ended.unstarted], [125, undefined]);
    assert.doesNotMatch(failureOf(ended).hint.en, /Nothing of the skill ran/);
  });

  test(`threat 61 control: at ${level} a program that cannot be started is said not to have run`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const ended = await run(place.sandbox, orderOf({ argv: ['/no/such/program'], work: workIn(place.folder) }));
    assert.match(ended.unstarted ?? '', /no such program|No such file/i);
    assert.match(failureOf(ended).hint.en, /Nothing of the skill ran/);
  });

  test(`threat 39 blocked: at ${level} output goes through pipes, which tell no addresses and can be opened again`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const kinds = 'test -p /dev/stdout && test -p /dev/stderr && echo again >/dev/stdout && echo pipes';
    const order = sh(place.folder, kinds);
    const ended = await runPiped(place, order);
    assert.equal(text(ended.stdout), 'again\npipes', text(ended.stderr));
    assert.deepEqual(readdirSync(order.view.work), []);
  });

  test(`${level}: long output through pipes arrives whole, is cut at its limit, and many calls at once do not mix`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const count = 200_000;
    const whole = await runPiped(place, sh(place.folder, `seq ${count}; seq ${count} >&2`));
    const expected = Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('');
    assert.ok(Buffer.from(whole.stdout).toString() === expected && Buffer.from(whole.stderr).toString() === expected);
    const cut = await runPiped(place, sh(place.folder, 'while :; do echo 0123456789; done'), { outputLimit: 100_000 });
    assert.deepEqual([cut.why, cut.stdout.length], ['output-limit', 100_000]);
    const words = Array.from({ length: 8 }, (_, index) => `call-${index}`);
    const said = await Promise.all(words.map((word) => runPiped(place, sh(place.folder, `echo ${word}`))));
    assert.deepEqual(
      said.map(({ stdout }) => text(stdout)),
      words,
    );
  });
}

test('threat 39 control: without a stock of pipes it is a socket, which is no pipe and cannot be opened again', async (t) => {
  const place = await open(t, 'S0');
  if (!place) return;
  const ended = await run(
    place.sandbox,
    sh(place.folder, 'test -S /dev/stdout && ! echo again 2>/dev/null >/dev/stdout'),
  );
  assert.equal(ended.exit, 0, text(ended.stderr));
});

test('threat 61 blocked: on the command line a script that talks like the launcher is a script that failed', async (t) => {
  const files = skillFiles('liar', 'name: liar\ndescription: Lies.\ncommand: sh lie.sh', {
    'lie.sh': `echo out\n${FAKE}\n`,
  });
  const home = temporaryFolder(t);
  const { stdout } = await runCli(['invoke', '@liar', '--yes', '--json'], { cwd: makeProject(t, files), home });
  const { data } = JSON.parse(stdout);
  assert.equal(data.type, 'RuntimeFailed', stdout);
  assert.doesNotMatch(stdout, /Nothing of the skill ran/);
});

for (const level of ['S3', 'S2', 'S1'] as const) {
  test(`threat 77 blocked: at ${level} a local socket of the host that lies in the project cannot be reached`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const { said, seen } = await reachSocket(t, place);
    assert.match(said, level === 'S1' ? /not permitted/i : /refused/i);
    assert.equal(seen, 0);
  });
}

test('threat 77 control: without isolation the same socket answers', async (t) => {
  const place = await open(t, 'S0');
  if (place) assert.deepEqual(await reachSocket(t, place), { said: 'reached', seen: 1 });
});

const SEAL = 'src/process/sandbox/linux/seal.ts';
// The probe would see it, and take the tier for one that cannot seal.
const MISLED = { file: 'src/process/sandbox/probe.ts', from: "said === 'holds'", to: "said !== ''" };

test('threat 77 control: at S3 in a folder that is not sealed it answers, too', async (t) => {
  const from = 'return outer.length > 0 && holdMounts(outer) ? undefined : outer;';
  const place = await openChanged(t, { file: SEAL, from, to: 'return outer.slice(outer.length);' }, MISLED);
  if (place) assert.deepEqual(await reachSocket(t, place), { said: 'reached', seen: 1 });
});

test('threat 77 blocked: at S3 where a folder cannot be sealed, whether or not the probe saw that, nothing is connected to', async (t) => {
  const lost = { file: SEAL, from: '=> `folder=', to: '=> `folder=/no-such' };
  for (const changes of [[lost], [lost, MISLED]]) {
    const place = await openChanged(t, ...changes);
    if (!place) return;
    const { said, seen } = await reachSocket(t, place);
    assert.match(said, /not permitted/i);
    assert.equal(seen, 0);
  }
});

test('at S3 a program may listen on a local socket of its own where a folder of the user is written in place, and connect to none', async (t) => {
  const place = await open(t, 'S3');
  const python = findTrusted('python3');
  if (!place || !python) return;
  const project = absolutePath(path.join(place.folder, 'project'));
  mkdirSync(project);
  const code = `import socket
s = socket.socket(socket.AF_UNIX); s.bind("/tmp/own"); s.listen(); print("listens")
try: socket.socket(socket.AF_UNIX).connect("/tmp/own")
except PermissionError: print("refused")`;
  const work = workIn(place.folder);
  const view = { work, readOnly: [], writable: [], project: { folder: project, hide: [], writable: true } };
  const ended = await run(place.sandbox, orderOf({ argv: [python, '-c', code], work }, { view }));
  assert.equal(text(ended.stdout), 'listens\nrefused', text(ended.stderr));
});

// Each resource by means that no limit of one process counts; see attack-probe.pl for these and three more.
const HOLDS = {
  'shared memory':
    'import mmap; m = mmap.mmap(-1, 300 << 20); [m.write(b"x" * (1 << 20)) for _ in range(300)]; print("held")',
};

for (const level of WITH_LAUNCHER) {
  test(`threat 98 blocked: at ${level} memory of a whole call is bounded by a cgroup, and the end has a name`, async (t) => {
    const place = await open(t, level);
    if (!place || !bounded(t)) return;
    const ended = await hold(place, HOLDS['shared memory']);
    assert.equal(text(ended.stdout), '');
    assert.equal(limitReached(ended), 'LIMIT_MEMORY');
    assert.match(failureOf(ended).hint.en, /memory/);
  });

  test(`threat 98 control: at ${level} the same goes on without a cgroup, and that is declared`, async (t) => {
    const place = await open(t, level, ['cgroup']);
    if (!place) return;
    assert.ok(place.sandbox.notEnforced.includes('memory-per-process'));
    assert.equal(text((await hold(place, HOLDS['shared memory'])).stdout), 'held');
  });
}

test('threat 41 blocked: as root in a project only root may enter, the process limit holds, and doctor knows', async (t) => {
  const place = await open(t, 'S3');
  if (!place || !isRoot || !bounded(t)) return;
  const project = closedProject(place.folder);
  assert.ok((await countForks(place, project)) < 128);
  assert.ok(!place.sandbox.openIn(project).includes('no-process-limit'));
});

test('threat 41 control: without a cgroup it does not, and doctor says so for this project only', async (t) => {
  const place = await open(t, 'S3', ['cgroup']);
  if (!place || !isRoot) return;
  const project = closedProject(place.folder);
  assert.equal(await countForks(place, project), 400);
  assert.ok(place.sandbox.openIn(project).includes('no-process-limit'));
  chmodSync(project, 0o755);
  assert.ok(!place.sandbox.openIn(project).includes('no-process-limit'));
});

test('threat 44 blocked: what a killed host leaves of its cgroups is taken away by the next one, with all that runs in it', async (t) => {
  const place = await open(t, 'S0');
  if (!place || !bounded(t)) return;
  const work = workIn(place.folder);
  const script = 'setsid sh -c "while :; do echo . >>heartbeat; sleep 0.05; done" & sleep 60';
  const file = path.join(import.meta.dirname, '../support/world/sandbox-host.ts');
  const host = spawn(process.execPath, [file, 'S0', path.join(place.folder, 'host'), work, script], {
    stdio: 'ignore',
  });
  await until(() => existsSync(path.join(work, 'heartbeat')));
  assert.ok(groupsOf(host.pid).length > 0);
  host.kill('SIGKILL');
  await until(() => !existsSync(`/proc/${host.pid}`));
  await openSandbox({ cacheFolder: path.join(place.folder, 'S0'), without: HIDDEN_FOR.S0 });
  await until(() => {
    void openSandbox({ cacheFolder: path.join(place.folder, 'S0'), without: HIDDEN_FOR.S0 });
    return groupsOf(host.pid).length === 0;
  });
  const size = readFileSync(path.join(work, 'heartbeat')).length;
  await sleep(200);
  assert.equal(readFileSync(path.join(work, 'heartbeat')).length, size);
});

test('a call leaves no cgroup behind', async (t) => {
  const place = await open(t, 'S3');
  if (!place || !bounded(t)) return;
  await Promise.all(['true', 'exit 3', 'kill -9 $$'].map((script) => run(place.sandbox, sh(place.folder, script))));
  await run(place.sandbox, sh(place.folder, 'true'));
  assert.deepEqual(groupsOf(process.pid), []);
});

test('where cgroups can be made is read from what the kernel says', (t) => {
  const folder = temporaryFolder(t);
  const mounts = (root: string) => `36 31 0:33 ${root} ${folder} rw - cgroup2 cgroup2 rw`;
  const group = (name: string, handed: string) => {
    mkdirSync(path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, name, 'cgroup.procs'), '');
    writeFileSync(path.join(folder, name, 'cgroup.subtree_control'), handed);
  };
  group('app.slice', 'memory pids');
  group('app.slice/own', 'memory pids');
  const at = (name: string) => path.join(folder, name);
  const both = (place: string) => ({ version: 2, memory: at(place), tasks: at(place) });
  assert.deepEqual(findPlace({ own: '0::/app.slice/own\n', mounts: mounts('/') }), both('app.slice/own'));
  assert.deepEqual(findPlace({ own: '0::/box/app.slice/own\n', mounts: mounts('/box') }), both('app.slice/own'));
  const first = `5 1 0:3 / ${folder} rw - cgroup cgroup rw,memory\n6 1 0:4 / /no/such rw - cgroup cgroup rw,pids`;
  const own = '8:pids:/\n4:memory:/app.slice\n0::/\n';
  assert.deepEqual(findPlace({ own, mounts: first }), { version: 1, memory: at('app.slice') });
  assert.equal(findPlace({ own: '0::/\n', mounts: '' }), undefined);
});

testAsOrdinaryUser(import.meta.filename);

async function open(t: TestContext, level: Level, without: readonly Ingredient[] = []): Promise<Place | undefined> {
  const place = await openLevel(t, level);
  if (!place) return undefined;
  const { folder } = place;
  const cacheFolder = path.join(folder, 'again');
  return { folder, sandbox: await openSandbox({ cacheFolder, without: [...HIDDEN_FOR[level], ...without] }) };
}

/** S3 with other lines in its source. */
async function openChanged(t: TestContext, ...changes: Change[]): Promise<Place | undefined> {
  const place = await openLevel(t, 'S3');
  if (!place) return undefined;
  const entry = 'src/process/sandbox/sandbox.ts';
  const { openSandbox: openOther } = await changed<typeof import('../../src/process/sandbox/sandbox.ts')>(
    entry,
    ...changes,
  );
  return { folder: place.folder, sandbox: await openOther({ cacheFolder: path.join(place.folder, 'changed') }) };
}

/** Only where this process may make a cgroup; elsewhere the control shows what is declared. */
function bounded(t: TestContext): boolean {
  const place = findPlace();
  if (place?.memory !== undefined && place.tasks !== undefined) return true;
  t.skip('no cgroup can be made here');
  return false;
}

function sh(folder: string, script: string): Order {
  return orderOf({ argv: ['/bin/sh', '-c', script], work: workIn(folder), timeoutMs: 30_000 });
}

function runPiped({ sandbox, folder }: Place, order: Order, options: { outputLimit?: number } = {}): Promise<Ended> {
  const inputFolder = order.view.work;
  const pipes = path.join(folder, 'pipes');
  return runProcess(sandbox.prepare(order), { timeoutMs: order.timeoutMs, inputFolder, pipes, ...options });
}

function hold({ sandbox, folder }: Place, script: string): Promise<Ended> {
  const limits: Limits = { memoryBytes: 200 << 20, processes: 64, fileBytes: 1 << 20, openFiles: 64, cpuSeconds: 20 };
  const argv = [findTrusted('python3') ?? '', '-c', script];
  return run(sandbox, orderOf({ argv, work: workIn(folder), timeoutMs: 30_000 }, { limits }));
}

async function reachSocket(t: TestContext, { sandbox, folder }: Place): Promise<{ said: string; seen: number }> {
  const project = absolutePath(path.join(folder, 'project'));
  mkdirSync(project);
  let seen = 0;
  const server = createServer((socket) => {
    seen++;
    socket.end();
  }).listen(path.join(project, 's'));
  t.after(() => server.close());
  await once(server, 'listening');
  chmodSync(path.join(project, 's'), 0o777);
  const code = 'my $s; socket($s, 1, 1, 0) && connect($s, pack "Sa*", 1, "s\\0") and print("reached") or print $!';
  const work = workIn(folder);
  const view = { work, readOnly: [], writable: [], project: { folder: project, hide: [], writable: false } };
  const order = orderOf({ argv: [findTrusted('perl') ?? '', '-e', code], work }, { view, cwd: project });
  return { said: text((await run(sandbox, order)).stdout), seen };
}

function closedProject(folder: string): AbsolutePath {
  const project = absolutePath(path.join(folder, 'project'));
  mkdirSync(project, { mode: 0o700 });
  return project;
}

async function countForks({ sandbox, folder }: Place, project: AbsolutePath): Promise<number> {
  const code =
    'my $n = 0; while ($n < 400 && defined(my $c = fork)) { $c or (sleep(20), exit); $n++ } print $n; kill 9, -getpgrp';
  const limits: Limits = { memoryBytes: 1 << 30, processes: 128, fileBytes: 1 << 20, openFiles: 64, cpuSeconds: 20 };
  const work = workIn(folder);
  const view = { work, readOnly: [], writable: [], project: { folder: project, hide: [], writable: false } };
  const argv = [findTrusted('perl') ?? '', '-e', `$| = 1; ${code}`];
  const ended = await run(sandbox, orderOf({ argv, work, timeoutMs: 30_000 }, { limits, view }));
  return Number(text(ended.stdout));
}

function groupsOf(pid: number | undefined): string[] {
  const { memory, tasks } = findPlace() ?? {};
  const folders = [...new Set([memory, tasks])].flatMap((folder) => (folder === undefined ? [] : readdirSync(folder)));
  return folders.filter((name) => new RegExp(`^skillwright-[0-9a-f]+-${pid}-`).test(name));
}

async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 500; round++) {
    if (holds()) return;
    await sleep(20);
  }
  throw new Error('waited in vain');
}
