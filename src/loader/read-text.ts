// Reads one text file of a skill: regular, bounded, and cleaned of invisible characters.
import { Fault } from '../base/errors.ts';
import { findHidden, removeHidden } from '../base/text.ts';
import { openContained, quote } from './contained.ts';
import { type Files, realFiles } from './files.ts';

/** The largest text a model is ever shown a part of. */
export const TEXT_LIMIT = 1024 * 1024;

export interface ReadOptions {
  readonly maxBytes?: number;
  readonly files?: Files;
}

export interface CleanText {
  readonly text: string;
  /** The number of invisible characters removed. */
  readonly removed: number;
}

export function readBytes(folder: string, relativePath: string, options: ReadOptions = {}): Uint8Array {
  const { files = realFiles, maxBytes = TEXT_LIMIT } = options;
  const descriptor = openContained(folder, relativePath, files);
  try {
    const stats = files.fstatSync(descriptor);
    if (!stats.isFile()) throw new Fault('PathBlocked', quote(relativePath, { en: 'is not a file', zh: '不是文件' }));
    // One byte more than allowed: the file may grow after it was measured.
    const bytes = stats.size > maxBytes ? undefined : readUpTo(descriptor, maxBytes + 1, files);
    if (!bytes || bytes.length > maxBytes) throw tooLarge(relativePath, maxBytes);
    return bytes;
  } finally {
    files.closeSync(descriptor);
  }
}

/** Only text: a file that is not valid UTF-8 or contains NUL is refused. */
export function decodeText(bytes: Uint8Array, relativePath: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Reported below, like NUL.
  }
  throw new Fault('ParamInvalid', quote(relativePath, { en: 'is not a text file', zh: '不是文本文件' }));
}

export function clean(text: string): CleanText {
  const lines = text.replace(/\r\n?/g, '\n').toWellFormed();
  return { text: removeHidden(lines), removed: findHidden(lines).length };
}

function readUpTo(descriptor: number, limit: number, files: Files): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let total = 0; total < limit; ) {
    const chunk = new Uint8Array(Math.min(64 * 1024, limit - total));
    const length = files.readSync(descriptor, chunk);
    if (length === 0) break;
    chunks.push(chunk.subarray(0, length));
    total += length;
  }
  return Buffer.concat(chunks);
}

function tooLarge(relativePath: string, maxBytes: number): Fault {
  const reason = { en: `is larger than ${maxBytes} bytes`, zh: `大于 ${maxBytes} 字节` };
  const hint = { en: 'Split the file, or run a script that reads it.', zh: '请拆分该文件，或用脚本读取。' };
  return new Fault('LIMIT_FILE_SIZE', quote(relativePath, reason), { hint });
}
