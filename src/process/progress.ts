// Progress a skill reports on stderr while it runs: lines such as `50% complete` or {"progress":0.5}.
import { isRecord, jsonIfValid } from '../base/json.ts';

export interface Progress {
  /** Between 0 and 1. */
  readonly fraction: number;
  /** The text beside the number, or `message` of a JSON line; not yet safe to print. */
  readonly message: string;
}

const LINE_LIMIT = 4096;

/** Reads stderr as a stream; of a line longer than the limit nothing is reported. */
export class ProgressReader {
  readonly #report: (progress: Progress) => void;
  #line: Buffer[] = [];
  #length = 0;

  constructor(report: (progress: Progress) => void) {
    this.#report = report;
  }

  read(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(0x0a, start);
      this.#append(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) return;
      this.#finishLine();
      start = end + 1;
    }
  }

  #append(part: Buffer): void {
    if (this.#length <= LINE_LIMIT && part.length > 0) this.#line.push(part.subarray(0, LINE_LIMIT + 1));
    this.#length += part.length;
  }

  #finishLine(): void {
    const progress = this.#length <= LINE_LIMIT ? parseProgress(Buffer.concat(this.#line).toString('utf8')) : undefined;
    this.#line = [];
    this.#length = 0;
    if (progress) this.#report(progress);
  }
}

/** The progress one line reports, or undefined for an ordinary log line. */
export function parseProgress(line: string): Progress | undefined {
  const text = line.trim();
  return text.startsWith('{') ? fromJson(text) : fromPercent(text);
}

function fromPercent(text: string): Progress | undefined {
  const match = /^\[?\s*(\d{1,3}(?:\.\d{1,6})?)\s*%\]?(?:\s+(.*))?$/.exec(text);
  return match ? checked(Number(match[1]) / 100, match[2] ?? '') : undefined;
}

function fromJson(text: string): Progress | undefined {
  if (!text.includes('"progress"')) return undefined;
  const value = jsonIfValid(text);
  if (!isRecord(value)) return undefined;
  return checked(value.progress, typeof value.message === 'string' ? value.message : '');
}

function checked(fraction: unknown, message: string): Progress | undefined {
  return typeof fraction === 'number' && fraction >= 0 && fraction <= 1 ? { fraction, message } : undefined;
}
