// Identifiers and content hashes.
import { hash, randomBytes } from 'node:crypto';

/** Sorts by time, unique by chance: 20261115T032045Z-9f3a1c. */
export function timeId(now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}

export function randomId(bytes = 16): string {
  return randomBytes(bytes).toString('hex');
}

export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}
