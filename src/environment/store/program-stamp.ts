// Which very program an environment was built for: another one at the same place may not see its packages.
import { statSync } from 'node:fs';
import { realPath } from '../../base/paths.ts';
import type { EnvironmentManifest } from './manifest.ts';

/** Empty where there is none. */
export function programStamp(file: string): string {
  const real = file === '' ? undefined : realPath(file);
  const stats = real === undefined ? undefined : statSync(real, { throwIfNoEntry: false });
  return stats ? `${real} ${stats.size} ${stats.mtimeMs}` : '';
}

export function isForProgram({ interpreter, program }: EnvironmentManifest): boolean {
  return program === undefined || program === programStamp(interpreter);
}
