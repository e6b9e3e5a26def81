// Whether a file that is named like a key holds one: told by its content, since certificates and plain texts have such names, too.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Bundles of public certificates are smaller; what is larger is not looked through. */
const MOST_BYTES = 1024 * 1024;

/** False for whatever cannot be read, or cannot be judged. */
export function holdsNoKey(file: string): boolean {
  try {
    const bytes = readWhole(file);
    return bytes !== undefined && isWithoutKey(bytes);
  } catch {
    return false;
  }
}

/** A link is followed, as whoever reads it would; a pipe without a writer holds nobody up. */
function readWhole(file: string): Buffer | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
    const bytes = Buffer.alloc(stats.size + 1);
    let read = 0;
    for (let more = 1; more > 0 && read < bytes.length; read += more)
      more = readSync(descriptor, bytes, read, bytes.length - read, read);
    // It grew while it was read.
    return read === bytes.length ? undefined : bytes.subarray(0, read);
  } finally {
    closeSync(descriptor);
  }
}

const NAMED_SECRET = /PRIVATE KEY|SECRET[- ]KEY/;
const PUBLIC_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;
/** Presentations have the ending of a key, and are archives. */
const ZIP = Buffer.from('PK\x03\x04');

export function isWithoutKey(bytes: Buffer): boolean {
  if (bytes.subarray(0, ZIP.length).equals(ZIP)) return true;
  const text = bytes.toString('utf8');
  // Keys in their binary form tell nothing about themselves.
  if (text.includes('\0') || text.includes('\ufffd') || NAMED_SECRET.test(text)) return false;
  const words = text.replace(PUBLIC_BLOCK, '').split(/\s+/).filter(Boolean);
  // Some keys are nothing but one word.
  return words.length !== 1 && !words.some(isRandom);
}

const LONGEST_PLAIN = 24;

function isRandom(word: string): boolean {
  if (word.length < LONGEST_PLAIN || !/^[\w+/=-]+$/.test(word)) return false;
  return /\d/.test(word) || (/[a-z]/.test(word) && /[A-Z]/.test(word));
}
