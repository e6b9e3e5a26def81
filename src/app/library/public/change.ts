// Changes of files as a program sees them. Types only: they are public.
import type { ChangeKind } from '../../../workspace/change.ts';

/** One file of the project that a run has made, changed or deleted. */
export interface ProjectChange {
  /** Below the project, with / between the parts. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** Of what is there afterwards, else of what was there. */
  readonly bytes: number;
  /** It needs a yes of its own: which tools obey it, or which variables it holds. */
  readonly guarded?: string;
  /** It is never applied, and why. */
  readonly refused?: string;
}

/** What became of the changes of a run. */
export interface ChangesLeft {
  readonly runId: string;
  /** Names exactly these changes. */
  readonly digest: string;
  readonly applied: readonly ProjectChange[];
  /** Kept in the layer of the run until somebody applies or discards them. */
  readonly waiting: readonly ProjectChange[];
  /** Paths that the project has changed meanwhile: nothing was applied because of them. */
  readonly conflicts?: readonly string[];
}
