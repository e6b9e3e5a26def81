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

/** Key, manifest, diagnostics without their path. */
type Entry = readonly [key: string, manifest: Manifest | null, diagnostics?: readonly Omit<Diagnostic, 'path'>[]];

/** One file for each set of roots, so that what is gone from the roots goes from the file. */
export function openIndexCache(order: IndexCacheOrder): IndexCache {
  const roots = order.roots.map((root) => root.folder);
  const scope = sha256(JSON.stringify([READER_VERSION, order.blockAngleBrackets, order.deep, roots]));
  const file = path.join(order.folder, `${scope.slice(0, 32)}.json`);
  const known = readEntries(file, scope);
  const seen: Entry[] = [];
  const findEntry = makeFinder(known);
  let changed = false;
  return {
    find(key, skillFile) {
      const entry = findEntry(key);
      if (!entry) return undefined;
      seen.push(entry);
      return restore(entry, skillFile);
    },
    add(key, skillFile, parsed) {
      if (!canBeKept(parsed, skillFile)) return;
      seen.push(toEntry(key, parsed));
      changed = true;
    },
    save() {
      if (changed || seen.length !== known.length) writeEntries(file, scope, seen);
    },
  };
}

/** Scans see the same skills in the same order, so the next entry is nearly always the right one. */
function makeFinder(entries: readonly Entry[]): (key: string) => Entry | undefined {
  let next = 0;
  let places: Map<string, number> | undefined;
  return (key) => {
    const expected = entries[next];
    if (expected?.[0] !== key) {
      places ??= new Map(entries.map((entry, place) => [entry[0], place]));
      const place = places.get(key);
      if (place === undefined) return undefined;
      next = place;
    }
    return entries[next++];
  };
}

/** A missing, foreign, old or damaged file is an empty cache. */
function readEntries(file: string, scope: string): Entry[] {
  try {
    const content = readFileSync(file);
    if (content.toString('latin1', 0, HEADER_LENGTH) !== header(scope, content)) return [];
    return JSON.parse(content.toString('utf8', HEADER_LENGTH)) as Entry[];
  } catch {
    return [];
  }
}

/** A home that cannot be written costs time at the next start, nothing else. */
function writeEntries(file: string, scope: string, entries: readonly Entry[]): void {
  const body = JSON.stringify(entries);
  const content = Buffer.allocUnsafe(HEADER_LENGTH + Buffer.byteLength(body));
  content.write(body, HEADER_LENGTH);
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

function toEntry(key: string, { manifest, diagnostics }: ParsedSkill): Entry {
  if (diagnostics.length === 0) return [key, manifest ?? null];
  return [key, manifest ?? null, diagnostics.map(({ path: _, ...rest }) => rest)];
}

function restore([, manifest, diagnostics]: Entry, file: string): ParsedSkill {
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
function canBeKept(parsed: ParsedSkill, file: string): boolean {
  return survivesJson(parsed.manifest) && parsed.diagnostics.every((diagnostic) => diagnostic.path === file);
}

function survivesJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint' && typeof value !== 'symbol';
  if (Array.isArray(value)) return value.every(survivesJson);
  for (const key in value) if (!survivesJson(Reflect.get(value, key))) return false;
  return true;
}
