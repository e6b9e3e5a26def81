// Names that some disks do not tell apart: beside one that is there, a second one would take its place elsewhere.
import path from 'node:path';
import type { Obeyed } from '../../base/guarded-path.ts';
import { foldPath } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';
import { type FileChange, foldersAbove } from '../../workspace/change.ts';

/** Who would mistake a new file, or a new folder above it, for another; `namesIn` are the names in a folder, read once. */
export function openTwins(
  changes: readonly FileChange[],
  namesIn: (folder: string) => readonly string[],
): (change: FileChange) => Obeyed | undefined {
  const added = new Set(changes.filter(({ before, after }) => after && !before).map(({ path: below }) => below));
  const known = new Map<string, ReadonlyMap<string, readonly string[]>>();
  const spellingsIn = (folder: string) => {
    const spellings = known.get(folder) ?? Map.groupBy(namesIn(folder), foldPath);
    known.set(folder, spellings);
    return spellings;
  };
  const twinOf = (below: string): string[] => {
    const [folder, name] = [path.dirname(below), path.basename(below)];
    const same = spellingsIn(folder === '.' ? '' : folder).get(foldPath(name)) ?? [];
    return same.filter((other) => other !== name);
  };
  return ({ path: below }) => {
    const [twin] = [...foldersAbove(below), below].filter((one) => added.has(one)).flatMap(twinOf);
    return twin === undefined ? undefined : mistaking(twin);
  };
}

function mistaking(twin: string): Obeyed {
  const shown = visible(twin);
  return {
    en: `disks that do not tell it from ${shown}`,
    zh: `无法将其与 ${shown} 区分的磁盘`,
  };
}
