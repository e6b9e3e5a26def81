// Puts Python itself in front of the PATH of this process: the shim of a version manager takes eight times as long to start.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

export function passShims(): void {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  const folder = path.dirname(stdout?.trim() ?? '');
  const known = (process.env.PATH ?? '').split(path.delimiter);
  if (path.isAbsolute(folder) && !known.includes(folder)) process.env.PATH = [folder, ...known].join(path.delimiter);
}
