// Caches parsed frontmatter, keyed by its exact bytes: it saves parsing, never reading, so it cannot be stale.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, INTERNAL, indexUnreadable } from '../base/diagnostic.ts';
import { makeFolder, writeFileAtomic } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { isNotFound } from '../base/read-file.ts';
import type { ParsedSkill } from '../skill/skill.ts';
import { type CachedEntry, readCachedEntry } from './cached-entry.ts';
import { dropPrototypes, survivesJson } from './free-value.ts';
import { isPlain, PlainSkill } from './plain-skill.ts';
import { RecordBuffer } from './record-buffer.ts';
import type { Root } from './roots.ts';

/** What was read now: the first bytes of a buffer are the frontmatter and the name after it. */
export interface FoundFile {
  readonly name: string;
  readonly file: string;
  readonly bytes: Buffer;
  readonly keyLength: number;
}

export interface IndexCache {
  find(found: FoundFile): ParsedSkill | PlainSkill | undefined;
  /** Caches a fresh parse result, and returns the part worth holding. */
  add(found: FoundFile, parsed: ParsedSkill): ParsedSkill | PlainSkill;
  /** Why the cache could not be read. */
  readonly problem?: Diagnostic;
  /** Keeps what this scan has seen and drops the rest; writes only when that changed something. */
  save(): void;
}

export interface IndexCacheOrder {
  readonly folder: string;
  readonly roots: readonly Root[];
  readonly deep: boolean;
  readonly blockAngleBrackets: boolean;
}

// Increment when skill/ parses the same frontmatter differently or words it anew; a test notices.
export const READER_VERSION = 7;
// A checksum in hex and a line break, after the line that identifies the cache.
const CHECK_LENGTH = 9;
// How a value is stored: only the description of a plain skill, or everything.
const PLAIN = 1;
const WHOLE = 0;

/** One file for each set of roots, so that entries of removed skills are dropped. */
export function openIndexCache(order: IndexCacheOrder): IndexCache {
  const roots = order.roots.map((root) => root.folder);
  const scope = Buffer.from(`${JSON.stringify([READER_VERSION, order.blockAngleBrackets, order.deep, roots])}\n`);
  const file = path.join(order.folder, `${checksum(scope)}.records`);
  const { content, problem } = readKnown(file, scope);
  const known = new RecordBuffer(content);
  const start = scope.length + CHECK_LENGTH;
  const findPlace = makeFinder(known, start);
  // What this scan has seen: the file up to `next`, until something differs and the records are rewritten.
  let next = start;
  let written: RecordBuffer | undefined;
  const words: Words = new Map();
  const rewrite = () => {
    written ??= new RecordBuffer(known.slice(0, next));
    return written;
  };
  return {
    ...(problem && { problem }),
    find(found) {
      const place = findPlace(found, next);
      if (place === undefined) return undefined;
      const isPlainOne = known.markAt(place) === PLAIN;
      const entry = isPlainOne ? undefined : readCachedEntry(known.valueAt(place));
      if (!isPlainOne && !entry) return undefined;
      const end = known.endOf(place);
      if (written || place !== next) rewrite().addCopy(known.slice(place, end));
      next = end;
      return entry ? restore(entry, found.file, words) : new PlainSkill(found.name, known, place);
    },
    add({ name, file: skillFile, bytes, keyLength }, parsed) {
      if (parsed.manifest && isPlain(parsed, name)) {
        const records = rewrite();
        return new PlainSkill(name, records, records.add(bytes, keyLength, PLAIN, parsed.manifest.description));
      }
      if (canBeKept(parsed, skillFile)) rewrite().add(bytes, keyLength, WHOLE, JSON.stringify(toEntry(parsed)));
      return parsed;
    },
    save() {
      if (written || next < known.length) writeRecords(file, scope, written?.slice(0) ?? known.slice(0, next));
    },
  };
}

