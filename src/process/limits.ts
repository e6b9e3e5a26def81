// The resource limits of a process, and which limit an ended one exceeded.
import type { ErrorType } from '../base/error/catalogue.ts';
import type { Ended, Limits } from './order.ts';

export const OUTPUT_LIMIT = 10 * 1024 * 1024;

const MIB = 1024 * 1024;

/** Generous for honest work; only the user's own settings raise them. */
export function defaultLimits(timeoutMs: number): Limits {
  return {
    memoryBytes: 2048 * MIB,
    processes: 512,
    fileBytes: 256 * MIB,
    openFiles: 1024,
    cpuSeconds: Math.max(1, Math.ceil(timeoutMs / 1000)),
  };
}

/** The default limits with the user's own values; a value that is not a positive whole number is ignored. */
export function withOwnLimits(limits: Limits, own: Partial<Limits>): Limits {
  const chosen: Record<string, number> = { ...limits };
  for (const [name, value] of Object.entries(own)) {
    if (Object.hasOwn(limits, name) && Number.isSafeInteger(value) && value > 0) chosen[name] = value;
  }
  return { ...limits, ...chosen };
}

/** `2 GiB`, `256 MiB`, `512` as bytes; undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d{1,12})\s*(?:([KMGT])(?:iB|B)?|B)?$/i.exec(text.trim());
  if (!match) return undefined;
  const power = match[2] ? 'KMGT'.indexOf(match[2].toUpperCase()) + 1 : 0;
  const bytes = Number(match[1]) * 1024 ** power;
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
}

export function formatSize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let power = 0;
  while (power < units.length - 1 && bytes >= 1024 ** (power + 1)) power++;
  const value = bytes / 1024 ** power;
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[power]}`;
}

// Launchers and shells report a signal as 128 plus its number.
const BY_SIGNAL: Readonly<Record<string, ErrorType>> = {
  SIGXCPU: 'LIMIT_CPU',
  SIGXFSZ: 'LIMIT_FILE_SIZE',
  152: 'LIMIT_CPU',
  153: 'LIMIT_FILE_SIZE',
};

// The messages interpreters print for a refused system call; used only to classify a failure.
const BY_WORDS: readonly (readonly [RegExp, ErrorType])[] = [
  [/MemoryError|heap out of memory|cannot allocate memory|ENOMEM|bad_alloc|out of memory/i, 'LIMIT_MEMORY'],
  [/EFBIG|file too large|file size limit exceeded/i, 'LIMIT_FILE_SIZE'],
  [/EMFILE|too many open files/i, 'LIMIT_OPEN_FILES'],
  [/ENOSPC|no space left on device/i, 'LIMIT_DISK'],
  [/fork.*resource temporarily unavailable|resource temporarily unavailable.*fork/i, 'LIMIT_PROCESSES'],
  [/can't start new thread|BlockingIOError: \[Errno 11\]|uv_thread_create|spawn \S+ EAGAIN/i, 'LIMIT_PROCESSES'],
];

const TAIL = 4096;

/** The resource limit a process failed by; undefined for success, for its own failure and for what we ended ourselves. */
export function limitReached(ended: Ended): ErrorType | undefined {
  if (ended.why !== 'exit' || ended.exit === 0) return undefined;
  if (ended.limit) return ended.limit;
  const bySignal = BY_SIGNAL[ended.signal ?? String(ended.exit)];
  if (bySignal) return bySignal;
  const words = Buffer.from(ended.stderr.subarray(-TAIL)).toString('latin1');
  return BY_WORDS.find(([pattern]) => pattern.test(words))?.[1];
}
