// What the sandbox tests share: each tier on one machine, orders, and the same test as an ordinary user.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AbsolutePath, absolutePath } from '../../../src/base/value/absolute-path.ts';
import { defaultLimits } from '../../../src/process/limits.ts';
import type { Ended, Order, Tier } from '../../../src/process/order.ts';
import { runProcess } from '../../../src/process/run.ts';
import { findTrusted, type Ingredient } from '../../../src/process/sandbox/host.ts';
import { openSandbox, type Sandbox } from '../../../src/process/sandbox/sandbox.ts';
import { compiledCode, isLong, repository, temporaryFolder } from '../support.ts';

export const ORDINARY_USER = 12345;

/** What to hide so that a machine with everything shows each tier; `bare` has not even limits. */
export const HIDDEN_FOR = {
  S3: [],
  S2: ['bubblewrap'],
  S1: ['bubblewrap', 'userns'],
  S0: ['bubblewrap', 'landlock'],
  bare: ['perl'],
} as const satisfies Record<string, readonly Ingredient[]>;

export type Level = keyof typeof HIDDEN_FOR;

export interface SandboxPlace {
  readonly sandbox: Sandbox;
  /** Others may enter it: as root, calls run as another user. */
  readonly folder: string;
}

/** The sandbox of that level with a folder of its own, or undefined where this machine has none. */
export async function openLevel(t: TestContext, level: Level): Promise<SandboxPlace | undefined> {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  const sandbox = await sandboxAt(level, folder, t);
  return sandbox && { sandbox, folder };
}

export function runOrder(sandbox: Sandbox, order: Order): Promise<Ended> {
  return runProcess(sandbox.prepare(order), { timeoutMs: order.timeoutMs });
}

export function trimmed(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString().trim();
}

/** The sandbox of that level, or undefined after saying that this machine has none; a long run fails instead. */
export async function sandboxAt(level: Level, cacheFolder: string, t: TestContext): Promise<Sandbox | undefined> {
  const sandbox = await openSandbox({ cacheFolder: path.join(cacheFolder, level), without: HIDDEN_FOR[level] });
  const wanted: Tier = level === 'bare' ? 'S0' : level;
  if (sandbox.tier === wanted) return sandbox;
  return missing(t, `tier ${wanted} does not hold here: ${JSON.stringify(sandbox.failed)}`);
}

export function missing(t: TestContext, why: string): undefined {
  if (isLong()) throw new Error(why);
  t.skip(why);
  return undefined;
}

export function needsPerl(t: TestContext): boolean {
  if (findTrusted('perl')) return true;
  missing(t, 'perl is not installed');
  return false;
}

export interface Wanted {
  readonly argv: readonly string[];
  readonly work: string;
  readonly timeoutMs?: number;
}

export function orderOf({ argv, work, timeoutMs = 10_000 }: Wanted, change: Partial<Order> = {}): Order {
  return {
    argv,
    cwd: work,
    env: { PATH: '/usr/bin:/bin', HOME: work, TMPDIR: work },
    view: { work: absolutePath(work), readOnly: [], writable: [] },
    network: 'none',
    limits: defaultLimits(timeoutMs),
    timeoutMs,
    ...change,
  };
}

export function workIn(folder: string): AbsolutePath {
  return absolutePath(mkdtempSync(path.join(folder, 'work-')));
}

/** All tests of a file once more, without any power. */
export function testAsOrdinaryUser(file: string): void {
  test('the same holds for an ordinary user', async (t) => {
    const ended = await asOrdinaryUser(t, file);
    if (ended) assert.equal(ended.code, 0, ended.text);
  });
}

/** Runs a test file again as a user without any power; undefined where we are none to do that. */
export function asOrdinaryUser(
  t: TestContext,
  file: string,
  options: readonly string[] = [],
): Promise<{ code: number | null; text: string }> | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  if (!isReadableByAll(repository)) return missing(t, 'the repository is not readable by other users');
  const folder = mkdtempSync(path.join(tmpdir(), 'user-'));
  mkdirSync(path.join(folder, 'home'));
  for (const place of [folder, path.join(folder, 'home')]) chownSync(place, ORDINARY_USER, ORDINARY_USER);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return runTests([...options, file], folder);
}

function runTests(words: readonly string[], folder: string): Promise<{ code: number | null; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null; text: string }>();
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', ...words], {
    cwd: folder,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: path.join(folder, 'home'),
      TMPDIR: folder,
      SKILLWRIGHT_LONG: process.env.SKILLWRIGHT_LONG ?? '',
      ...compiledCode(),
    },
    uid: ORDINARY_USER,
    gid: ORDINARY_USER,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  child.on('error', reject);
  child.on('close', (code) => resolve({ code, text }));
  return promise;
}

// Every folder on the way must let others through; as root, only the mode bits can tell.
export function isReadableByAll(folder: string): boolean {
  for (let current = folder; ; current = path.dirname(current)) {
    if ((statSync(current).mode & 0o001) === 0) return false;
    if (current === '/') return true;
  }
}
