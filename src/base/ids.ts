// Identifiers and content hashes.
import { sha256Short } from './value/sha256.ts';

let loaded: typeof import('node:crypto') | undefined;

/** Loaded on first use: commands that only read do without, and start sooner. */
export function crypto(): typeof import('node:crypto') {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}

/** Up to here hashing a text or two by ourselves is quicker than loading. */
const SHORT = 512;

/** Sorts by time, unique by chance: 20261115T032045Z-9f3a1c. */
export function timeId(now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${stamp}-${crypto().randomBytes(3).toString('hex')}`;
}

export function randomId(bytes = 16): string {
  return crypto().randomBytes(bytes).toString('hex');
}

export function sha256(content: string | Uint8Array): string {
  const isSoon = loaded === undefined && content.length <= SHORT;
  return isSoon ? sha256Short(content) : crypto().hash('sha256', content, 'hex');
}
