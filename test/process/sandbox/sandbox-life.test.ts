// From start to end at every tier: exit codes, the polite end, the killed host, limits of one call, secrets on the way.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultLimits, limitReached } from '../../../src/process/limits.ts';
import type { Order } from '../../../src/process/order.ts';
import { runProcess } from '../../../src/process/run.ts';
import { findTrusted } from '../../../src/process/sandbox/host.ts';
import { LAUNCHER_FILE } from '../../../src/process/sandbox/linux/launcher.ts';
import { temporaryFolder } from '../../support/support.ts';
import {
  type Level,
  openLevel as open,
  orderOf,
  runOrder as run,
  testAsOrdinaryUser,
  trimmed as text,
  workIn,
} from '../../support/world/sandbox-support.ts';

const LEVELS: readonly Level[] = ['S3', 'S2', 'S1', 'S0'];
const HEARTBEAT = 'while :; do echo . >>heartbeat; sleep 0.05; done';

for (const level of LEVELS) {
  test(`${level}: exit codes and output arrive as they were`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const ended = await run(place.sandbox, sh(place.folder, 'echo out; echo err >&2; exit 7'));
    assert.deepEqual([ended.exit, text(ended.stdout), text(ended.stderr)], [7, 'out', 'err']);
    const killed = await run(place.sandbox, sh(place.folder, 'kill -ABRT $$'));
    assert.ok(killed.exit === 134 || killed.signal === 'SIGABRT');
    const missing = await run(place.sandbox, orderOf({ argv: ['/no/such/program'], work: workIn(place.folder) }));
    assert.deepEqual([missing.exit, /no such file/i.test(text(missing.stderr))], [125, true]);
  });

  test(`${level}: a script that is asked to end may tidy up first`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const order = sh(place.folder, `trap 'echo tidy >tidied; exit 0' TERM; touch ready; ${HEARTBEAT}`);
    const stop = new AbortController();
    const running = runProcess(place.sandbox.prepare(order), { timeoutMs: 20_000, signal: stop.signal });
    await until(() => existsSync(path.join(order.view.work, 'ready')));
    stop.abort();
    assert.equal((await running).why, 'aborted');
    assert.ok(existsSync(path.join(order.view.work, 'tidied')));
  });

  test(`threat 44 blocked: at ${level} nothing runs on when the host is killed`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    assert.equal(await outlivesHost(level, place.folder), false);
  });

  test(`threat 36 blocked: at ${level} a secret is in the script's environment and on no command line`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const secret = `secret-${process.pid}-${level}-value`;
    const order = sh(place.folder, 'echo "$TOKEN" >ready; sleep 0.3; echo "$TOKEN"');
    const running = run(place.sandbox, { ...order, env: { ...order.env, TOKEN: secret } });
    await until(() => existsSync(path.join(order.view.work, 'ready')));
    const seen = commandLines().filter((line) => line.includes(secret));
    assert.equal(text((await running).stdout), secret);
    assert.deepEqual(seen, []);
  });

  test(`threat 42 blocked: at ${level} each exhausted resource has its name`, async (t) => {
    const place = await open(t, level);
    const perl = findTrusted('perl');
    if (!place || !perl) return;
    const ends = async (code: string) =>
      limitReached(await run(place.sandbox, small(place.folder, [perl, '-e', code])));
    assert.equal(
      await ends('open F, ">", "large"; seek F, 1 << 40, 0; print F "x"; close F or die $!'),
      'LIMIT_FILE_SIZE',
    );
    assert.equal(await ends('push @f, $_ while open $_ = undef, "<", "/dev/null"; die $!'), 'LIMIT_OPEN_FILES');
    assert.equal(await ends('1 while 1'), 'LIMIT_CPU');
    assert.equal(await ends('$x = "x" x (1 << 30)'), 'LIMIT_MEMORY');
  });

  test(`${level}: a call may open 1,024 files, or fewer where Skillwright itself may`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    assert.equal(text((await run(place.sandbox, sh(place.folder, 'ulimit -n; ulimit -Hn'))).stdout), '1024\n1024');
    assert.equal(filesBelow(300, level, place.folder), '300\n300\n');
  });
}

