// One run with its summary, whether its record holds, and its events.
import type { AuditRecord } from '../../audit/event.ts';
import { readKeptBytes } from '../../audit/observation.ts';
import { type RunEntry, type RunVerification, readVerified } from '../../audit/run-archive.ts';
import { summarizeRecords } from '../../audit/run-summary.ts';
import { OTHER_HOME, readRecords } from '../../audit/verify.ts';
import { sha256 } from '../../base/ids.ts';
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
  /** Calls that policy or a person refused. */
  readonly refused: readonly RefusedCall[];
  /** What was printed, call by call; `text` is null where it was not kept. */
  readonly printed: readonly PrintedText[];
}

export interface RefusedCall {
  readonly call: string;
  readonly tool: string;
  readonly why: string;
}

export interface PrintedText {
  readonly call: string;
  readonly tool: string;
  readonly skill?: string;
  readonly state: string;
  readonly exit: number | null;
  readonly text: string | null;
  /** Longer than what was kept. */
  readonly cut: boolean;
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
    refused: refusedIn(events),
    printed: events.flatMap((event) => printedBy(event, run.folder)),
  };
}

function refusedIn(events: readonly AuditRecord[]): RefusedCall[] {
  const tools = new Map(events.flatMap((event) => (event.type === 'decision' ? [[event.call, event.tool]] : [])));
  return events.flatMap((event): RefusedCall[] => {
    if (event.type === 'approval' && event.answer === 'no')
      return [{ call: event.call, tool: tools.get(event.call) ?? '', why: `no (${event.by})` }];
    if (event.type !== 'decision' || event.effect !== 'deny') return [];
    const layer = event.layers.find(({ effect }) => effect === 'deny');
    return [{ call: event.call, tool: event.tool, why: layer ? `${layer.layer}: ${layer.rule}` : '' }];
  });
}

function printedBy(event: AuditRecord, folder: string): PrintedText[] {
  if (event.type !== 'call-result') return [];
  const { call, tool, skill, state, exit, output } = event;
  if (!output) return [];
  const bytes = readKeptBytes(folder, output);
  const text = bytes !== undefined && sha256(bytes) === output.sha256 ? bytes.toString('utf8') : null;
  return [{ call, tool, ...(skill !== undefined && { skill }), state, exit, text, cut: output.cut === true }];
}
