// Caches parsed frontmatter by its exact bytes: a file whose witness is unchanged is not opened, one that was read is not parsed.
import { readFileSync, type Stats } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, INTERNAL, indexUnreadable } from '../base/diagnostic.ts';
import { makeFolder, writeFileAtomic } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { isNotFound } from '../base/read-file.ts';
import type { ParsedSkill } from '../skill/skill.ts';
import { type CachedEntry, readCachedEntry } from './cached-entry.ts';
import { dropPrototypes, survivesJson } from './free-value.ts';
import { isPlain, PlainSkill } from './plain-skill.ts';
import type { Root } from './roots.ts';
import { ScanRecords } from './scan-records.ts';
import type { FolderEntry, WalkedFolder } from './walk.ts';
import { lookAt, type Witness, witnessOf, witnessScope } from './witness.ts';

/** A file of the walk. */
export interface CachedFile {
  readonly place: WalkedFolder;
  readonly fileName: string;
  /** Where files can be told unchanged by what is seen of them. */
  readonly device: number | undefined;
}

/** What was read now: the first bytes of a buffer are the frontmatter and the folder after it. */
export interface FoundFile extends CachedFile {
  readonly bytes: Buffer;
  readonly keyLength: number;
  /** Before it was read; missing where there is no device. */
  readonly stats: Stats | undefined;
}

export interface IndexCache {
  /** What is in a folder, as an earlier scan has seen it if the folder is still the same; `stats` are older than the list. */
  entriesOf(folder: string, stats: Stats, list: () => FolderEntry[]): readonly FolderEntry[];
  /** What an earlier scan has read, if the file is still the same. */
  recall(wanted: CachedFile): ParsedSkill | PlainSkill | undefined;
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
  /** The time before anything is read. */
  readonly now?: number;
}

// Increment when skill/ parses the same frontmatter differently or words it anew, or records change; a test notices.
export const READER_VERSION = 8;
// A checksum in hex and a line break, after the line that identifies the cache.
const CHECK_LENGTH = 9;
// How a value is stored: only the description of a plain skill, or everything.
const PLAIN = 1;
const WHOLE = 0;
/** Not a skill, but the names in a folder. */
const NAMES = 2;
// Between checksum and records: whose witnesses these are and when they were written.
const AGE_LENGTH = 50;

/** One file for each set of roots, so that entries of removed skills are dropped. */
export function openIndexCache(order: IndexCacheOrder): IndexCache {
  const roots = order.roots.map((root) => root.folder);
  const scope = scopeLine([READER_VERSION, order.blockAngleBrackets, order.deep, roots]);
  const file = path.join(order.folder, `${checksum(scope)}.records`);
  const { content, problem } = readKnown(file, scope);
  const now = order.now ?? Date.now();
  const ageStart = scope.length + CHECK_LENGTH;
  const age = openAge(content.subarray(ageStart), now);
  const records = new ScanRecords(content, ageStart + AGE_LENGTH, age.isTrusted);
  const { known } = records;
  const words: Words = new Map();
  const take = (at: number, wanted: CachedFile, witness: Witness | undefined) => {
    const isPlainOne = known.markAt(at) === PLAIN;
    const entry = isPlainOne ? undefined : readCachedEntry(known.valueAt(at));
    if (!isPlainOne && !entry) return undefined;
    records.keep(at, witness);
    return entry ? restore(entry, fileOf(wanted), words) : new PlainSkill(wanted.place.name, known, at);
  };
  return {
    ...(problem && { problem }),
    entriesOf: (folder, stats, list) => entriesOf(records, { folder, stats, now }, list),
    recall(wanted) {
      const { place, fileName, device } = wanted;
      const at = age.isTrusted && device !== undefined ? records.placeOf(place.folderName) : undefined;
      if (at === undefined || device === undefined || known.hasWitness(at, undefined)) return undefined;
      const witness = lookAt(`${place.near}/${fileName}`, device);
      return witness && known.hasWitness(at, witness) ? take(at, wanted, witness) : undefined;
    },
    find(found) {
      const at = records.placeOf(found.place.folderName);
      if (at === undefined || !known.hasKey(at, found.bytes, found.keyLength)) return undefined;
      return take(at, found, witnessOf(found, now));
    },
    add(found, parsed) {
      const { place, bytes, keyLength } = found;
      records.drop(place.folderName);
      if (!canBeKept(parsed, fileOf(found))) return parsed;
      const record = { bytes, keyLength, witness: witnessOf(found, now) };
      const added = records.rewrite();
      if (parsed.manifest && isPlain(parsed, place.name)) {
        const { description } = parsed.manifest;
        return new PlainSkill(place.name, added, added.add({ ...record, mark: PLAIN, value: description }));
      }
      added.add({ ...record, mark: WHOLE, value: JSON.stringify(toEntry(parsed)) });
      return parsed;
    },
    save() {
      const changed = records.changed();
      if (!changed) return;
      changed.write(age.line, ageStart, 'latin1');
      writeRecords(file, scope, changed);
    },
  };
}