test('a step the launcher does not know, or a call without a number, starts nothing', async (t) => {
  const perl = findTrusted('perl');
  if (!perl) return;
  const work = temporaryFolder(t);
  const program = ['--', '/bin/sh', '-c', 'echo ran'];
  const calls = 'close_range=436';
  for (const args of [
    [calls, 'fliter=00', ...program],
    ['prctl=157', 'cwd=/', ...program],
    [calls, 'cwd=/', '--'],
  ]) {
    const launch = { file: perl, args: [LAUNCHER_FILE, ...args], env: {}, cwd: work, descriptors: [] };
    const rest = { tier: 'S0', notEnforced: [], endsTree: false, release: () => {} } as const;
    const ended = await runProcess({ ...launch, ...rest }, { timeoutMs: 5000 });
    assert.deepEqual([ended.exit, text(ended.stdout)], [125, '']);
  }
});

test('threat 44 control: with no launcher the process goes on', async (t) => {
  const place = await open(t, 'bare');
  if (place) assert.equal(await outlivesHost('bare', place.folder), true);
});

test('threat 36 control: the same look finds a secret that is given as an argument', async (t) => {
  const place = await open(t, 'S0');
  if (!place) return;
  const secret = `secret-${process.pid}-argument`;
  const order = sh(place.folder, 'touch ready; sleep 0.3', secret);
  const running = run(place.sandbox, order);
  await until(() => existsSync(path.join(order.view.work, 'ready')));
  const seen = commandLines().filter((line) => line.includes(secret));
  await running;
  assert.ok(seen.length > 0);
});

test('threat 42 control: without limits the same scripts use what they like', async (t) => {
  const place = await open(t, 'bare');
  const perl = findTrusted('perl');
  if (!place || !perl) return;
  const code = 'open F, ">", "large"; seek F, 1 << 31, 0; print F "x"; close F or die $!; print -s "large"';
  const ended = await run(place.sandbox, small(place.folder, [perl, '-e', code]));
  assert.equal(text(ended.stdout), String(2 ** 31 + 1));
});

test('threat 41 blocked: the process limit is counted for each sandbox alone', async (t) => {
  const place = await open(t, 'S3');
  const perl = findTrusted('perl');
  if (!place || !perl) return;
  const code = '$| = 1; $n++ while defined($c = fork) && ($c or (sleep(20), exit)); print $n; sleep 1';
  const limits = { ...defaultLimits(10_000), processes: 128 };
  const bomb = () => run(place.sandbox, orderOf({ argv: [perl, '-e', code], work: workIn(place.folder) }, { limits }));
  for (const ended of await Promise.all([bomb(), bomb(), bomb()])) {
    const forks = Number(text(ended.stdout));
    assert.ok(forks > 100 && forks <= 128, `${forks} forks: ${text(ended.stderr)}`);
  }
});

testAsOrdinaryUser(import.meta.filename);

function sh(folder: string, script: string, ...args: string[]): Order {
  return orderOf({ argv: ['/bin/sh', '-c', script, 'sh', ...args], work: workIn(folder) });
}

function small(folder: string, argv: string[]): Order {
  const limits = { memoryBytes: 128 << 20, processes: 64, fileBytes: 1 << 20, openFiles: 64, cpuSeconds: 1 };
  return orderOf({ argv, work: workIn(folder), timeoutMs: 60_000 }, { limits });
}

/** The limits a call finds whose host may open only so many files. */
function filesBelow(most: number, level: Level, folder: string): string {
  const work = workIn(folder);
  const host = [
    path.join(import.meta.dirname, '../../support/world/sandbox-host.ts'),
    level,
    path.join(folder, level),
    work,
  ];
  const script = '(ulimit -n; ulimit -Hn) >files';
  const words = ['-c', `ulimit -n ${most}; exec "$@"`, 'sh', process.execPath, ...host, script];
  assert.equal(spawnSync('/bin/sh', words, { encoding: 'utf8' }).stderr, '');
  return readFileSync(path.join(work, 'files'), 'utf8');
}

/** Kills a host in the middle of a call and looks whether the script's heart still beats. */
async function outlivesHost(level: Level, folder: string): Promise<boolean> {
  const work = workIn(folder);
  const script = HEARTBEAT.replace('while :', 'i=0; while i=$((i + 1)); [ $i -lt 60 ]');
  const host = spawn(
    process.execPath,
    [
      path.join(import.meta.dirname, '../../support/world/sandbox-host.ts'),
      level,
      path.join(folder, level),
      work,
      script,
    ],
    { stdio: 'ignore' },
  );
  const heartbeat = path.join(work, 'heartbeat');
  await until(() => existsSync(heartbeat));
  host.kill('SIGKILL');
  await sleep(200);
  const before = statSync(heartbeat).size;
  await sleep(300);
  return statSync(heartbeat).size > before;
}

function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      } catch {
        return '';
      }
    });
}

async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 1000; round++) {
    if (holds()) return;
    await sleep(10);
  }
  throw new Error('waited in vain');
}
