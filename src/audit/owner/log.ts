// Appends to an owner's log, one process at a time; a part that is full, or not what was written, is followed by another.
import type { Clock } from '../../base/clock.ts';
import { withLock } from '../../store/sqlite/lock.ts';
import { type Chain, openChain } from '../chain.ts';
import { createRedactor } from '../redact.ts';
import { openAuditKey } from '../seal.ts';
import type { Verification } from '../verify.ts';
import type { OwnerEvent, OwnerRecord } from './event.ts';
import { type OwnerParts, type OwnerPlace, openParts, PART_BYTES, PARTS_KEPT } from './part.ts';

/** Returns when the events would survive a power cut. */
export function appendOwner(place: OwnerPlace, clock: Clock, events: readonly OwnerEvent[]): void {
  const parts = openParts(place);
  withLock(parts.lock, () => {
    const writer: Writer = { parts, clock, key: openAuditKey(place.home), redact: redactText };
    const chain = openLastPart(writer);
    try {
      for (const event of events) append(chain, event, clock);
    } finally {
      chain.close();
    }
  });
}

interface Writer {
  readonly parts: OwnerParts;
  readonly clock: Clock;
  readonly key: Uint8Array;
  readonly redact: (text: string) => string;
}

function openLastPart(writer: Writer): Chain {
  const { parts, key } = writer;
  const [last, earlier] = parts.list().toReversed();
  if (last === undefined) return beginPart(writer, 1);
  const found = parts.verify(last, key);
  // Killed at its beginning: it begins again.
  if (found.ok && found.events === 0)
    return beginPart(writer, last, earlier === undefined ? undefined : { found: parts.verify(earlier, key) });
  if (!found.ok) return beginPart(writer, last + 1, { found, broken: found.why ?? '' });
  if (found.ended) return beginPart(writer, last + 1, { found });
  const chain = openPart(writer, last, found);
  if (found.length < PART_BYTES) return chain;
  // The next one first: a part that ended and has no next one was followed by something that is gone.
  try {
    const next = beginPart(writer, last + 1, { found });
    append(chain, { type: 'log-continued', part: last + 1 }, writer.clock);
    return next;
  } finally {
    chain.close();
  }
}

interface Before {
  readonly found: Verification<OwnerRecord>;
  readonly broken?: string;
}

function beginPart(writer: Writer, part: number, before?: Before): Chain {
  const { parts } = writer;
  const from = Math.max(1, part - PARTS_KEPT + 1);
  const previous = before ? { events: before.found.events, hash: before.found.hash } : null;
  const broken = before?.broken === undefined ? {} : { broken: before.broken };
  parts.makeRoom(part);
  const chain = openPart(writer, part);
  append(chain, { type: 'log-start', part, from, previous, ...broken }, writer.clock);
  // Only now: the event that says that older ones go is on disk.
  for (const old of parts.list().filter((one) => one < from)) parts.remove(old);
  return chain;
}

function openPart({ parts, key, redact }: Writer, part: number, from?: Verification<OwnerRecord>): Chain {
  return openChain({ ...parts.placeOf(part), run: parts.nameOf(part), key, redact, ...(from && { from }) });
}

function append(chain: Chain, event: OwnerEvent, clock: Clock): void {
  const ts = new Date(clock.now()).toISOString();
  const uid = process.getuid?.() ?? null;
  const use = { isDurable: true, isEnd: event.type === 'log-continued' };
  chain.append(({ seq, prev }): OwnerRecord => ({ ...event, seq, ts, uid, prev }), use);
}

const TEXT_LIMIT = 500;
const KEYS = createRedactor([], { keyShapes: true });
/** A password in front of a host; on the web the user alone is one, too. */
const PASSWORD = /\b(https?:\/\/)[^/\s@]+@|\b([a-z][a-z0-9+.-]*:\/\/[^/\s@:]*:)[^/\s@]+@/gi;

function redactText(text: string): string {
  const plain = KEYS.text(text).replace(PASSWORD, '$1$2[redacted]@');
  return plain.length <= TEXT_LIMIT ? plain : `${plain.slice(0, TEXT_LIMIT - 1).toWellFormed()}…`;
}
