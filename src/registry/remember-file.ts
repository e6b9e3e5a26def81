// Memoizes the result of parsing a file until the file changes: by its size, times and inode where they prove it, else by its text.
import { lstatSync } from 'node:fs';
import { sha256 } from '../base/ids.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { isSettled } from './witness.ts';

interface Remembered<Made> {
  /** Empty where the file was too recent to rule out another change. */
  readonly print: string;
  readonly text: string;
  readonly made: Made;
}

/** Beyond that, the least recently used entries are dropped. */
const LIMIT = 1_000;

/** `real` is the file itself where its name contains links. */
export function rememberFiles<Made>(): (file: string, real: string, make: (text: string) => Made) => Made {
  const known = new Map<string, Remembered<Made>>();
  return (file, real, make) => {
    const last = known.get(file);
    // Taken before reading: a change in between makes the next call read again.
    const print = printOf(real, Date.now());
    if (last && print !== '' && last.print === print) return last.made;
    const content = readTextIfThere(real) ?? '';
    const text = sha256(content);
    const made = last?.text === text ? last.made : make(content);
    known.delete(file);
    known.set(file, { print, text, made });
    const [oldest] = known.keys();
    if (known.size > LIMIT && oldest !== undefined) known.delete(oldest);
    return made;
  };
}

function printOf(file: string, now: number): string {
  const stats = lstatSync(file, { throwIfNoEntry: false, bigint: true });
  if (!stats?.isFile() || !isSettled({ ctimeMs: Number(stats.ctimeMs) }, now)) return '';
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = stats;
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(' ');
}
