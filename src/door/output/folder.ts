// The results of one call: staged in its private folder, seen at the output folder, copied out through the path guard.
import { type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { asBuffer } from '../../base/bytes.ts';
import { makeFolder, removeEmptyFolder } from '../../base/files.ts';
import { isInside } from '../../base/paths.ts';
import { type AbsolutePath, absolutePath } from '../../base/value/absolute-path.ts';
import { type CopyOptions, type CopyReport, copyOut, makeTarget } from '../../process/copy-out.ts';
import type { Mapped } from '../../process/order.ts';
import { othersRun } from '../../process/work-folder.ts';
import type { Door } from '../door.ts';
import type { Work } from '../work.ts';
import { guardResults } from './guard.ts';
import type { SecretWatch } from './hold-back.ts';

export interface StagedOutput {
  /** Where the call sees its results. */
  readonly at: AbsolutePath;
  /** Where they lie instead; absent where the call writes them into its layer. */
  readonly mapped?: Mapped;
  /** What the call said, with its results called by the names they have from now on. */
  rename(said: Uint8Array): Uint8Array;
  /** Everything new or changed, but what carries a variable out in its name or in its bytes. */
  deliver(watch?: SecretWatch): CopyReport;
  /** Leaves no empty folder in the project where there was none. */
  close(): void;
}

export function stageOutput({ output, cwd }: Work, workFolder: string, mounts: boolean, door: Door): StagedOutput {
  const { folder, names } = output;
  const root = rootOf(folder, door);
  const staged = path.join(workFolder, 'output');
  makeFolder(staged);
  // A place must be there to be mounted at; made through the guard, because a project could lead us elsewhere by a link.
  const added = mounts ? missingFolders(folder, root) : [];
  if (mounts) makeTarget(root, folder);
  const before = bringIn({ from: folder, fromRoot: root, only: names }, staged);
  return {
    at: absolutePath(folder),
    mapped: { at: absolutePath(folder), from: absolutePath(staged) },
    rename: (said) => renamePaths(said, staged, { whole: folder, short: cwd ? path.relative(cwd, folder) : folder }),
    deliver(watch) {
      const isGuarded = guardResults({ folder, from: staged }, door);
      const order = { from: staged, to: folder, root, before, isGuarded };
      if (!watch) return copyOut(order);
      const holds = (below: string) => watch.namesIn(path.join(staged, below));
      return copyOut({ ...order, refusesName: watch.isSpelledIn, holds });
    },
    close() {
      // To take a folder away under a running call would take its results away.
      if (added.length > 0 && !othersRun(workFolder)) for (const empty of added) removeEmptyFolder(empty);
    },
  };
}

/** Where a folder cannot be shown at another place, a call names the staged one; short where a path begins, as the call would. */
function renamePaths(said: Uint8Array, staged: string, { whole, short }: { whole: string; short: string }): Uint8Array {
  const bytes = asBuffer(said);
  if (!bytes.includes(path.basename(path.dirname(staged)))) return said;
  // As latin1, every byte that is not part of a name stays what it is.
  let text = bytes.toString('latin1');
  for (const form of [asBytes, asAsciiJson]) {
    const [from, to, beginning] = [staged, whole, short].map(form);
    text = text.replaceAll(from ?? '', (_, at: number) => (/[\w/]/.test(text[at - 1] ?? '') ? to : beginning) ?? '');
  }
  return Buffer.from(text, 'latin1');
}

function asBytes(file: string): string {
  return Buffer.from(file).toString('latin1');
}

function asAsciiJson(file: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(file)
    .slice(1, -1)
    .replace(/[^ -~]/g, escaped);
}

/** Results in the project lie below it; an output folder elsewhere is the user's own choice, and its own root. */
export function rootOf(folder: string, { places }: Door): string {
  return isInside(places.project, folder) ? places.project : folder;
}

/** Through the guard too: a link on the way to the output folder could lead to files nobody gave the call. */
function bringIn(
  wanted: Required<Pick<CopyOptions, 'from' | 'fromRoot' | 'only'>>,
  staged: string,
): Map<string, Stats> {
  const { only } = wanted;
  if (only.length === 0) return new Map();
  const { copied } = copyOut({ ...wanted, to: staged, root: staged });
  for (const name of only) makeFolder(path.dirname(path.join(staged, name)), 0o755);
  return new Map(copied.map(({ path: name }) => [name, statSync(path.join(staged, name))]));
}

/** Deepest first. */
function missingFolders(folder: string, root: string): string[] {
  const missing: string[] = [];
  for (let at = folder; at !== root && isInside(root, at); at = path.dirname(at)) {
    if (statSync(at, { throwIfNoEntry: false })) break;
    missing.push(at);
  }
  return missing;
}
