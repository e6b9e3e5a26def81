// The excerpt of stderr shown to people: bounded, its beginning and its end, with hidden characters made visible.
import { asBuffer } from '../base/bytes.ts';
import { visibleLines } from '../base/text.ts';

const LINES = 20;
const COLUMNS = 300;
// More than this at either end is never read.
const WINDOW = 16 * 1024;

export function excerptOf(output: Uint8Array): string {
  const { head, tail } = ends(output);
  const all = tail === undefined ? linesOf(head) : [...linesOf(head), ...linesOf(tail)];
  const first = Math.floor(LINES / 4);
  const kept = all.length <= LINES ? all : [...all.slice(0, first), '…', ...all.slice(all.length - (LINES - first))];
  // Cut first: making hidden characters visible only makes it longer.
  return kept.map((line) => cut(visibleLines(cut(line)))).join('\n');
}

function ends(output: Uint8Array): { head: string; tail?: string } {
  const bytes = asBuffer(output);
  if (bytes.length <= 2 * WINDOW) return { head: bytes.toString('utf8') };
  return { head: bytes.toString('utf8', 0, WINDOW), tail: bytes.toString('utf8', bytes.length - WINDOW) };
}

function linesOf(text: string): string[] {
  return text.replace(/\s+$/, '').split(/\r?\n/);
}

function cut(line: string): string {
  return line.length <= COLUMNS ? line : `${line.slice(0, COLUMNS).toWellFormed()}…`;
}
