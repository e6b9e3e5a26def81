// Texts beside the log: redacted, truncated, readable by their owner only, referenced by position and hash.
import { type Dirent, lstatSync } from 'node:fs';
import path from 'node:path';
import { asBuffer } from '../base/bytes.ts';
import { addFolder, removeTree } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import type { Later } from '../base/later.ts';
import { type AppendFile, openForAppend } from '../base/open-file.ts';
import { entriesIfThere, readPartIfThere } from '../base/read-file.ts';
import { type AuditRecord, type TextRef, textsOf } from './event.ts';

export interface TextKeeper {
  keep(text: string | Uint8Array): TextRef;
  close(): void;
}

export interface KeeperOptions {
  /** The folder of the run. */
  readonly folder: string;
  readonly redact: (text: string) => string;
  /** Keep hashes only. */
  readonly private: boolean;
  /** The number of the file with the texts of this part of the run. */
  readonly part: number;
  readonly later: Later;
}

const TEXT_LIMIT = 1024 * 1024;
const RUN_LIMIT = 64 * 1024 * 1024;
/** Searched beyond what is kept, so that a secret across the cut is still found whole. */
const BEYOND_CUT = 64 * 1024;

/** All texts of one part of a run are in one file: creating a file costs more than everything else about a text. */
export function createKeeper({ folder, redact, private: isPrivate, part, later }: KeeperOptions): TextKeeper {
  const name = `observations/${String(part).padStart(5, '0')}.txt`;
  let file: AppendFile | undefined;
  let count = 0;
  let end = 0;
  const write = (bytes: Uint8Array): void => {
    if (!file) addFolder(path.join(folder, 'observations'));
    file ??= openForAppend(path.join(folder, name), 0);
    file.append(bytes);
  };
  return {
    keep(text) {
      const { head, bytes, isCut } = headOf(text, TEXT_LIMIT + BEYOND_CUT);
      const clean = Buffer.from(redact(head));
      const stored = clean.subarray(0, wholeCharacters(clean, TEXT_LIMIT));
      const ref = { sha256: sha256(stored), bytes };
      const cut = (stored.length < clean.length || isCut) && { cut: true };
      if (isPrivate || end + stored.length > RUN_LIMIT) return { ...ref, ...cut };
      const title = titleOf(++count, end);
      const at = end + title.length;
      later.add(() => write(Buffer.concat([title, stored])));
      end = at + stored.length;
      return { ...ref, ref: `${name}#${count}`, at: [at, stored.length], ...cut };
    },
    close: () => file?.close(),
  };
}

/** The beginning of a text, and its length; no more bytes are decoded than that. */
function headOf(text: string | Uint8Array, limit: number): { head: string; bytes: number; isCut: boolean } {
  const isCut = text.length > limit;
  if (typeof text === 'string') return { head: text.slice(0, limit), bytes: Buffer.byteLength(text), isCut };
  return { head: asBuffer(text).toString('utf8', 0, limit), bytes: text.length, isCut };
}

/** The bytes of a text; undefined when they were not kept or are gone. */
export function readKeptBytes(folder: string, { ref, at }: Pick<TextRef, 'ref' | 'at'>): Buffer | undefined {
  const file = fileOf(folder, ref);
  if (file === undefined || !at) return undefined;
  const [start, length] = at;
  if (!(start >= 0 && length >= 0 && length <= TEXT_LIMIT)) return undefined;
  return readPartIfThere(file, { at: start, length });
}

/** A title for people who open the file itself. */
export function titleOf(count: number, end: number): Buffer {
  return Buffer.from(`${end === 0 ? '' : '\n'}=== text ${count} ===\n`);
}

/** A kept text: its file, and the event that references it first. */
export interface KeptText extends TextRef {
  readonly ref: string;
  readonly at: readonly [start: number, length: number];
  readonly file: string;
  readonly seq: number;
}

/** Which texts are in which file, in file order. */
export function keptIn(records: readonly AuditRecord[]): Map<string, KeptText[]> {
  const kept = new Map<string, KeptText>();
  for (const record of records) {
    for (const { ref, at, ...rest } of textsOf(record)) {
      const [, name] = REFERENCE.exec(ref ?? '') ?? [];
      if (ref === undefined || name === undefined || !at || kept.has(ref)) continue;
      kept.set(ref, { ...rest, ref, at, file: `observations/${name}`, seq: record.seq });
    }
  }
  return Map.groupBy(
    [...kept.values()].sort((a, b) => a.at[0] - b.at[0]),
    ({ file }) => file,
  );
}

/** Text after the last recorded one was left by a kill and is unreferenced: removed before the run continues. */
export function cutUnrecorded(folder: string, records: readonly AuditRecord[]): void {
  const files = keptIn(records);
  const observations = path.join(folder, 'observations');
  if (!lstatSync(observations, { throwIfNoEntry: false })?.isDirectory()) return;
  const isOurs = (entry: Dirent) => entry.isFile() && /^\d{5}\.txt$/.test(entry.name);
  for (const { name } of entriesIfThere(observations).filter(isOurs)) {
    const file = path.join(observations, name);
    const [start, length] = files.get(`observations/${name}`)?.at(-1)?.at ?? [0, 0];
    if (length + start === 0) removeTree(file);
    else if (lstatSync(file).size > start + length) openForAppend(file, start + length).close();
  }
}

function fileOf(folder: string, ref: string | undefined): string | undefined {
  const [, name] = REFERENCE.exec(ref ?? '') ?? [];
  return name === undefined ? undefined : path.join(folder, 'observations', name);
}

/** The highest text file number that a record references. */
export function lastPart(records: unknown): number {
  const parts = [...JSON.stringify(records).matchAll(/"observations\/(\d{5})\.txt#/g)];
  return Math.max(0, ...parts.map(([, part]) => Number(part)));
}

const REFERENCE = /^observations\/(\d{5}\.txt)#\d+$/;

/** The most bytes up to the limit that do not split a character. */
function wholeCharacters(bytes: Uint8Array, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  let end = limit;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
