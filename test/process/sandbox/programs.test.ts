// Programs of everyday skills inside the sandbox as outside: same job, same output, same exit code, at the best tier.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { absolutePath } from '../../../src/base/value/absolute-path.ts';
import { runProcess } from '../../../src/process/run.ts';
import { findTrusted } from '../../../src/process/sandbox/host.ts';
import { isLong, temporaryFolder } from '../../support/support.ts';
import { asOrdinaryUser, missing, orderOf, sandboxAt, workIn } from '../../support/world/sandbox-support.ts';
import { JOBS, type Job } from './programs.ts';

const TIMEOUT_MS = 120_000;
const bash = findTrusted('bash') ?? '/bin/bash';
const isRoot = process.geteuid?.() === 0;

// A few seconds in a short run; the long one takes what it needs.
const QUICK = [
  'git',
  'jq',
  'make',
  'tar',
  'sqlite3',
  'multiprocessing',
  'reserved addresses',
  'node worker threads',
  'node child processes',
];

test('the programs are there', { timeout: 1_800_000 }, (t) => {
  const absent = [...new Set(JOBS.filter(({ program }) => findTrusted(program) === undefined).map(({ apt }) => apt))];
  if (absent.length === 0 || !isLong() || !isRoot || !findTrusted('apt-get'))
    return t.diagnostic(absent.length === 0 ? 'all of them' : `not here: ${absent.join(' ')}`);
  const modules = JOBS.map(({ apt }) => apt).filter((name) => name.startsWith('python3-'));
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const args = ['install', '-y', '--no-install-recommends', ...absent.filter((name) => name !== 'nodejs'), ...modules];
  const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(status, 0, stderr);
});

for (const job of JOBS) {
  test(`${job.name}: inside as outside`, { timeout: 2 * TIMEOUT_MS }, async (t) => {
    if (!isLong() && !QUICK.includes(job.name)) return t.diagnostic('not run: in the long run only');
    const folder = temporaryFolder(t);
    chmodSync(folder, 0o755);
    const outside = runOutside(job, folder);
    if (outside.status !== 0) return missing(t, `does not work outside either: ${outside.stderr.slice(0, 300)}`);
    const sandbox = await sandboxAt('S3', folder, t);
    if (!sandbox) return;
    const work = workIn(folder);
    const launch = sandbox.prepare(
      orderOf(
        { argv: [bash, '-c', job.script], work, timeoutMs: TIMEOUT_MS },
        { env: envOf(work), view: { work, readOnly: [absolutePath(process.execPath)], writable: [] } },
      ),
    );
    const pipes = path.join(folder, 'pipes');
    const ended = await runProcess(launch, { timeoutMs: TIMEOUT_MS, inputFolder: work, pipes });
    const [stdout, stderr] = [ended.stdout, ended.stderr].map((bytes) => Buffer.from(bytes).toString());
    assert.deepEqual({ exit: ended.exit, stdout }, { exit: 0, stdout: outside.stdout }, stderr);
  });
}

test('the same holds for an ordinary user', { timeout: 3_600_000 }, async (t) => {
  const ended = await asOrdinaryUser(t, import.meta.filename);
  if (ended) assert.equal(ended.code, 0, ended.text);
});

function runOutside({ script, program }: Job, folder: string) {
  if (program !== 'node' && findTrusted(program) === undefined)
    return { status: null, stdout: '', stderr: `${program} is not installed` };
  const work = path.join(folder, 'outside');
  mkdirSync(work);
  // Through a pipe, as inside.
  return spawnSync(bash, ['-c', 'set -o pipefail; "$0" -c "$1" | cat', bash, script], {
    cwd: work,
    env: envOf(work),
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
}

function envOf(work: string): Record<string, string> {
  return { PATH: '/usr/bin:/bin', HOME: work, TMPDIR: work, LANG: 'C.UTF-8', NODE: process.execPath };
}
