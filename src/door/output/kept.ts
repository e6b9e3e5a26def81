// Files that would go with their call and that nobody could have otherwise: copied to the folder of the run, and named.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../base/paths.ts';
import { namesIfThere } from '../../base/read-file.ts';
import { copyOut } from '../../process/copy-out.ts';
import type { Door } from '../door.ts';
import type { SecretWatch } from './hold-back.ts';

/** Of one call, and of all calls of a run together. */
const MOST = { files: 1_000, bytes: 256 * 1024 * 1024, depth: 32 };
const MOST_OF_RUN = 1024 * 1024 * 1024;

export interface KeepOrder {
  /** The folder they lie in; its content is untrusted. */
  readonly from: string;
  /** Their paths below it. */
  readonly names: readonly string[];
  /** A folder below the one of the run. */
  readonly under: string;
  readonly watch?: SecretWatch | undefined;
}

type Keeping = Pick<Door, 'run' | 'places'>;

/**
 * Where each is from now on, as a person would name it. What is no plain file, or too much, or holds a variable, is not
 * kept, nor is anything of a run of which no text is kept.
 */
export function keepWithRun({ from, names, under, watch }: KeepOrder, { run, places }: Keeping): Map<string, string> {
  const kept = names.length === 0 ? undefined : run.keptFolder();
  const room = kept === undefined ? 0 : MOST_OF_RUN - sizeOf(kept);
  if (kept === undefined || room <= 0) return new Map();
  const to = path.join(kept, under);
  const { project } = places;
  const shown = isInside(project, to) ? path.relative(project, to) : to;
  const limits = { ...MOST, bytes: Math.min(MOST.bytes, room) };
  const holds = (below: string) => watch?.namesIn(path.join(from, below)) ?? [];
  const order = { from, to, root: kept, only: names, limits };
  const { copied } = copyOut(watch ? { ...order, refusesName: watch.isSpelledIn, holds } : order);
  return new Map(copied.map(({ path: name }) => [name, path.join(shown, name)]));
}

/** What earlier calls of the run have left there, by their paths. */
export function keptBelow(
  under: string,
  { run }: Pick<Keeping, 'run'>,
): { readonly at: string; readonly names: string[] } {
  const at = path.join(run.keptFolder() ?? '', under);
  return { at, names: run.keptFolder() === undefined ? [] : filesBelow(at).map(({ name }) => name) };
}

function sizeOf(folder: string): number {
  return filesBelow(folder).reduce((sum, { size }) => sum + size, 0);
}

function filesBelow(root: string): { readonly name: string; readonly size: number }[] {
  const found: { name: string; size: number }[] = [];
  const folders = [''];
  for (const folder of folders)
    for (const entry of namesIfThere(path.join(root, folder))) {
      const name = path.join(folder, entry);
      const stats = lstatSync(path.join(root, name), { throwIfNoEntry: false });
      if (stats?.isDirectory()) folders.push(name);
      else if (stats?.isFile()) found.push({ name, size: stats.size });
    }
  return found;
}
