// A file that a call of a run wrote: in the record with its hash, and named as a person would name it.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '../../base/ids.ts';
import { isInside } from '../../base/paths.ts';
import type { Door } from '../../door/door.ts';

/** Results are named from the output folder by some calls, from the project by others. */
export function noteArtifact(name: string, { run, folders, places, workspace }: Door): string {
  const layer = workspace.opened();
  const layered = (below: string) => layer && path.join(layer.tree.at, below);
  const candidates = [path.resolve(places.project, name), path.resolve(folders.output, name)];
  const inLayer = (one: string) =>
    isInside(places.project, one) ? layered(path.relative(places.project, one)) : undefined;
  const file = candidates.find((one) => isFile(inLayer(one) ?? one));
  if (file === undefined) return name;
  const shown = isInside(places.project, file) ? path.relative(places.project, file) : file;
  const bytes = readFileSync(inLayer(file) ?? file);
  run.record({ type: 'artifact', path: shown, sha256: sha256(bytes), bytes: bytes.length });
  return shown;
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
