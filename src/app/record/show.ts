// One run with its summary, whether its record holds, and its events.
import type { AuditRecord } from '../../audit/event.ts';
import { type RunEntry, type RunVerification, readVerified } from '../../audit/run-archive.ts';
import { summarizeRecords } from '../../audit/run-summary.ts';
import { OTHER_HOME, readRecords } from '../../audit/verify.ts';
import { findRun } from '../find-run.ts';
import type { Runtime } from '../runtime.ts';

export interface ShownRun {
  /** With what its record vouches for. */
  readonly run: RunEntry;
  readonly verified: RunVerification;
  /** Of a broken record everything that is there. */
  readonly events: readonly AuditRecord[];
  /** Sealed under another home: neither whole nor broken, as far as this one can tell. */
  readonly isForeign: boolean;
}

/** By its id, or `latest`. */
export function showRun(written: string, { project, home }: Runtime): ShownRun {
  const run = findRun(project, written);
  const { verified, records: proven } = readVerified(project, home, run.id);
  // The record of an ended run vouches for run.json; of any other, only the events do.
  const summary = verified.ended ? run.summary : summarizeRecords(run, proven);
  const events = verified.ok ? proven : readRecords(run.folder);
  return {
    run: { ...run, summary },
    verified,
    events,
    isForeign: verified.why === OTHER_HOME,
  };
}
