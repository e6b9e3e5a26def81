// A file that a call of a run wrote: in the record with its hash, and named as a person would name it.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '../../base/ids.ts';
import { isInside } from '../../base/paths.ts';
import type { Door } from '../../door/door.ts';

/** Results are named from the output folder by some calls, from the project by others. */
export function noteArtifact(name: string, { run, folders, places }: Door): string {
  const candidates = [path.resolve(places.project, name), path.resolve(folders.output, name)];
  const file = candidates.find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
  if (file === undefined) return name;
  const shown = isInside(places.project, file) ? path.relative(places.project, file) : file;
  const bytes = readFileSync(file);
  run.record({ type: 'artifact', path: shown, sha256: sha256(bytes), bytes: bytes.length });
  return shown;
}
