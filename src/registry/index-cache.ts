// Remembers how frontmatter was read, by the hash of its bytes: it saves parsing, never reading, so it cannot be stale.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic } from '../base/diagnostic.ts';
import { makeFolder, writeFileAtomic } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import type { Manifest, ParsedSkill } from '../skill/skill.ts';
import type { Root } from './roots.ts';

export interface IndexCache {
  /** What was read from content with this key; `file` is where it stands now. */
  find(key: string, file: string): ParsedSkill | undefined;
  add(key: string, file: string, parsed: ParsedSkill): void;
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
// SHA-256 in base64url.
const KEY_LENGTH = 43;
const LINE_FEED = 0x0a;
const FIRST_SIZE = 1024 * 1024;

/** What a line holds behind its key: manifest, diagnostics without their path. */
type Entry = readonly [manifest: Manifest | null, diagnostics?: readonly Omit<Diagnostic, 'path'>[]];

/** One file for each set of roots, so that what is gone from the roots goes from the file. */
export function openIndexCache(order: IndexCacheOrder): IndexCache {
  const roots = order.roots.map((root) => root.folder);
  const scope = sha256(JSON.stringify([READER_VERSION, order.blockAngleBrackets, order.deep, roots]));
  const file = path.join(order.folder, `${scope.slice(0, 32)}.lines`);
  const known = readKnown(file, scope);
  const placeOf = makeFinder(known);
  // The file up to `next` is what this scan has seen, until something differs and `lines` takes over.
  let next = HEADER_LENGTH;
  let lines: Lines | undefined;
  const takeOver = () => {
    lines ??= makeLines(known.subarray(0, next));
    return lines;
  };
  return {
    find(key, skillFile) {
      const place = placeOf(key, next);
      if (place === undefined) return undefined;
      const end = known.indexOf(LINE_FEED, place) + 1;
      if (place !== next || lines) takeOver().add(known.subarray(place, end));
      next = end;
      return restore(JSON.parse(known.toString('utf8', place + KEY_LENGTH, end)), skillFile);
    },
    add(key, skillFile, parsed) {
      if (canBeKept(parsed, skillFile)) takeOver().add(`${key}${JSON.stringify(toEntry(parsed))}\n`);
    },
    save() {
      if (lines || next < known.length) writeLines(file, scope, takeOver().content());
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

interface Lines {
  add(line: string | Uint8Array): void;
  content(): Buffer;
}

/** The file to be, in one growing piece of memory. */
function makeLines(start: Uint8Array): Lines {
  let content = Buffer.allocUnsafe(Math.max(FIRST_SIZE, start.length * 2));
  let length = start.length;
  content.set(start);
  return {
    add(line) {
      // No character of a string takes more than three bytes.
      const most = length + line.length * 3;
      if (most > content.length) content = Buffer.concat([content.subarray(0, length)], most * 2);
      if (typeof line === 'string') length += content.write(line, length);
      else {
        content.set(line, length);
        length += line.length;
      }
    },
    content: () => content.subarray(0, length),
  };
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
  if (diagnostics.length === 0) return [manifest ?? null];
  return [manifest ?? null, diagnostics.map(({ path: _, ...rest }) => rest)];
}

function restore([manifest, diagnostics]: Entry, file: string): ParsedSkill {
  const found = diagnostics ? diagnostics.map((diagnostic) => ({ ...diagnostic, path: file })) : [];
  if (!manifest) return { diagnostics: found };
  dropPrototypes(manifest.metadata);
  dropPrototypes(manifest.unknown);
  return { manifest, diagnostics: found };
}

/** What authors wrote freely has no inherited keys, freshly parsed or remembered. */
function dropPrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) Object.setPrototypeOf(value, null);
  for (const key in value) dropPrototypes(Reflect.get(value, key));
}

/** Only what JSON gives back unchanged, and what speaks of this file alone. */
function canBeKept({ manifest, diagnostics }: ParsedSkill, file: string): boolean {
  // Everything else is text or a flag.
  const isPlain = [manifest?.metadata, manifest?.unknown, manifest?.params, manifest?.actions].every(survivesJson);
  return isPlain && diagnostics.every((diagnostic) => diagnostic.path === file);
}

function survivesJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint' && typeof value !== 'symbol';
  if (Array.isArray(value)) return value.every(survivesJson);
  for (const key in value) if (!survivesJson(Reflect.get(value, key))) return false;
  return true;
}
