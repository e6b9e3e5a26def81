// The search index on disk: the ranking in one file, and in another what was read of each skill and when.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, indexUnreadable } from '../../base/diagnostic.ts';
import { type Content, makeFolder, removeTree, writeFileAtomic } from '../../base/files.ts';
import { sha256 } from '../../base/ids.ts';
import { jsonIfValid } from '../../base/json.ts';
import { isNotFound } from '../../base/read-file.ts';
import { isListOf, isText } from '../../base/value/shape.ts';
import { deserializeRankIndex, rankFileParts } from '../rank/file.ts';
import type { RankIndex } from '../rank/index.ts';

/** What was read of one skill. The digest identifies the content, so it stays valid with any ranking. */
export interface Remembered {
  /** Times and sizes of its files; empty when they must be read again. */
  readonly stamp: string;
  /** Name and description. */
  readonly front: string;
  readonly digest: string;
}

export type SearchMemory = ReadonlyMap<string, Remembered>;

export interface SearchFiles {
  loadRanking(): RankIndex | undefined;
  /** Why existing files could not be used; empty when all is well or nothing exists yet. */
  problems(): readonly Diagnostic[];
  loadMemory(): SearchMemory;
  save(memory: SearchMemory, ranking: RankIndex | undefined): void;
}

type Row = readonly [folder: string, stamp: string, front: string, digest: string];

// Increment when other parts of a skill are indexed.
const READER_VERSION = 1;
const HASH_LENGTH = 64;
const HOUR_MS = 3_600_000;

/** One pair of files for each set of roots, so that removed skills leave the index. */
export function searchFiles(folder: string, roots: readonly { readonly folder: string }[]): SearchFiles {
  const scope = sha256(JSON.stringify([READER_VERSION, roots.map((root) => root.folder)])).slice(0, 32);
  const rankingFile = path.join(folder, `${scope}.rank`);
  const memoryFile = path.join(folder, `${scope}.json`);
  const problems: Diagnostic[] = [];
  return {
    loadRanking: () => loadRanking(rankingFile, problems),
    problems: () => problems,
    loadMemory: () => new Map(loadRows(memoryFile).map(([at, stamp, front, digest]) => [at, { stamp, front, digest }])),
    save(memory, ranking) {
      const rows = Array.from(memory, ([at, { stamp, front, digest }]): Row => [at, stamp, front, digest]);
      write(folder, rankingFile, ranking && rankFileParts(ranking));
      const body = Buffer.from(JSON.stringify(rows));
      write(folder, memoryFile, [Buffer.from(`${sha256(body)}\n`), body]);
      sweep(folder);
    },
  };
}

function loadRanking(file: string, problems: Diagnostic[]): RankIndex | undefined {
  try {
    return deserializeRankIndex(readFileSync(file));
  } catch (error) {
    if (!isNotFound(error)) problems.push(indexUnreadable(file, error));
    return undefined;
  }
}

/** A missing, old or damaged file is an empty index. */
function loadRows(file: string): Row[] {
  try {
    const content = readFileSync(file);
    const body = content.subarray(HASH_LENGTH + 1);
    if (content.toString('latin1', 0, HASH_LENGTH) !== sha256(body)) return [];
    const rows = jsonIfValid(body.toString());
    return areRows(rows) ? rows : [];
  } catch {
    return [];
  }
}

const areRows = isListOf((row): row is Row => Array.isArray(row) && row.length === 4 && row.every(isText));

/** A home that is not writable only costs time at the next search. */
function write(folder: string, file: string, content: Content | undefined): void {
  if (content === undefined) return;
  try {
    makeFolder(folder);
    writeFileAtomic(file, content);
  } catch {
    return;
  }
}

/** Partial files of killed processes are large; no write takes an hour. */
function sweep(folder: string): void {
  try {
    for (const name of readdirSync(folder).filter((name) => name.endsWith('.tmp'))) {
      const file = path.join(folder, name);
      if (statSync(file).mtimeMs < Date.now() - HOUR_MS) removeTree(file);
    }
  } catch {
    return;
  }
}
