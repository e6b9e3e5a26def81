// Is the record of a run still what was written? Any edited, lost, moved or added line is found, and so is a cut end.
import path from 'node:path';
import { sha256 } from '../base/ids.ts';
import { readIfThere } from '../base/read-file.ts';
import type { AuditRecord } from './event.ts';
import { type Head, readHead } from './seal.ts';

export interface Verification {
  readonly ok: boolean;
  /** Complete events that follow from each other. */
  readonly events: number;
  /** The first event that does not belong. */
  readonly broken_at?: number;
  readonly why?: string;
  /** The last line is half written, as by a kill. */
  readonly torn: boolean;
  readonly ended: boolean;
  /** Of the last good line, and where it ends in the file. */
  readonly hash: string;
  readonly length: number;
}

/** Where the record of a run lies: its folder, and the file with its sealed head. */
export interface LogPlace {
  /** Holds events.jsonl. */
  readonly folder: string;
  readonly head: string;
}

export function verifyLog(place: LogPlace, run: string, key: Uint8Array): Verification {
  const bytes = readLog(place.folder);
  const chain = followChain(bytes, run);
  const head = readHead(place.head, key);
  const isEnded = typeof head === 'object' && head.ended;
  const broken = chain.why ?? compareHead(head, run, chain, bytes.length);
  const { events, hash, length } = chain;
  const base = { events, torn: length < bytes.length && chain.why === undefined, ended: isEnded, hash, length };
  return broken === undefined ? { ok: true, ...base } : { ok: false, ...base, broken_at: events, why: broken };
}

/** What the first line points back to: a log cannot be passed off as that of another run. */
export function firstLink(run: string): string {
  return sha256(`skillwright audit log 1\n${run}`);
}

export function readRecords(folder: string): AuditRecord[] {
  const text = readLog(folder).toString('utf8');
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => parseRecord(line) ?? []);
}

interface Chain {
  readonly events: number;
  readonly hash: string;
  readonly length: number;
  readonly hashes: readonly string[];
  readonly why?: string;
}

function followChain(bytes: Buffer, run: string): Chain {
  const hashes = [firstLink(run)];
  let hash = firstLink(run);
  let length = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, length)) {
    const line = bytes.subarray(length, end);
    const events = hashes.length - 1;
    const record = parseRecord(line.toString('utf8'));
    if (!record) return { events, hash, length, hashes, why: 'not a record' };
    if (record.seq !== events) return { events, hash, length, hashes, why: 'out of order' };
    if (record.prev !== hash) return { events, hash, length, hashes, why: 'does not follow from the line before' };
    hash = sha256(line);
    hashes.push(hash);
    length = end + 1;
  }
  return { events: hashes.length - 1, hash, length, hashes };
}

function compareHead(head: Head | 'forged' | undefined, run: string, chain: Chain, size: number): string | undefined {
  if (head === undefined) return 'its sealed head is missing under home';
  if (head === 'forged' || head.run !== run) return 'the seal is not ours';
  if (head.events > chain.events) return 'the end is missing';
  if (chain.hashes[head.events] !== head.hash) return 'not what was sealed';
  if (head.ended && (head.events < chain.events || chain.length < size)) return 'something was added after the end';
  return undefined;
}

function parseRecord(line: string): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'type' in value ? (value as AuditRecord) : undefined;
  } catch {
    return undefined;
  }
}

function readLog(folder: string): Buffer {
  return readIfThere(path.join(folder, 'events.jsonl')) ?? Buffer.alloc(0);
}
