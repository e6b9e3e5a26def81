// The append-only record of a run: one JSON line per event, each bound to the one before, the end sealed.
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/errors.ts';
import { openForAppend } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { type AuditContext, type AuditEvent, type AuditRecord, isDurable } from './event.ts';
import { writeHead } from './seal.ts';
import { firstLink, type LogPlace, verifyLog } from './verify.ts';

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
  /** Seals what is there; without it the log still verifies, as a run that was killed. */
  close(): void;
}

export function openLog(options: LogOptions): AuditLog {
  const { folder, head, run, key } = options;
  const file = path.join(folder, 'events.jsonl');
  const start = options.resume ? goOn(options) : { events: 0, hash: firstLink(run), length: 0 };
  let { events, hash } = start;
  let ended = false;
  let isWhole = true;
  let sealed: number | undefined;
  const seal = (): void => {
    if (sealed === events) return;
    writeHead(head, { run, events, hash, ended }, key);
    sealed = events;
  };
  // The head comes first: a log without one was tampered with, not interrupted.
  if (!options.resume) seal();
  const output = openForAppend(file, start.length);
  return {
    append(event, tier = options.tier) {
      const record = makeRecord(event, { seq: events, prev: hash, tier: tier ?? null }, options);
      const line = serialize(record, options.redact);
      // After half a line nothing may follow: the rest would read as forged.
      if (!isWhole) throw new Fault('Internal', 'the record of this run could not be written');
      isWhole = false;
      output.append(Buffer.from(`${line}\n`));
      isWhole = true;
      hash = sha256(line);
      events++;
      ended = event.type === 'run-end';
      if (isDurable(event)) {
        output.flush();
        seal();
      }
      return record;
    },
    close() {
      seal();
      output.close();
    },
  };
}

function goOn({ folder, head, run, key }: LogOptions): { events: number; hash: string; length: number } {
  const found = verifyLog({ folder, head }, run, key);
  if (!found.ok) throw new Fault('IntegrityMismatch', `${folder}: ${found.why ?? ''}`);
  if (found.ended) throw new Fault('AlreadyExists', `${run} has ended`);
  return { events: found.events, hash: found.hash, length: found.length };
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
