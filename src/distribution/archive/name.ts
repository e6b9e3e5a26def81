// Which names an archive may use: relative, plain, and different from each other on every file system.
import { Fault } from '../../base/errors.ts';
import { findHidden, visible } from '../../base/text.ts';
import { inEntry } from './detail.ts';

const NAME_LIMIT = 255;
const DEPTH_LIMIT = 16;
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\..*)?$/i;
const PLAIN = /^[\x20-\x7e]*$/;
const COMPILED = /\.(pyc|pyo|pyd|so|node|class|jar|exe|dll|dylib|o|a|wasm)$/i;

/** The segments of a clean relative path, or a Fault that says what is wrong with it. */
export function checkName(name: string): string[] {
  const shown = visible(name.slice(0, 120));
  if (Buffer.byteLength(name) > NAME_LIMIT)
    throw new Fault(
      'ARCHIVE_LIMIT',
      inEntry(shown, { en: `a name of over ${NAME_LIMIT} bytes`, zh: `名称超过 ${NAME_LIMIT} 字节` }),
    );
  if (findHidden(name).length > 0 || /[\n\r\t]/.test(name))
    throw new Fault('ARCHIVE_PATH', inEntry(shown, { en: 'hidden characters', zh: '含有隐藏字符' }));
  if (name.includes('\\')) throw new Fault('ARCHIVE_PATH', inEntry(shown, { en: 'a backslash', zh: '含有反斜杠' }));
  if (name.startsWith('/') || /^[a-z]:/i.test(name))
    throw new Fault('ARCHIVE_PATH', inEntry(shown, { en: 'an absolute path', zh: '绝对路径' }));
  const segments = name.replace(/\/$/, '').split('/');
  if (segments.length > DEPTH_LIMIT)
    throw new Fault(
      'ARCHIVE_LIMIT',
      inEntry(shown, { en: `deeper than ${DEPTH_LIMIT} folders`, zh: `目录层级超过 ${DEPTH_LIMIT}` }),
    );
  for (const segment of segments) checkSegment(segment, shown);
  return segments;
}

function checkSegment(segment: string, shown: string): void {
  if (segment === '' || segment === '.' || segment === '..')
    throw new Fault('ARCHIVE_PATH', inEntry(shown, { en: `the segment "${segment}"`, zh: `含有路径段 "${segment}"` }));
  if (/[. ]$/.test(segment))
    throw new Fault('ARCHIVE_COLLISION', inEntry(shown, { en: 'ends with a dot or space', zh: '以点或空格结尾' }));
  if (/[:*?"<>|]/.test(segment))
    throw new Fault(
      'ARCHIVE_COLLISION',
      inEntry(shown, { en: 'a character some systems do not allow', zh: '含有部分系统不允许的字符' }),
    );
  const reserved = { en: 'a reserved name', zh: '保留名称' };
  if (RESERVED.test(segment)) throw new Fault('ARCHIVE_COLLISION', inEntry(shown, reserved));
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
