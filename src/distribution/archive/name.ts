// Which names an archive may use: relative, plain, and different from each other on every file system.
import { Fault } from '../../base/errors.ts';
import { findHidden, visible } from '../../base/text.ts';

const NAME_LIMIT = 255;
const DEPTH_LIMIT = 16;
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\..*)?$/i;
const PLAIN = /^[\x20-\x7e]*$/;
const COMPILED = /\.(pyc|pyo|pyd|so|node|class|jar|exe|dll|dylib|o|a|wasm)$/i;

/** The segments of a clean relative path, or a Fault that says what is wrong with it. */
export function checkName(name: string): string[] {
  const shown = visible(name.slice(0, 120));
  if (Buffer.byteLength(name) > NAME_LIMIT)
    throw new Fault('ARCHIVE_LIMIT', `${shown}: a name of over ${NAME_LIMIT} bytes`);
  if (findHidden(name).length > 0 || /[\n\r\t]/.test(name))
    throw new Fault('ARCHIVE_PATH', `${shown}: hidden characters`);
  if (name.includes('\\')) throw new Fault('ARCHIVE_PATH', `${shown}: a backslash`);
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) throw new Fault('ARCHIVE_PATH', `${shown}: an absolute path`);
  const segments = name.replace(/\/$/, '').split('/');
  if (segments.length > DEPTH_LIMIT) throw new Fault('ARCHIVE_LIMIT', `${shown}: deeper than ${DEPTH_LIMIT} folders`);
  for (const segment of segments) checkSegment(segment, shown);
  return segments;
}

function checkSegment(segment: string, shown: string): void {
  if (segment === '' || segment === '.' || segment === '..')
    throw new Fault('ARCHIVE_PATH', `${shown}: the segment "${segment}"`);
  if (/[. ]$/.test(segment)) throw new Fault('ARCHIVE_COLLISION', `${shown}: ends with a dot or space`);
  if (/[:*?"<>|]/.test(segment))
    throw new Fault('ARCHIVE_COLLISION', `${shown}: a character some systems do not allow`);
  if (RESERVED.test(segment)) throw new Fault('ARCHIVE_COLLISION', `${shown}: a reserved name`);
}

/** Names with the same key are one file on some file system. */
export function canonicalKey(segments: readonly string[]): string {
  const name = segments.join('/');
  if (PLAIN.test(name)) return name.toLowerCase();
  // Upper case first: some systems take ß for ss, and ﬁ for fi.
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Code that nobody can read before running it. */
export function isCompiled(name: string): boolean {
  return COMPILED.test(name) || /(^|\/)__pycache__\//.test(name);
}

interface Named {
  readonly name: string;
  readonly segments: readonly string[];
}

/** Refuses two names that are one file, a file where a folder is needed, and one folder written in two ways. */
export function refuseCollisions(entries: readonly Named[]): void {
  const taken = new Map<string, string>();
  for (const { name, segments } of entries) {
    const key = canonicalKey(segments);
    const other = taken.get(key);
    if (other === name) throw new Fault('ARCHIVE_DUPLICATE', visible(name));
    if (other !== undefined) throw collision(other, name);
    taken.set(key, name);
  }
  const known = new Map<string, string>();
  for (const entry of entries) checkFolders(entry, taken, known);
}

/** `known`: the folders so far, by key and as written. */
function checkFolders({ name, segments }: Named, taken: Map<string, string>, known: Map<string, string>): void {
  for (let length = name.endsWith('/') ? segments.length : segments.length - 1; length > 0; length--) {
    const parts = segments.slice(0, length);
    const folder = `${parts.join('/')}/`;
    // Seen in this spelling, and so was everything above it.
    if (known.get(folder) === folder) return;
    const key = canonicalKey(parts);
    const above = taken.get(key);
    if (above !== undefined && !above.endsWith('/')) throw collision(above, name);
    const other = known.get(`${key}/`);
    if (other !== undefined) throw collision(other, folder);
    known.set(`${key}/`, folder).set(folder, folder);
  }
}

function collision(one: string, other: string): Fault {
  return new Fault('ARCHIVE_COLLISION', `${visible(one)} and ${visible(other)}`);
}
