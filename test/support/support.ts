// What tests share: counts, temporary folders, the outside data, and the command line as a real process.
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { removeTree } from '../../src/base/files.ts';
import { trustedFolder } from '../../src/registry/witness.ts';
import { type Change, changedProcess } from './changed/changed-source.ts';

export const repository = path.dirname(path.dirname(import.meta.dirname));

/** `npm test` runs the short count, `npm run test:long` the one that was promised. */
export function count(long: number, short: number): number {
  return isLong() ? long : short;
}

export function isLong(): boolean {
  return process.env.SKILLWRIGHT_LONG === '1';
}

/** Of random values: always new ones in the long run only, so that a short one fails for the change under test alone. */
export function randomSeed(): number {
  return Number(process.env.SKILLWRIGHT_SEED ?? count(Math.floor(Math.random() * 2 ** 31), 1));
}

/** A random folder that is gone after the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-test-'));
  t.after(() => removeTree(folder));
  return folder;
}

/** One on a file system whose change times are trusted, where this machine has such a place: tests run in memory. */
export function diskFolder(t: TestContext): string {
  const place = [tmpdir(), '/var/tmp', repository].find((folder) => trustedFolder(folder) && isWritable(folder));
  if (place === undefined) return temporaryFolder(t);
  const folder = mkdtempSync(path.join(place, '.skillwright-test-'));
  t.after(() => removeTree(folder));
  return folder;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folder of real data named by SKILLWRIGHT_DATA; without it a short run says "not run", a long run fails. */
export function dataFolder(t: TestContext): string | undefined {
  const folder = process.env.SKILLWRIGHT_DATA;
  if (folder) return folder;
  if (isLong()) throw new Error('SKILLWRIGHT_DATA must name the data folder for test:long');
  t.diagnostic('not run: SKILLWRIGHT_DATA is not set');
  return undefined;
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Record<string, string>;
  readonly input?: string;
  /** Run as this user; only root can. */
  readonly uid?: number;
  /** Words in front: a world to be entered first. */
  readonly through?: readonly string[];
  /** Lines of the source that are other ones in this process: the guard a control does without. */
  readonly change?: Change | readonly Change[];
}

/** What the whole test run has compiled already; a test file on its own leaves nothing behind. */
export function compiledCode(): Record<string, string> {
  const folder = process.env.NODE_COMPILE_CACHE;
  return folder ? { NODE_COMPILE_CACHE: folder } : { NODE_DISABLE_COMPILE_CACHE: '1' };
}

/** The command line to start: what a whole test run has bundled, or the sources, which alone can be changed. */
export function commandLine({ nodeArgs } = changedProcess()): string {
  const bundled = nodeArgs.length > 0 ? undefined : process.env.SKILLWRIGHT_TEST_CLI;
  return bundled ?? path.join(repository, 'src/bin.ts');
}

/** Runs the command line as a person would, with a clean environment. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CliResult>();
  const changes = changedProcess([options.change ?? []].flat());
  const words = [process.execPath, ...changes.nodeArgs, commandLine(changes), ...args];
  const [program = '', ...rest] = [...(options.through ?? []), ...words];
  const child = spawn(program, rest, {
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? '', HOME: options.home, ...compiledCode(), ...changes.env, ...options.env },
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.on('error', reject);
  child.on('close', (code) => resolve({ code, stdout, stderr }));
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return promise;
}
