// Runs tests of one file in a tree, by their names, in a process group that ends with them or at the time limit.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Ended } from './reporter.ts';
import type { Tree } from './tree.ts';

export interface TestRun {
  readonly ended: readonly Ended[];
  readonly isTimedOut: boolean;
  readonly seconds: number;
  /** What the runner itself had to say. */
  readonly stderr: string;
}

export interface TestOrder {
  readonly file: string;
  readonly patterns: readonly string[];
  readonly limitMs: number;
}

const REPORTER = fileURLToPath(new URL('./reporter.ts', import.meta.url));
/** Of the process that asks, and wrong in a tree: a bundle of unchanged sources, places and counts of another run. */
const NOT_INHERITED = ['SKILLWRIGHT_TEST_CLI', 'SKILLWRIGHT_TEST_PLACES', 'SKILLWRIGHT_LONG', 'NODE_TEST_CONTEXT'];
const groups = new Set<number>();
process.on('exit', () => groups.forEach(endGroup));

export async function runTests(tree: Tree, { file, patterns, limitMs }: TestOrder): Promise<TestRun> {
  const startedAt = performance.now();
  const names = patterns.map((pattern) => `--test-name-pattern=/${pattern}/`);
  const child = spawn(process.execPath, ['--test', `--test-reporter=${REPORTER}`, ...names, file], {
    cwd: tree.root,
    env: { ...inherited(), TMPDIR: tree.scratch, NODE_COMPILE_CACHE: tree.cache, NODE_EXTRA_CA_CERTS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const group = child.pid ?? 0;
  groups.add(group);
  let isTimedOut = false;
  const limit = setTimeout(() => {
    isTimedOut = true;
    endGroup(group);
  }, limitMs);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  clearTimeout(limit);
  endGroup(group);
  groups.delete(group);
  return { ended: readEnded(stdout), isTimedOut, seconds: (performance.now() - startedAt) / 1000, stderr };
}

function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_INHERITED.includes(name)));
}

/** A killed runner may have cut its last line. */
function readEnded(stdout: string): Ended[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  return lines.map((line) => JSON.parse(line) as Ended);
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