/** Of a length that lets the words of what follows lie where they can be summed without a copy. */
function scopeLine(scope: readonly unknown[]): Buffer {
  const line = JSON.stringify(scope);
  const over = (Buffer.byteLength(line) + 1 + CHECK_LENGTH) % 4;
  return Buffer.from(`${line}${' '.repeat(over === 0 ? 0 : 4 - over)}\n`);
}

function entriesOf(
  records: ScanRecords,
  { folder, stats, now }: { readonly folder: string; readonly stats: Stats; readonly now: number },
  list: () => FolderEntry[],
): readonly FolderEntry[] {
  const { known, isTrusted } = records;
  // No skill's folder begins like this.
  const name = `/${folder}`;
  const at = records.placeOf(name);
  if (at !== undefined && isTrusted && known.hasWitness(at, stats)) {
    records.keep(at, stats);
    return readEntries(known.valueAt(at));
  }
  const entries = list();
  const value = writeEntries(entries);
  const witness = witnessOf({ stats, device: stats.dev }, now);
  if (at !== undefined && known.valueAt(at) === value) records.keep(at, witness);
  else {
    const key = Buffer.from(`\0${name}`);
    records.drop(name);
    records.rewrite().add({ bytes: key, keyLength: key.length, mark: NAMES, value, witness });
  }
  return entries;
}

// A name holds neither of these characters; the second marks a link.
const [BETWEEN, LINK] = ['\0', '/'];

function writeEntries(entries: readonly FolderEntry[]): string {
  const leading = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  return leading.map((entry) => (entry.isSymbolicLink() ? entry.name + LINK : entry.name)).join(BETWEEN);
}

function readEntries(value: string): FolderEntry[] {
  if (value === '') return [];
  return value.split(BETWEEN).map((name) => {
    const isLink = name.endsWith(LINK);
    return isLink ? new KnownEntry(name.slice(0, -1), true) : new KnownEntry(name, false);
  });
}

class KnownEntry implements FolderEntry {
  readonly name: string;
  readonly #isLink: boolean;

  constructor(name: string, isLink: boolean) {
    this.name = name;
    this.#isLink = isLink;
  }

  isDirectory(): boolean {
    return !this.#isLink;
  }

  isSymbolicLink(): boolean {
    return this.#isLink;
  }
}

function fileOf({ place, fileName }: CachedFile): string {
  return `${place.folder}/${fileName}`;
}

/** Witnesses count for one scope, and while the clock has not been set back since they were taken. */
function openAge(content: Buffer, now: number): { readonly isTrusted: boolean; readonly line: string } {
  const scope = witnessScope();
  const name = sha256(scope ?? '').slice(0, 32);
  const [before, time] = content.toString('latin1', 0, AGE_LENGTH).split(' ');
  return {
    isTrusted: scope !== undefined && before === name && Number(time) <= now,
    line: `${name} ${String(now).padStart(AGE_LENGTH - 34, '0')}\n`,
  };
}

/** A missing, foreign, old or damaged file is an empty cache; one that cannot be read is reported. */
function readKnown(file: string, scope: Buffer): { content: Buffer; problem?: Diagnostic } {
  const nothing = Buffer.alloc(scope.length + CHECK_LENGTH + AGE_LENGTH);
  try {
    const content = readFileSync(file);
    const records = content.subarray(scope.length + CHECK_LENGTH);
    const check = content.toString('latin1', scope.length, scope.length + CHECK_LENGTH);
    if (records.length >= AGE_LENGTH && content.indexOf(scope) === 0 && check === `${checksum(records)}\n`)
      return { content };
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
  const count = content.length >> 2;
  // Words lie at multiples of four.
  const isAligned = content.byteOffset % 4 === 0;
  const { buffer, byteOffset } = isAligned ? content : new Uint8Array(content);
  const words = new Int32Array(buffer, byteOffset, count);
  let [one, two, three, four] = [content.length, 1, 2, 3];
  // Every step is invertible, so that no change of one word is lost. Four sums at once do not wait for each other.
  let at = 0;
  for (; at + 3 < count; at += 4) {
    one = mix(one, words[at] ?? 0);
    two = mix(two, words[at + 1] ?? 0);
    three = mix(three, words[at + 2] ?? 0);
    four = mix(four, words[at + 3] ?? 0);
  }
  let sum = mix(mix(mix(one, two), three), four);
  for (let byte = at * 4; byte < content.length; byte++) sum = mix(sum, content[byte] ?? 0);
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
