// Is the record of a run, or of every run, still what was written?
import path from 'node:path';
import { adoptRuns, findVanished, forgetRuns, type RunVerification, verifyRun } from '../../audit/run-archive.ts';
import { OTHER_HOME, OTHER_PROJECT } from '../../audit/verify.ts';
import { findRun, findRuns } from '../find-run.ts';
import type { Runtime } from '../runtime.ts';

export interface VerifyRunsOrder {
  /** One run, or `latest`; all of them unless given. */
  readonly run?: string | undefined;
  /** Miss those that are gone no longer. */
  readonly forget: boolean;
  /** The folder this project was in before. */
  readonly movedFrom?: string | undefined;
}

export interface CheckedRun extends RunVerification {
  readonly run_id: string;
}

/** Why records do not hold, where one reason explains them: removed, sealed under another home, of another project. */
export type BrokenReason = 'gone' | 'other-home' | 'other-project' | 'broken';

export function verifyRuns({ run, forget, movedFrom }: VerifyRunsOrder, { project, home }: Runtime): CheckedRun[] {
  if (movedFrom !== undefined) adoptRuns(project, home, path.resolve(movedFrom));
  const vanished = findVanished(project, home).filter((id) => run === undefined || run === id);
  const runs = run === undefined ? findRuns(project) : vanished.length > 0 ? [] : [findRun(project, run)];
  const results = [
    ...runs.map(({ id }) => ({ run_id: id, ...verifyRun(project, home, id) })),
    ...vanished.map((id) => ({ run_id: id, ...GONE })),
  ];
  if (forget) forgetRuns(project, home, vanished);
  return results;
}

export function whyBroken(broken: readonly CheckedRun[]): BrokenReason {
  if (broken.every(({ why }) => why === GONE.why)) return 'gone';
  if (broken.every(({ why }) => why === OTHER_HOME)) return 'other-home';
  return broken.some(({ why }) => why === OTHER_PROJECT) ? 'other-project' : 'broken';
}

const GONE: RunVerification = {
  ok: false,
  events: 0,
  torn: false,
  ended: false,
  pruned: 0,
  broken_at: 0,
  why: 'the whole record is gone',
};
