// A mutant: a change of the product under which the tests of one rule must fail.
import type { Change } from '../support/changed/change.ts';

export interface Mutant extends Change {
  /** '000-12'. */
  readonly rule: string;
  /** What is broken by it, in one line. */
  readonly shows: string;
}

/** The mutants of a seed, or of a part of it. */
export interface MutantList {
  readonly mutants: readonly Mutant[];
  /** Rules without a mutant; the list only gets shorter. */
  readonly open: readonly string[];
}
