// What a layer has touched, as it was in the project when that happened: the base of every later comparison.
import { writeFileAtomic } from '../base/files.ts';
import { jsonIfValid } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { isEither, isFlag, isMapOf, isNull, isObject, isOptional } from '../base/value/shape.ts';
import { touchedFile } from './begun.ts';
import type { FileChange } from './change.ts';
import { type Entry, isEntry, isSameEntry } from './entry.ts';

export interface TouchedEntry {
  /** Undefined: there was nothing. */
  readonly before: Entry | undefined;
  /** Somebody changed the project's own file while the call that touched it first was running. */
  readonly raced: boolean;
  /** What of the run has been applied since; null: that it is gone. */
  readonly applied?: Entry | null | undefined;
}

export interface Touched {
  readonly entries: Readonly<Record<string, TouchedEntry>>;
  /** Adds what is new among the changes; `isRaced` says whether the project's own file changed meanwhile. */
  add(changes: readonly FileChange[], isRaced: (path: string) => boolean): void;
  /** The project has these from the run: later calls go on from there. */
  applied(changes: readonly FileChange[]): void;
}

export function openTouched(folder: string): Touched {
  const file = touchedFile(folder);
  const stored = jsonIfValid(readTextIfThere(file) ?? '{}');
  const entries: Record<string, TouchedEntry> = isEntries(stored) ? stored : {};
  return {
    entries,
    add(changes, isRaced) {
      const added = changes.filter((change) => !Object.hasOwn(entries, change.path));
      for (const { path: below, before } of added) entries[below] = { before, raced: isRaced(below) };
      if (added.length > 0) writeFileAtomic(file, JSON.stringify(entries));
    },
    applied(changes) {
      for (const { path: below, after = null } of changes) {
        const touched = Object.hasOwn(entries, below) ? entries[below] : undefined;
        entries[below] = { before: touched?.before, raced: false, applied: after };
      }
      if (changes.length > 0) writeFileAtomic(file, JSON.stringify(entries));
    },
  };
}

/** The changes as the layer found the project, whatever has become of it since. */
export function sinceTouched(changes: readonly FileChange[], { entries }: Touched): FileChange[] {
  return changes.flatMap((change) => {
    const touched = Object.hasOwn(entries, change.path) ? entries[change.path] : undefined;
    const { path: below, after } = change;
    // What somebody has put into a folder since the run removed it was never there for the run to delete.
    if (!touched) return after ? [change] : [];
    const before = isAsApplied(change, touched) ? change.before : touched.before;
    return [{ path: below, ...(before && { before }), ...(after && { after }) }];
  });
}

/** What was taken back, or changed by somebody else, is compared with what the layer found first. */
function isAsApplied({ before }: FileChange, { applied }: TouchedEntry): boolean {
  return applied !== undefined && isSameEntry(before, applied ?? undefined);
}

const isEntries = isMapOf(
  isObject<TouchedEntry>({
    before: isOptional(isEntry),
    raced: isFlag,
    applied: isOptional(isEither(isEntry, isNull)),
  }),
);
