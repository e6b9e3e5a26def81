// Files that a call left in its temporary folder or in a home that goes with the run: what it named is kept, the rest counted.
import { type Dirent, lstatSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPath } from '../../base/paths.ts';
import { entriesIfThere } from '../../base/read-file.ts';
import { type CopyReport, type NotDelivered, REFUSED_LIMIT } from '../../process/copy-out.ts';
import type { Ended } from '../../process/order.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { Door } from '../door.ts';
import { textOf } from './conclude.ts';
import type { SecretWatch } from './hold-back.ts';
import { keepWithRun } from './kept.ts';

/** What closes a path in a sentence is no part of it. */
const CLOSING = /[.,;:!?)\]}>]+$/;

export interface LeftPlaces {
  /** The temporary folder, which ends with the call. */
  readonly work: string;
  /** Names that lay in it before the call. */
  readonly before: readonly string[];
  /** A home that ends with the run; undefined where the call had none, or one that lasts. */
  readonly home: string | undefined;
  readonly skill: SkillEntry | undefined;
}

export interface LeftBehind {
  /** What the call named: nobody finds it there any more. */
  readonly named: readonly NotDelivered[];
  /** How many other files went with the temporary folder. */
  readonly dropped: number;
}

export function leftBehind(
  { work, before, home, skill }: LeftPlaces,
  printed: Pick<Ended, 'stdout' | 'stderr'>,
  watch: SecretWatch | undefined,
  door: Door,
): LeftBehind {
  const said = [printed.stdout, printed.stderr].map(textOf);
  const [inWork, inHome] = [work, home].map((folder) => (folder === undefined ? [] : namedBelow(folder, said)));
  const keep = (from: string, names: readonly string[] = [], under: string) =>
    keepWithRun({ from, names, under, watch }, door);
  const keptWork = keep(work, inWork, 'temporary');
  const keptHome = keep(home ?? work, inHome, 'home');
  const allow = skill && { allow: `skillwright grants add ${calledName(skill)} --home` };
  return {
    named: [
      ...(inWork ?? []).map((name) => entry(path.join(work, name), 'temporary', keptWork.get(name))),
      ...(inHome ?? []).map((name) => ({
        ...entry(path.join(home ?? '', name), 'home', keptHome.get(name)),
        ...allow,
      })),
    ],
    dropped: Math.max(0, countFiles(work, before) - (inWork ?? []).length),
  };
}

/** They count as results that were not delivered. */
export function withRefused({ copied, refused }: CopyReport, more: readonly NotDelivered[]): CopyReport {
  return { copied, refused: [...refused, ...more].slice(0, REFUSED_LIMIT) };
}

function entry(file: string, why: NotDelivered['why'], kept: string | undefined): NotDelivered {
  return { path: file, why, ...(kept !== undefined && { kept }) };
}

const MOST_NAMED = 1000;
const LONGEST = 4096;

/** The plain files below a folder that are named in a text, by their paths below it. */
function namedBelow(folder: string, said: readonly string[]): string[] {
  const names = said.flatMap((text) => {
    const [, ...rest] = text.split(`${folder}/`, MOST_NAMED);
    return rest.map((after) => (/^[^\s"'`<>|]*/.exec(after.slice(0, LONGEST))?.[0] ?? '').replace(CLOSING, ''));
  });
  return [...new Set(names.flatMap((name) => fileBelow(folder, name) ?? []))];
}

/** The call made it and may have put anything there: what leads out, or is no path at all, is none. */
function fileBelow(folder: string, name: string): string | undefined {
  const [root, real] = [realPath(folder), realPath(path.join(folder, name))];
  if (root === undefined || real === undefined || real === root || !isInside(root, real)) return undefined;
  return lstatSync(real, { throwIfNoEntry: false })?.isFile() ? path.relative(root, real) : undefined;
}

const MOST_COUNTED = 10_000;
/** Of ours. */
const NO_RESULTS: ReadonlySet<string> = new Set(['.pycache', 'output']);

function countFiles(work: string, before: readonly string[]): number {
  const isNew = (name: string) => !before.includes(name) && !NO_RESULTS.has(name);
  const top = entriesIfThere(work).filter(({ name }) => isNew(name));
  const folders = foldersIn(work, top);
  let files = top.length - folders.length;
  for (const folder of folders) {
    const entries = entriesOrNone(folder);
    const inner = foldersIn(folder, entries);
    files += entries.length - inner.length;
    if (files > MOST_COUNTED || folders.length > MOST_COUNTED) break;
    folders.push(...inner);
  }
  return Math.min(files, MOST_COUNTED);
}

function foldersIn(folder: string, entries: readonly Dirent[]): string[] {
  return entries.filter((one) => one.isDirectory()).map(({ name }) => path.join(folder, name));
}

/** What the call has closed to us is not counted. */
function entriesOrNone(folder: string): Dirent[] {
  try {
    return entriesIfThere(folder);
  } catch {
    return [];
  }
}
