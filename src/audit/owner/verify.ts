// Is an owner's log still what was written? Each part by itself, that each follows from the one before, and that none is gone.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { toFault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { openAuditKey } from '../seal.ts';
import type { Verification } from '../verify.ts';
import type { OwnerRecord } from './event.ts';
import { type OwnerParts, type OwnerPlace, openParts } from './part.ts';

interface Break {
  readonly part: number;
  /** The first event that does not belong. */
  readonly broken_at: number;
  readonly why: string;
  /** The digest of the part as it lies there. */
  readonly found: string;
  /** When a person said that they had seen it, as it is now. */
  readonly accepted?: string;
}

export interface OwnerVerification {
  readonly folder: string;
  /** No break but those that were accepted. */
  readonly ok: boolean;
  readonly events: number;
  readonly breaks: readonly Break[];
  /** The lines that are as they were written, the oldest first. */
  readonly records: readonly OwnerRecord[];
}

/** Looks, and makes nothing: not even the key of a user who has recorded nothing yet. */
export function verifyOwner(place: OwnerPlace): OwnerVerification {
  const parts = openParts(place);
  const there = parts.list();
  if (there.length === 0) return { folder: parts.folder, ok: true, events: 0, breaks: [], records: [] };
  const key = openAuditKey(place.home);
  const checked = new Map(there.map((part) => [part, verifyPart(parts, part, key)]));
  const records = [...checked.values()].flatMap((part) => part.records);
  const breaks = findBreaks(checked, parts).map((one) => withAcceptance(one, records));
  const ok = breaks.every(({ accepted }) => accepted !== undefined);
  return { folder: parts.folder, ok, events: records.length, breaks, records };
}

/** What of a broken part was not sealed by us is none of its records. */
function verifyPart(parts: OwnerParts, part: number, key: Uint8Array): Verification<OwnerRecord> {
  try {
    const found = parts.verify(part, key);
    // Without a head, lines without a seal would do.
    if (found.sealedFrom > 0) return { ...found, ok: false, events: 0, broken_at: 0, records: [] };
    const isThere = existsSync(path.join(parts.placeOf(part).folder, 'events.jsonl'));
    return found.ok || isThere ? found : { ...found, why: 'the log is gone' };
  } catch (error) {
    const why = visible(toFault(error).message);
    const nothing = { events: 0, torn: false, ended: false, hash: '', length: 0, sealedFrom: 0, records: [] };
    return { ok: false, broken_at: 0, why, ...nothing };
  }
}

type Checked = ReadonlyMap<number, Verification<OwnerRecord>>;

function findBreaks(checked: Checked, parts: OwnerParts): Break[] {
  const last = Math.max(...checked.keys());
  const starts = [...checked.values()].flatMap(({ records: [first] }) => (first?.type === 'log-start' ? [first] : []));
  const from = Math.max(1, ...starts.map((start) => start.from));
  const breaks: Break[] = [];
  for (let part = from; part <= last; part++) {
    const found = checked.get(part);
    const why = found ? whyBroken(part, found, checked.get(part - 1), part === last) : 'this part is gone';
    if (why !== undefined) breaks.push({ part, broken_at: found?.broken_at ?? 0, why, found: parts.fingerprint(part) });
  }
  return breaks;
}

function whyBroken(
  part: number,
  found: Verification<OwnerRecord>,
  before: Verification<OwnerRecord> | undefined,
  isLast: boolean,
): string | undefined {
  if (!found.ok) return found.why ?? 'broken';
  if (isLast && found.ended) return 'the part that follows is gone';
  // Killed at its beginning; the next command begins it again.
  if (isLast && found.events === 0) return undefined;
  const [start] = found.records;
  if (start?.type !== 'log-start' || start.part !== part) return 'it does not begin with its start';
  const isFirst = before === undefined || start.broken !== undefined;
  if (isFirst || !before.ok || start.previous === null) return undefined;
  const { events, hash } = start.previous;
  const then = events === before.events ? before.hash : before.records[events]?.prev;
  return then === hash ? undefined : 'it does not follow from the part before';
}

function withAcceptance(one: Break, records: readonly OwnerRecord[]): Break {
  const seen = records.findLast(
    (record) =>
      record.type === 'begin' &&
      record.change.command === 'log verify' &&
      record.change.breaks.some(({ part, found }) => part === one.part && found === one.found),
  );
  return seen ? { ...one, accepted: seen.ts } : one;
}
