// Texts beside the log: without secrets, cut to a size, readable by their owner only, named by hash.
import path from 'node:path';
import { writeNewFile } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import type { TextRef } from './event.ts';

export interface TextKeeper {
  keep(text: string): TextRef;
}

export interface KeeperOptions {
  readonly folder: string;
  readonly redact: (text: string) => string;
  /** Keep hashes only. */
  readonly private: boolean;
  /** The number of the last text of an earlier part of the run. */
  readonly last: number;
}

const TEXT_LIMIT = 256 * 1024;
const RUN_LIMIT = 64 * 1024 * 1024;
/** Searched beyond what is kept, so that a secret across the cut is still found whole. */
const BEYOND_CUT = 64 * 1024;

export function createKeeper({ folder, redact, private: isPrivate, last }: KeeperOptions): TextKeeper {
  let kept = last;
  let total = 0;
  return {
    keep(text) {
      const head = text.slice(0, TEXT_LIMIT + BEYOND_CUT);
      const clean = Buffer.from(redact(head));
      const stored = clean.subarray(0, wholeCharacters(clean, TEXT_LIMIT));
      const ref = { sha256: sha256(stored), bytes: Buffer.byteLength(text) };
      const cut = (stored.length < clean.length || head.length < text.length) && { cut: true };
      if (isPrivate || total + stored.length > RUN_LIMIT) return { ...ref, ...cut };
      const name = `${String(++kept).padStart(5, '0')}.txt`;
      writeNewFile(path.join(folder, name), stored);
      total += stored.length;
      return { ...ref, ref: `observations/${name}`, ...cut };
    },
  };
}

/** The most bytes up to the limit that do not cut a character in two. */
function wholeCharacters(bytes: Uint8Array, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  let end = limit;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
