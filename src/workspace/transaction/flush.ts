// Brings what was staged to the disk before the journal says so: many files by one flush, few one by one.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { flushDisk } from '../../process/flush-disk.ts';

/** So many take less time one by one than a program takes to start. */
const FEW = 8;

/** Links and names are in the folder, which is flushed last. */
export function flushStaged(folder: string, files: readonly string[]): void {
  if (files.length <= FEW || !flushDisk(folder)) for (const file of files) flush(file);
  flush(folder);
}

/** A file, or the names in a folder. */
export function flush(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
