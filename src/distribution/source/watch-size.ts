// Watches how much disk space a folder takes while another process writes into it.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { entriesIfThere } from '../../base/read-file.ts';

export interface SizeWatch {
  /** Aborted as soon as the folder exceeds the limit. */
  readonly over: AbortSignal;
  /** Checks a last time. */
  stop(): void;
}

const LOOK_MS = 100;
/** The least a file takes: without it a million empty ones would count as nothing. */
const BLOCK = 4096;

export function watchSize(folder: string, limit: number): SizeWatch {
  const over = new AbortController();
  const look = () => {
    try {
      if (!over.signal.aborted && sizeOf(folder, limit) > limit) over.abort();
    } catch {
      // A folder that changes while it is measured is measured again.
    }
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    over: over.signal,
    stop() {
      clearInterval(timer);
      look();
    },
  };
}

/** Stops counting above the limit. */
function sizeOf(folder: string, enough: number): number {
  let size = 0;
  for (const entry of entriesIfThere(folder)) {
    const inside = path.join(folder, entry.name);
    const bytes = entry.isDirectory()
      ? sizeOf(inside, enough - size)
      : (lstatSync(inside, { throwIfNoEntry: false })?.size ?? 0);
    size += Math.max(bytes, BLOCK);
    if (size > enough) break;
  }
  return size;
}
