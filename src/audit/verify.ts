// Verifies a hash-chained record: any edited, lost, moved or added line is found, and so is a truncated end.
import type { KeyObject } from 'node:crypto';
import path from 'node:path';
import { sha256 } from '../base/ids.ts';
import { isRecord, jsonIfValid } from '../base/json.ts';
import { readIfThere, readTextIfThere } from '../base/read-file.ts';
import type { AuditRecord } from './event.ts';
import { type Head, type ProjectMark, readHead } from './head.ts';
import { readAuditRecord } from './read-event.ts';
import { keyFor, unsealJson } from './seal.ts';

/** What every line of a chain has, whatever else it says. */
export interface ChainRecord {
  readonly type: string;
  readonly seq: number;
  /** The hash of the line before. */
  readonly prev: string;
}

export interface Verification<One extends ChainRecord = AuditRecord> {
  readonly ok: boolean;
  /** Complete events with a valid hash chain. */
  readonly events: number;
  /** The first event that does not verify. */
  readonly broken_at?: number;
  readonly why?: string;
  /** The last line is partial, as after a kill. */
  readonly torn: boolean;
  readonly ended: boolean;
  /** Events missing at the end that a power cut may have taken: the machine was restarted since. */
  readonly lost?: number;
  /** Hash of the last good line, and where it ends in the file. */
  readonly hash: string;
  readonly length: number;
  /** The first event with a seal. */
  readonly sealedFrom: number;
  /** From exactly the bytes that were verified: the file may change a moment later. */
  readonly records: readonly One[];
}

/** Where a record is: its folder, the file with its sealed head, and the project it must belong to. */
export interface LogPlace {
  /** Holds events.jsonl. */
  readonly folder: string;
  readonly head: string;
  readonly project: ProjectMark;
}

export function verifyLog(place: LogPlace, run: string, key: Uint8Array): Verification {
  return verifyChain(place, run, key, readAuditRecord);
}

/** `read` says what a line must be beside being one of this chain; undefined: it is none. */
export function verifyChain<One extends ChainRecord>(
  place: LogPlace,
  run: string,
  key: Uint8Array,
  read: ReadRecord<One>,
): Verification<One> {
  // In this order: of a running run, the log may have grown meanwhile, and never lags behind its head.
  const head = readHead(place.head, key);
  const bytes = readLog(place.folder);
  const sealedFrom = typeof head === 'object' ? head.sealedFrom : Number.POSITIVE_INFINITY;
  const lineKey = keyFor(`line ${run}`, key);
  const chain = followChain(bytes, run, { from: sealedFrom, key: lineKey }, read);
  const { events, hash, length, why, records } = chain;
  const ended = typeof head === 'object' && head.ended;
  const base = { events, torn: length < bytes.length && why === undefined, ended, hash, length, sealedFrom, records };
  const broken = why === undefined ? compareHead(head, { run, place, chain, bytes, lineKey }) : { why };
  return broken === undefined ? { ok: true, ...base } : { ok: false, ...base, broken_at: events, ...broken };
}

/** The hash the first line refers to: a log cannot be passed off as that of another run. */
export function firstLink(run: string): string {
  return sha256(`skillwright audit log 1\n${run}`);
}

/** One boot of this machine, by its kernel's boot id; empty where there is none. */
export function bootId(): string {
  return readTextIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

export function readRecords(folder: string): AuditRecord[] {
  const text = readLog(folder).toString('utf8');
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => parseRecord(line, readAuditRecord) ?? []);
}

type ReadRecord<One> = (value: Record<string, unknown>) => One | undefined;

interface Followed<One> {
  readonly events: number;
  readonly hash: string;
  readonly length: number;
  readonly hashes: readonly string[];
  readonly records: readonly One[];
  readonly why?: string;
}

function followChain<One extends ChainRecord>(
  bytes: Buffer,
  run: string,
  seals: { readonly from: number; readonly key: KeyObject },
  read: ReadRecord<One>,
): Followed<One> {
  const hashes = [firstLink(run)];
  const records: One[] = [];
  let hash = firstLink(run);
  let length = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, length)) {
    const line = bytes.subarray(length, end);
    const events = records.length;
    const link = { seq: events, prev: hash };
    const found = readLine(line.toString('utf8'), link, events >= seals.from ? seals.key : undefined, read);
    if (typeof found === 'string') return { events, hash, length, hashes, records, why: found };
    records.push(found);
    hash = sha256(line);
    hashes.push(hash);
    length = end + 1;
  }
  return { events: records.length, hash, length, hashes, records };
}

/** The record, or why it does not belong to this log. */
function readLine<One extends ChainRecord>(
  line: string,
  link: { seq: number; prev: string },
  key: KeyObject | undefined,
  read: ReadRecord<One>,
): One | string {
  const record = parseRecord(line, read);
  if (!record) return 'not a record';
  if (record.seq !== link.seq) return 'out of order';
  if (record.prev !== link.prev) return 'does not follow from the line before';
  if (key && unsealJson(line, key) === undefined) return 'its seal is not ours';
  return record;
}

interface Compared {
  readonly run: string;
  readonly place: LogPlace;
  readonly chain: Followed<ChainRecord>;
  readonly bytes: Buffer;
  readonly lineKey: KeyObject;
}

function compareHead(
  head: Head | 'forged' | undefined,
  { run, place, chain, bytes, lineKey }: Compared,
): Pick<Verification, 'why' | 'lost'> | undefined {
  if (head === undefined)
    return { why: isSealedElsewhere(bytes, lineKey) ? OTHER_HOME : 'its sealed head is missing under home' };
  if (head === 'forged' || head.run !== run) return { why: 'the seal is not ours' };
  if (!isOfProject(head, place)) return { why: OTHER_PROJECT };
  if (head.events > chain.events) return describeMissing(head, chain.events);
  if (chain.hashes[head.events] !== head.hash) return { why: 'not what was sealed' };
  if (head.ended && (head.events < chain.events || chain.length < bytes.length))
    return { why: 'something was added after the end' };
  return undefined;
}

/** The lines carry seals, and not those of this home. */
function isSealedElsewhere(bytes: Buffer, key: KeyObject): boolean {
  const line = bytes.subarray(0, Math.max(0, bytes.indexOf(10))).toString('utf8');
  return line.includes('"seal":"') && unsealJson(line, key) === undefined;
}

export const OTHER_HOME = 'sealed under another home: cannot be verified here';
export const OTHER_PROJECT = 'it belongs to another project';

/** By its path, or by the identity of the folder, which survives a move. */
function isOfProject({ project }: Head, { head, project: here }: LogPlace): boolean {
  if (!project) return path.basename(path.dirname(head)) === here.path;
  return project.path === here.path || (project.folder !== '' && project.folder === here.folder);
}

function describeMissing(head: Head, events: number): Pick<Verification, 'why' | 'lost'> {
  const isSameStart = head.boot !== '' && head.boot === bootId();
  if (events < head.flushed || isSameStart || head.ended) return { why: 'the end is missing' };
  const lost = head.events - events;
  return { lost, why: `the last ${lost} events are missing: cut off, or lost in a power cut` };
}

function parseRecord<One>(line: string, read: ReadRecord<One>): One | undefined {
  const value = jsonIfValid(line);
  return isRecord(value) ? read(value) : undefined;
}

function readLog(folder: string): Buffer {
  return readIfThere(path.join(folder, 'events.jsonl')) ?? Buffer.alloc(0);
}
