// Skills that lie in the folder of a single-file skill: they are no part of it, unless its code speaks of them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listTree } from '../../skill/tree.ts';

const SIZE_LIMIT = 1024 * 1024;

interface PlacedSkill {
  /** Both relative to the folder of the role. */
  readonly entry: string;
  readonly folder: string;
}

/** Entries of its folder that are left out of its digest and its snapshot, so that another skill may come and change. */
export function neighboursOf(
  role: { readonly folder: string; readonly skills: readonly PlacedSkill[] },
  own: PlacedSkill,
): string[] {
  const inside = (file: string) => path.posix.relative(own.folder, file);
  const first = (file: string) => inside(file).split('/')[0] ?? '';
  const mine = first(own.entry);
  const others = role.skills.filter(({ entry }) => !inside(entry).startsWith('..')).map(({ entry }) => first(entry));
  const left = new Set(others.filter((name) => name !== mine));
  if (left.size === 0) return [];
  const texts = readTexts(path.join(role.folder, own.folder));
  for (let found: string | undefined; ; left.delete(found)) {
    found = [...left].find((name) => texts.some((one) => !left.has(one.first) && speaksOf(one.text, name)));
    if (found === undefined) return [...left].sort();
  }
}

interface CodeText {
  /** The entry of the folder it lies in, or is. */
  readonly first: string;
  readonly text: string;
}

/** None where the folder cannot be listed: then its digest fails, too. */
function readTexts(folder: string): CodeText[] {
  try {
    return listTree(folder).flatMap(({ path: name, stats }) => {
      if (!stats.isFile() || stats.size > SIZE_LIMIT) return [];
      return [{ first: name.split('/')[0] ?? '', text: readFileSync(path.join(folder, name), 'utf8') }];
    });
  } catch {
    return [];
  }
}

/** An import, a path or a call: whatever names it keeps it. */
function speaksOf(text: string, name: string): boolean {
  const stem = name.replace(/\.[A-Za-z]+$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_])${stem}(?![\\p{L}\\p{N}_])`, 'u').test(text);
}
