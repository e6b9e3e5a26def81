// A change set: what a run did to the project as its layer shows it, before anything of it reaches the project.
import { canonicalJson } from '../base/json.ts';
import { type Digest, makeDigest } from '../base/value/digest.ts';
import type { Entry } from './entry.ts';

export interface FileChange {
  /** Below the project, with / between the parts. */
  readonly path: string;
  /** Undefined: there was nothing. */
  readonly before?: Entry;
  /** Undefined: nothing is there any more. */
  readonly after?: Entry;
}

export interface ChangeSet {
  /** Names exactly these changes: a yes is for this digest and no other. */
  readonly digest: Digest;
  /** By path, folders before what is in them. */
  readonly changes: readonly FileChange[];
}

export function changeSetOf(changes: readonly FileChange[]): ChangeSet {
  const sorted = [...changes].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    digest: makeDigest(canonicalJson(sorted.map(({ path, before, after }) => [path, before ?? null, after ?? null]))),
    changes: sorted,
  };
}

/** The folders on the way to a path, the outermost first. */
export function foldersAbove(path: string): string[] {
  const steps = path.split('/').slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join('/'));
}

export type ChangeKind = 'new' | 'changed' | 'deleted';

export function changeKind({ before, after }: FileChange): ChangeKind {
  if (!before) return 'new';
  return after ? 'changed' : 'deleted';
}
