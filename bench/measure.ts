// Side-by-side measurement: every round runs every command once, so that noise hits all of them alike.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Contestant {
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs before each round, not timed. */
  readonly before?: () => void;
  /** What the output must satisfy for the time to count. */
  readonly accept?: (stdout: string) => boolean;
  /** Exit codes that count as success. */
  readonly codes?: readonly number[];
}

export interface Measured {
  readonly name: string;
  readonly median: number;
  readonly min: number;
  /** Mean processor time of all its threads: steadier than the clock on a busy machine. */
  readonly cpu?: number;
  readonly peakMb?: number;
}

interface Spent {
  readonly wall: number;
  readonly cpu: number;
}

export function measure(contestants: readonly Contestant[], rounds: number): Map<string, Measured> {
  const runs = new Map<string, Spent[]>(contestants.map(({ name }) => [name, []]));
  for (const contestant of contestants) runOnce(contestant);
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) runs.get(contestant.name)?.push(runOnce(contestant));
  }
  return new Map(
    contestants.map((contestant) => {
      const { name } = contestant;
      const spent = runs.get(name) ?? [];
      const walls = spent.map(({ wall }) => wall);
      const cpu = spent.reduce((sum, run) => sum + run.cpu, 0) / spent.length;
      return [name, { name, median: median(walls), min: Math.min(...walls), cpu, peakMb: peakMemory(contestant) }];
    }),
  );
}

// Output goes to a file: some peers exit before a pipe has taken all of it.
function runOnce(contestant: Contestant, nodeFlags: readonly string[] = [], extra: Record<string, string> = {}): Spent {
  contestant.before?.();
  const output = path.join(tmpdir(), `skillwright-out-${process.pid}`);
  const descriptor = openSync(output, 'w+');
  try {
    const cpuBefore = childrenCpu();
    const startedAt = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [...nodeFlags, ...contestant.argv], {
      cwd: contestant.cwd,
      stdio: ['ignore', descriptor, 'pipe'],
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: contestant.home, NO_COLOR: '1', ...contestant.env, ...extra },
    });
    const spent = { wall: performance.now() - startedAt, cpu: childrenCpu() - cpuBefore };
    const stdout = readFileSync(output, 'utf8');
    const accepted = (contestant.codes ?? [0]).includes(status ?? -1) && (contestant.accept?.(stdout) ?? true);
    if (!accepted)
      throw new Error(`${contestant.name}: exit ${status}\n${stderr.slice(0, 500)}\n${stdout.slice(-500)}`);
    return spent;
  } finally {
    closeSync(descriptor);
    rmSync(output, { force: true });
  }
}

/** Milliseconds of processor time that ended children have used, as Linux counts it; NaN elsewhere. */
function childrenCpu(): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  // In hundredths of a second, behind the name: user and system time of children are the 14th and 15th.
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** Peak resident memory in MB, read by a preloaded hook in a run of its own. */
function peakMemory(contestant: Contestant): number {
  const report = path.join(tmpdir(), `skillwright-rss-${process.pid}`);
  try {
    runOnce(contestant, ['--require', path.join(import.meta.dirname, 'peak-memory.cjs')], { BENCH_PEAK_FILE: report });
    return Number(readFileSync(report, 'utf8')) / 1024;
  } finally {
    rmSync(report, { force: true });
  }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Between two values where it falls between them. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place % 1);
}
