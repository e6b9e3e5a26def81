// The owner's logs as a person asks for them: that of the project and the user's own, each command with how it ended.
import {
  OWNER_SCOPES,
  type OwnerChange,
  type OwnerFacts,
  type OwnerRecord,
  type OwnerScope,
} from '../../audit/owner/event.ts';
import { type OwnerVerification, verifyOwner } from '../../audit/owner/verify.ts';
import type { Runtime } from '../runtime.ts';
import { recordOwn } from './record.ts';

/** `open`: no end was recorded, since it was stopped in between or is still at work. */
type OwnState = 'done' | 'failed' | 'open';

export interface OwnEntry {
  readonly log: OwnerScope;
  readonly time: string;
  readonly ended: string | null;
  readonly uid: number | null;
  readonly change: OwnerChange;
  readonly state: OwnState;
  readonly facts?: OwnerFacts;
  readonly error?: string;
}

export interface VerifiedLog extends OwnerVerification {
  readonly log: OwnerScope;
}

export function verifyOwn({ home, project }: Pick<Runtime, 'home' | 'project'>): VerifiedLog[] {
  return OWNER_SCOPES.map((log) => ({ log, ...verifyOwner(log === 'user' ? { home } : { home, project }) }));
}

/** The latest first; only lines that are as they were written. */
export function entriesOf(logs: readonly VerifiedLog[]): OwnEntry[] {
  return logs
    .flatMap(({ log, records }) => foldRecords(log, records).toReversed())
    .sort((a, b) => (a.time === b.time ? 0 : a.time < b.time ? 1 : -1));
}

/** From now on the breaks that were found count as seen, as long as nothing more changes in them. */
export function acceptBreaks(runtime: Runtime, logs: readonly VerifiedLog[]): void {
  for (const { log: scope, breaks } of logs) {
    const unseen = breaks.filter(({ accepted }) => accepted === undefined);
    const seen = unseen.map(({ part, why, found }) => ({ part, why, found }));
    if (seen.length > 0) recordOwn(runtime, { command: 'log verify', scope, breaks: seen }, () => undefined);
  }
}

function foldRecords(log: OwnerScope, records: readonly OwnerRecord[]): OwnEntry[] {
  const entries = new Map<string, OwnEntry>();
  for (const record of records) {
    if (record.type === 'begin') {
      const { ts: time, uid, change } = record;
      const known = entries.get(record.act);
      if (known) entries.set(record.act, { ...known, change: joined(known.change, change) });
      else entries.set(record.act, { log, time, ended: null, uid, change, state: 'open' });
    } else if (record.type === 'end') {
      const begun = entries.get(record.act);
      if (begun) entries.set(record.act, { ...begun, ended: record.ts, ...endOf(record) });
    }
  }
  return [...entries.values()];
}

function endOf(record: Extract<OwnerRecord, { type: 'end' }>): Pick<OwnEntry, 'state' | 'facts' | 'error'> {
  if (record.state === 'failed') return { state: 'failed', error: record.error };
  return { state: 'done', ...(record.facts && { facts: record.facts }) };
}

function joined(first: OwnerChange, more: OwnerChange): OwnerChange {
  if ('skills' in first && 'skills' in more) return { ...first, skills: [...first.skills, ...more.skills] };
  if ('files' in first && 'files' in more) return { ...first, files: [...first.files, ...more.files] };
  return first;
}
