// Puts a Python that starts quickly in front of the PATH of this process: the shim of a version manager takes eight
// times as long, and one that loads packages at its start five times.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const TRIES = 3;
const QUICK_MS = 30;
/** Less of a difference may be chance, and the one that a person would get is the better one to test with. */
const MUCH_QUICKER = 0.5;

export function passShims(): void {
  const known = (process.env.PATH ?? '').split(path.delimiter);
  const [nearest, ...farther] = known.map((folder) => path.join(folder, 'python3')).filter(isProgram);
  const first = nearest && programBehind(nearest);
  if (!first) return;
  const folder = path.dirname(quickerThan(first, farther) ?? first);
  // Not in front of the Node that runs this.
  if (folder !== path.dirname(nearest))
    process.env.PATH = [path.dirname(process.execPath), folder, ...known].join(path.delimiter);
}

function quickerThan(first: string, others: readonly string[]): string | undefined {
  const time = startTime(first);
  if (time < QUICK_MS) return undefined;
  const programs = new Set(others.map(programBehind).filter((program) => program !== undefined));
  return [...programs].find((program) => startTime(program) < time * MUCH_QUICKER);
}

function programBehind(python: string): string | undefined {
  const { stdout } = spawnSync(python, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  const program = stdout?.trim() ?? '';
  return path.isAbsolute(program) ? program : undefined;
}

function startTime(python: string): number {
  const times = Array.from({ length: TRIES }, () => {
    const startedAt = performance.now();
    spawnSync(python, ['-c', '0']);
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
