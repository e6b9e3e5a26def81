// Every write of our own state: private, atomic, durable. Only listed modules may import the writing half.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { randomId } from './ids.ts';

export interface WriteOptions {
  /** 0600 unless the file is meant for others. */
  mode?: number;
  /** Survive a power cut, at the price of a flush. */
  durable?: boolean;
}

export function makeFolder(folder: string, mode = 0o700): void {
  mkdirSync(folder, { recursive: true, mode });
}

/** Readers see the old content or the new one, never half of it. */
export function writeFileAtomic(file: string, content: string | Uint8Array, options: WriteOptions = {}): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomId(6)}.tmp`);
  try {
    writeNewFile(temporary, content, options);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Fails with EEXIST when the file is there already; never follows a link. */
export function writeNewFile(file: string, content: string | Uint8Array, options: WriteOptions = {}): void {
  const descriptor = openSync(file, 'wx', options.mode ?? 0o600);
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    if (options.durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Text of a file, or undefined where there is none. */
export function readTextIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export function isNotFound(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
