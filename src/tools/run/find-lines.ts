// The work of `grep`: what it may read, match and take is bounded, and what it left out is said.
import type { RE2JS } from 're2js';
import { Fault } from '../../base/errors.ts';
import { decodeText } from '../file/decode-text.ts';
import type { FilePort } from '../file/files.ts';
import { compilePattern, isTooMuchWork } from '../pattern.ts';

interface GrepArguments {
  readonly pattern: string;
  /** A folder or one file. */
  readonly path?: string | undefined;
  /** Names such as *.ts; with a slash, paths such as src/**. */
  readonly include?: string | undefined;
  readonly ignore_case?: boolean | undefined;
  readonly max_matches?: number | undefined;
}

interface GrepResult {
  readonly matches: { path: string; line: number; text: string }[];
  readonly files_searched: number;
  /** Binary, too large or unreadable. */
  readonly files_skipped: number;
  readonly truncated: boolean;
}

const FILE_LIMIT = 5000;
const FILE_BYTES = 1024 * 1024;
const TOTAL_BYTES = 64 * 1024 * 1024;
const DEPTH_LIMIT = 32;
const MATCHES = 200;
const LINE_LIMIT = 500;
const TIME_LIMIT_MS = 5000;

export async function findLines(files: FilePort, asked: GrepArguments): Promise<GrepResult> {
  const pattern = await compilePattern(asked.pattern, { ignoreCase: asked.ignore_case ?? false });
  const include = asked.include === undefined ? undefined : await compilePattern(globPattern(asked.include));
  const search = new Search(pattern, asked.max_matches ?? MATCHES);
  const given = (asked.path ?? '.').replace(/(?<=.)\/+$/, '');
  if (!searchFile(files, given, search)) searchFolder(files, given, include, search);
  return search.result();
}

/** False when it is a folder. */
function searchFile(files: FilePort, given: string, search: Search): boolean {
  if (given === '.') return false;
  try {
    const { path, bytes } = files.readWhole(given, FILE_BYTES);
    search.file(path, bytes);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.type === 'ParamInvalid') return false;
    throw error;
  }
}

function searchFolder(files: FilePort, given: string, include: RE2JS | undefined, search: Search): void {
  files.walk(given, DEPTH_LIMIT, (entries) => {
    for (const entry of entries) {
      if (search.isFull) return;
      if (entry.kind !== 'file' || (include && !include.matches(`/${entry.path}`))) continue;
      search.file(entry.path, entry.read(FILE_BYTES));
    }
  });
}

class Search {
  readonly #pattern: RE2JS;
  readonly #limit: number;
  readonly #matches: GrepResult['matches'] = [];
  readonly #deadline = performance.now() + TIME_LIMIT_MS;
  #searched = 0;
  #skipped = 0;
  #bytes = 0;

  constructor(pattern: RE2JS, limit: number) {
    this.#pattern = pattern;
    this.#limit = limit;
  }

  get isFull(): boolean {
    const isLate = performance.now() > this.#deadline;
    const isMuch = this.#searched >= FILE_LIMIT || this.#bytes >= TOTAL_BYTES;
    return isLate || isMuch || this.#matches.length >= this.#limit;
  }

  file(path: string, bytes: Uint8Array | undefined): void {
    const text = bytes && decodeText(bytes);
    if (text === undefined || isTooMuchWork(this.#pattern, text)) {
      this.#skipped++;
      return;
    }
    this.#searched++;
    this.#bytes += text.length;
    this.#searchText(path, text);
  }

  result(): GrepResult {
    return {
      matches: this.#matches,
      files_searched: this.#searched,
      files_skipped: this.#skipped,
      truncated: this.isFull,
    };
  }

  // Most files have no match; only the others are worth cutting into lines.
  #searchText(path: string, text: string): void {
    if (!this.#pattern.matcher(text).find()) return;
    for (const [index, line] of text.split('\n').entries()) {
      if (this.isFull) return;
      if (this.#pattern.matcher(line).find())
        this.#matches.push({ path, line: index + 1, text: line.slice(0, LINE_LIMIT).trimEnd() });
    }
  }
}

// A glob as a pattern over `/path`: without a slash it speaks of the name alone.
function globPattern(glob: string): string {
  const body = glob.replace(/\*\*\/?|[*?]|[^*?]+/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return glob.includes('/') ? `/${body.replace(/^\//, '')}` : `.*/${body}`;
}
