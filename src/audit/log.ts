// The append-only record of a run: one sealed JSON line per event, each bound to the one before, its length kept under home.
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { openForAppend } from '../base/open-file.ts';
import { type AuditContext, type AuditEvent, type AuditRecord, isDurable } from './event.ts';
import { openHead } from './head.ts';
import { keyFor, sealJson } from './seal.ts';
import { bootId, firstLink, type LogPlace, type Verification, verifyLog } from './verify.ts';

export interface LogOptions extends LogPlace {
  readonly run: string;
  readonly key: Uint8Array;
  readonly context: AuditContext;
  readonly clock: Clock;
  readonly tier?: string;
  /** Takes secrets out of every text before it is written. */
  readonly redact?: (text: string) => string;
  /** Goes on after the last complete event of a run that was stopped. */
  readonly resume?: boolean;
}

export interface AuditLog {
  append(event: AuditEvent, tier?: string): AuditRecord;
  close(): void;
}

type Start = Pick<Verification, 'events' | 'hash' | 'length' | 'sealedFrom'>;

export function openLog(options: LogOptions): AuditLog {
  const { folder, run, project } = options;
  const file = path.join(folder, 'events.jsonl');
  const start: Start = options.resume ? goOn(options) : { events: 0, hash: firstLink(run), length: 0, sealedFrom: 0 };
  const lineKey = keyFor(`line ${run}`, options.key);
  const fixed = { run, project, boot: bootId(), sealedFrom: Math.min(start.sealedFrom, start.events) };
  let { events, hash } = start;
  let flushed = events;
  let isWhole = true;
  // The head comes first: a log without one was tampered with, not interrupted.
  const head = openHead(options.head, options.key);
  if (!options.resume) head.write({ ...fixed, events, hash, flushed, ended: false });
  const output = openForAppend(file, start.length);
  return {
    append(event, tier = options.tier) {
      const record = makeRecord(event, { seq: events, prev: hash, tier: tier ?? null }, options);
      const line = sealJson(serialize(record, options.redact), lineKey);
      // After half a line nothing may follow: the rest would read as forged.
      if (!isWhole) throw new Fault('Internal', 'the record of this run could not be written');
      isWhole = false;
      output.append(Buffer.from(`${line}\n`));
      isWhole = true;
      hash = sha256(line);
      events++;
      if (isDurable(event)) {
        output.flush();
        flushed = events;
      }
      // After the line: a kill between the two leaves one line that could be cut off, none that could be changed.
      head.write({ ...fixed, events, hash, flushed, ended: event.type === 'run-end' });
      return record;
    },
    close() {
      head.close();
      output.close();
    },
  };
}

/** Of the events after the last flush some may be lost with a power cut; the run goes on with those that are left. */
function goOn({ folder, head, project, run, key }: LogOptions): Start {
  const found = verifyLog({ folder, head, project }, run, key);
  if (!found.ok && found.lost === undefined) throw new Fault('IntegrityMismatch', `${folder}: ${found.why ?? ''}`);
  if (found.ended) throw new Fault('AlreadyExists', `${run} has ended`);
  return found;
}

function makeRecord(
  event: AuditEvent,
  link: { seq: number; prev: string; tier: string | null },
  { clock, context }: LogOptions,
): AuditRecord {
  const { request_id, agent_id, user_id } = context;
  const { seq, prev, tier } = link;
  return { ...event, seq, ts: new Date(clock.now()).toISOString(), request_id, agent_id, user_id, tier, prev };
}

// Line breaks inside a text are escaped by JSON, so that no text can look like a line of its own.
function serialize(record: AuditRecord, redact: ((text: string) => string) | undefined): string {
  if (!redact) return JSON.stringify(record);
  return JSON.stringify(record, (key, value: unknown) =>
    typeof value === 'string' && key !== 'prev' ? redact(value) : value,
  );
}
