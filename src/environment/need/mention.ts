// One place at which a package shows, and what all places of a skill come to.
import type { Certainty, Ecosystem, PackageNeed, PackageNeeds } from './package-need.ts';

/** Whether the skill does its work without it: never, where an import may fail, or always, since only its author needs it. */
export type PackageUse = 'needed' | 'optional' | 'development';

/** A package with what is asked of it. */
export interface Requirement {
  readonly name: string;
  readonly spec: string;
  readonly extras: readonly string[];
  readonly marker: string;
}

export interface PackageMention extends Requirement {
  readonly ecosystem: Ecosystem;
  readonly certainty: Certainty;
  readonly use: PackageUse;
  readonly file: string;
  readonly line: number;
}

export interface NeededPackage extends PackageNeed {
  /** The skill does some of its work without it. */
  readonly optional: boolean;
  /** Python: what code imports of it, where that is known. */
  readonly imports: readonly string[];
}

export interface UnreadPackages {
  readonly file: string;
  readonly why: string;
  readonly line: number;
  readonly kind: UnreadKind;
  /** What stands there. */
  readonly what: string;
}

/** An option that says where packages come from, which only a person's settings do; a file that is named and not there; an address or path in the place of a name; a file of a form that cannot be read. */
export type UnreadKind = 'index-option' | 'missing-file' | 'not-from-index' | 'not-understood';

export interface FoundPackages extends PackageNeeds {
  readonly needs: readonly NeededPackage[];
  /** What only the author of the skill needs. */
  readonly development: readonly NeededPackage[];
  readonly unread: readonly UnreadPackages[];
}

const WHY: Readonly<Record<UnreadKind, string>> = {
  'index-option': 'is noted and never obeyed: where packages come from, your settings say',
  'missing-file': 'is not among the files of the skill',
  'not-from-index': 'names no package of an index',
  'not-understood': 'is not understood',
};

export function unread(file: string, line: number, kind: UnreadKind, what: string): UnreadPackages {
  return { file, line, kind, what, why: `line ${line}: ${what} ${WHY[kind]}` };
}

/** Longer demands on a version nobody writes. */
export const LONGEST_SPEC = 200;
/** More packages than this in one file are no needs of a skill. */
export const MOST_MENTIONS = 2000;

/** The line, counted from 1, that first has a text from some place on; the first where none has. */
export function lineFinder(text: string): (part: string, from?: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (part, from = 0) => {
    const found = text.indexOf(part, from);
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= found) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
