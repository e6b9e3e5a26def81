// Remembers how frontmatter was read, by the hash of its bytes: it saves parsing, never reading, so it cannot be stale.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic } from '../base/diagnostic.ts';
import { makeFolder, writeFileAtomic } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import type { Manifest, ParsedSkill } from '../skill/skill.ts';
import { dropPrototypes, survivesJson } from './free-value.ts';
import { GrowingBuffer } from './growing-buffer.ts';
import { type Descriptions, isPlain } from './plain-skill.ts';
import type { Root } from './roots.ts';

export interface IndexCache extends Descriptions {
  /** What was read from content with this key, or where the description of a plain skill stands; `file` is its place now. */
  find(key: string, file: string): ParsedSkill | number | undefined;
  /** Keeps a fresh reading; says where its description stands if that is all there is to keep. */
  add(key: string, file: string, name: string, parsed: ParsedSkill): number | undefined;
  /** Keeps what this scan has seen and forgets the rest; writes only when that changed something. */
  save(): void;
}

export interface IndexCacheOrder {
  readonly folder: string;
  readonly roots: readonly Root[];
  readonly deep: boolean;
  readonly blockAngleBrackets: boolean;
}

// Raise it when skill/ reads the same frontmatter differently; a test notices.
export const READER_VERSION = 1;
// Two hashes in hex, a space and a line break.
const HEADER_LENGTH = 130;
// SHA-256 in hex.
const KEY_LENGTH = 64;
const LINE_FEED = 0x0a;
// Behind the key: whether the description follows, or the whole reading.
const PLAIN = '+';
const WHOLE = '-';

/** A line that is not plain: manifest, diagnostics without their path. */
type Entry = readonly [manifest: Manifest | null, diagnostics: readonly Omit<Diagnostic, 'path'>[]];

/** One file for each set of roots, so that what is gone from the roots goes from the file. */
export function openIndexCache(order: IndexCacheOrder): IndexCache {
  const roots = order.roots.map((root) => root.folder);
  const scope = sha256(JSON.stringify([READER_VERSION, order.blockAngleBrackets, order.deep, roots]));
  const file = path.join(order.folder, `${scope.slice(0, 32)}.lines`);
  const known = readKnown(file, scope);
  const findPlace = makeFinder(known);
  // What this scan has seen: the file up to `next`, until something differs and the lines are written anew.
  let next = HEADER_LENGTH;
  let lines: GrowingBuffer | undefined;
  const write = (line: string | Uint8Array) => {
    lines ??= new GrowingBuffer(known.subarray(0, next));
    return lines.add(line);
  };
  return {
    find(key, skillFile) {
      const place = findPlace(key, next);
      if (place === undefined) return undefined;
      const end = known.indexOf(LINE_FEED, place) + 1;
      const at = place === next && !lines ? place : write(known.subarray(place, end));
      next = end;
      if (known[place + KEY_LENGTH] === PLAIN.charCodeAt(0)) return at;
      return restore(JSON.parse(known.toString('utf8', place + KEY_LENGTH + 1, end)), skillFile);
    },
    add(key, skillFile, name, parsed) {
      if (isPlain(parsed, name)) return write(`${key}${PLAIN}${JSON.stringify(parsed.manifest?.description)}\n`);
      if (canBeKept(parsed, skillFile)) write(`${key}${WHOLE}${JSON.stringify(toEntry(parsed))}\n`);
      return undefined;
    },
    describe(at) {
      const content = lines?.content ?? known;
      return JSON.parse(content.toString('utf8', at + KEY_LENGTH + 1, content.indexOf(LINE_FEED, at)));
    },
    save() {
      if (lines || next < known.length) writeLines(file, scope, lines?.written() ?? known.subarray(0, next));
    },
  };
}

/** Scans see the same skills in the same order, so the next line is nearly always the right one. */
function makeFinder(known: Buffer): (key: string, next: number) => number | undefined {
  let places: Map<string, number> | undefined;
  return (key, next) => {
    if (keyAt(known, next) === key) return next;
    places ??= listPlaces(known);
    return places.get(key);
  };
}

function listPlaces(known: Buffer): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = HEADER_LENGTH; at < known.length; at = known.indexOf(LINE_FEED, at) + 1) {
    places.set(keyAt(known, at), at);
  }
  return places;
}

function keyAt(known: Buffer, place: number): string {
  return known.toString('latin1', place, place + KEY_LENGTH);
}

/** A missing, foreign, old or damaged file is an empty cache. */
function readKnown(file: string, scope: string): Buffer {
  try {
    const content = readFileSync(file);
    const isWhole = content.at(-1) === LINE_FEED;
    if (isWhole && content.toString('latin1', 0, HEADER_LENGTH) === header(scope, content)) return content;
  } catch {
    // Nothing remembered yet.
  }
  return Buffer.alloc(HEADER_LENGTH);
}

/** A home that cannot be written costs time at the next start, nothing else. */
function writeLines(file: string, scope: string, content: Buffer): void {
  content.write(header(scope, content), 'latin1');
  try {
    makeFolder(path.dirname(file));
    writeFileAtomic(file, content);
  } catch {
    return;
  }
}

/** What the entries are for, and the hash of all that follows. */
function header(scope: string, content: Buffer): string {
  return `${scope} ${sha256(content.subarray(HEADER_LENGTH))}\n`;
}

function toEntry({ manifest, diagnostics }: ParsedSkill): Entry {
  return [manifest ?? null, diagnostics.map(({ path: _, ...rest }) => rest)];
}

function restore([manifest, diagnostics]: Entry, file: string): ParsedSkill {
  const found = diagnostics.map((diagnostic) => ({ ...diagnostic, path: file }));
  if (!manifest) return { diagnostics: found };
  dropPrototypes(manifest.metadata);
  dropPrototypes(manifest.unknown);
  return { manifest, diagnostics: found };
}

/** Only what JSON gives back unchanged, and what speaks of this file alone. */
function canBeKept({ manifest, diagnostics }: ParsedSkill, file: string): boolean {
  if (!diagnostics.every((diagnostic) => diagnostic.path === file)) return false;
  if (manifest === undefined) return true;
  const { metadata, unknown, params, actions } = manifest;
  // Everything else is text or a flag.
  return survivesJson(metadata) && survivesJson(unknown) && survivesJson(params) && survivesJson(actions);
}