/** Scans see the same skills in the same order, so the next record is nearly always the right one. */
function makeFinder(known: RecordBuffer, start: number): (found: FoundFile, next: number) => number | undefined {
  let places: Map<string, number> | undefined;
  return ({ bytes, keyLength }, next) => {
    if (known.hasKey(next, bytes, keyLength)) return next;
    places ??= listPlaces(known, start);
    return places.size === 0 ? undefined : places.get(sha256(bytes.subarray(0, keyLength)));
  };
}

function listPlaces(known: RecordBuffer, start: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = start; at < known.length; at = known.endOf(at)) places.set(sha256(known.keyAt(at)), at);
  return places;
}

/** A missing, foreign, old or damaged file is an empty cache; one that cannot be read is reported. */
function readKnown(file: string, scope: Buffer): { content: Buffer; problem?: Diagnostic } {
  const nothing = Buffer.alloc(scope.length + CHECK_LENGTH);
  try {
    const content = readFileSync(file);
    const records = content.subarray(scope.length + CHECK_LENGTH);
    const check = content.toString('latin1', scope.length, scope.length + CHECK_LENGTH);
    if (content.indexOf(scope) === 0 && check === `${checksum(records)}\n`) return { content };
  } catch (error) {
    if (!isNotFound(error)) return { content: nothing, problem: indexUnreadable(file, error) };
  }
  return { content: nothing };
}

/** A home that is not writable only costs time at the next start. */
function writeRecords(file: string, scope: Buffer, content: Buffer): void {
  scope.copy(content);
  content.write(`${checksum(content.subarray(scope.length + CHECK_LENGTH))}\n`, scope.length, 'latin1');
  try {
    makeFolder(path.dirname(file));
    writeFileAtomic(file, content);
  } catch {
    return;
  }
}

/**
 * Detects damage, not attacks: an attacker who can write below home does not need the cache.
 * Our own, because `crc32` loads all of node:zlib, which takes longer than this takes for thousands of skills.
 */
export function checksum(content: Buffer): string {
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const words = content.length >> 2;
  let sum = content.length;
  // Every step is invertible, so that no change of one word is lost.
  for (let at = 0; at < words; at++) sum = mix(sum, view.getInt32(at * 4, true));
  for (let at = words * 4; at < content.length; at++) sum = mix(sum, view.getUint8(at));
  return (sum >>> 0).toString(16).padStart(8, '0');
}

function mix(sum: number, value: number): number {
  const mixed = Math.imul(sum ^ value, 0x01000193);
  return mixed ^ (mixed >>> 15);
}

function toEntry({ manifest, diagnostics, name }: ParsedSkill): CachedEntry {
  return [manifest ?? null, diagnostics.map(({ path: _, ...rest }) => rest), name ?? null];
}

function restore([manifest, diagnostics, name]: CachedEntry, file: string, words: Words): ParsedSkill {
  const found = diagnostics.map((diagnostic) => ({ ...diagnostic, ...sharedWords(words, diagnostic), path: file }));
  if (!manifest) return { ...(name !== null && { name }), diagnostics: found };
  dropPrototypes(manifest.metadata);
  dropPrototypes(manifest.unknown);
  return { manifest, diagnostics: found };
}

/** The same is said about many skills, in each language: it is held once. */
type Words = Map<string, Pick<Diagnostic, 'code' | 'message' | 'zh'>>;

function sharedWords(words: Words, { code, message, zh }: Omit<Diagnostic, 'path'>) {
  const known = words.get(message);
  if (known?.code === code && known.zh.message === zh.message && known.zh.fix === zh.fix) return known;
  const said = { code, message, zh };
  words.set(message, said);
  return said;
}

/** Only what JSON returns unchanged, and what concerns this file alone. */
function canBeKept({ manifest, diagnostics }: ParsedSkill, file: string): boolean {
  if (!diagnostics.every(({ path: at, code }) => at === file && code !== INTERNAL)) return false;
  if (manifest === undefined) return true;
  const { metadata, unknown, params, actions } = manifest;
  // Everything else is text or a flag.
  return survivesJson(metadata) && survivesJson(unknown) && survivesJson(params) && survivesJson(actions);
}
