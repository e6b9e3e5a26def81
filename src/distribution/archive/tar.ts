// A .tar.gz file under the policy zip files have: every header is judged before the first file is handed out.
import { gunzipSync } from 'node:zlib';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import { compiledCode, inEntry } from './detail.ts';
import { checkName, isCompiled, refuseCollisions } from './name.ts';
import type { ArchiveFile, ArchiveLimits, ArchiveType } from './type.ts';

const BLOCK = 512;
const RATIO_MATTERS_FROM = 1 << 16;
/** What an extended header may say without changing which bytes lie where. */
const HARMLESS =
  /^(?:path|[acm]time|[ug]id|[ug]name|comment|charset|(?:LIBARCHIVE|SCHILY)\.(?!xattr|acl|fflags)[\w.]+)$/;

interface Entry {
  readonly name: string;
  readonly segments: readonly string[];
  readonly executable: boolean;
  readonly content: Buffer;
}

export const tarArchive: ArchiveType = {
  suffixes: ['.tar.gz'],
  alsoSuffixes: ['.tgz'],
  recognises: (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b,
  open: openTar,
};

/** The files of an archive, all judged; folders are implied by them. */
export function openTar(packed: Buffer, limits: ArchiveLimits): ArchiveFile[] {
  const entries = readEntries(unpack(packed, limits), limits);
  refuseCollisions(entries);
  const files = entries.filter(({ name }) => !name.endsWith('/'));
  return files.map(({ name, segments, executable, content }) => {
    if (isCompiled(name)) throw compiledCode(name);
    return { name, segments, executable, size: content.length, read: () => content };
  });
}

function unpack(packed: Buffer, limits: ArchiveLimits): Buffer {
  const headers = (limits.entries + 1) * BLOCK * 4;
  const tar = gunzip(packed, limits.totalBytes + headers);
  if (tar.length > RATIO_MATTERS_FROM && tar.length > packed.length * limits.ratio)
    throw new Fault('ARCHIVE_LIMIT', { en: `packed over ${limits.ratio} : 1`, zh: `压缩比超过 ${limits.ratio} : 1` });
  if (tar.length % BLOCK !== 0) throw damaged({ en: 'a cut archive', zh: '压缩包不完整' });
  return tar;
}

function gunzip(packed: Buffer, limit: number): Buffer {
  try {
    const { buffer, engine } = gunzipSync(packed, { maxOutputLength: limit, info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    // Padding is usual; what stands behind it would be read by nobody.
    if (packed.subarray(engine.bytesWritten).some((byte) => byte !== 0)) throw new Error('data behind the end');
    return buffer;
  } catch (error) {
    const tooLarge = { en: `over ${limit} bytes unpacked`, zh: `解压后超过 ${limit} 字节` };
    if (error instanceof RangeError) throw new Fault('ARCHIVE_LIMIT', tooLarge, { cause: error });
    throw new Fault('ARCHIVE_FORMAT', { en: 'damaged data', zh: '数据已损坏' }, { cause: error });
  }
}

function readEntries(tar: Buffer, limits: ArchiveLimits): Entry[] {
  const entries: Entry[] = [];
  let longName: string | undefined;
  let total = 0;
  for (let at = 0; at < tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return endOf(tar, at, entries);
    const { name, type, size, mode } = readHeader(header);
    const content = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length !== size) throw damaged({ en: 'a cut archive', zh: '压缩包不完整' });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    total += size;
    if (type === 'x' || type === 'g') {
      longName = readExtended(content, type) ?? longName;
      continue;
    }
    const entry = judge(longName ?? name, type, mode, content);
    longName = undefined;
    if (entry) entries.push(entry);
    if (size > limits.fileBytes)
      throw new Fault('ARCHIVE_LIMIT', { en: `a file of ${size} bytes`, zh: `文件大小为 ${size} 字节` });
    if (total > limits.totalBytes)
      throw new Fault('ARCHIVE_LIMIT', {
        en: `over ${limits.totalBytes} bytes in all`,
        zh: `总计超过 ${limits.totalBytes} 字节`,
      });
    if (entries.length > limits.entries)
      throw new Fault('ARCHIVE_LIMIT', { en: `over ${limits.entries} entries`, zh: `条目超过 ${limits.entries} 个` });
  }
  throw damaged({ en: 'no end', zh: '没有结尾' });
}

function judge(written: string, type: string, mode: number, content: Buffer): Entry | undefined {
  if (type !== '0' && type !== '5')
    throw new Fault(
      'ARCHIVE_LINK',
      inEntry(visible(written), { en: `entry of type ${visible(type)}`, zh: `条目类型为 ${visible(type)}` }),
    );
  if ((mode & 0o7000) !== 0)
    throw new Fault(
      'ARCHIVE_LINK',
      inEntry(visible(written), { en: 'set-user-id or sticky', zh: '带有 setuid 或 sticky 位' }),
    );
  const isFolder = type === '5';
  // Packed from inside a folder, every name begins with the folder itself.
  const name = written.replace(/^\.\//, '');
  if (isFolder && (name === '' || name === '.')) return undefined;
  if (isFolder !== name.endsWith('/') && !isFolder)
    throw new Fault(
      'ARCHIVE_MISMATCH',
      inEntry(visible(name), { en: 'file or folder?', zh: '无法确定是文件还是目录' }),
    );
  if (isFolder && content.length > 0)
    throw new Fault('ARCHIVE_MISMATCH', inEntry(visible(name), { en: 'a folder with content', zh: '含有内容的目录' }));
  const full = isFolder && !name.endsWith('/') ? `${name}/` : name;
  return { name: full, segments: checkName(full), executable: !isFolder && (mode & 0o111) !== 0, content };
}

function readHeader(header: Buffer): { name: string; type: string; size: number; mode: number } {
  let sum = 8 * 0x20;
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte;
  if (octal(header, 148, 8) !== sum) throw damaged({ en: 'a wrong checksum', zh: '校验和错误' });
  if (header.toString('latin1', 257, 262) !== 'ustar') throw damaged({ en: 'an old form of tar', zh: '旧式 tar 格式' });
  // GNU writes times where the standard has the front of a long name.
  const isPosix = header[262] === 0;
  const front = isPosix ? text(header, 345, 155) : '';
  const name = text(header, 0, 100);
  const type = header[156] === 0 ? '0' : String.fromCharCode(header[156] ?? 0);
  return {
    name: front === '' ? name : `${front}/${name}`,
    type,
    size: octal(header, 124, 12),
    mode: octal(header, 100, 8),
  };
}

/** The name it gives to the next entry; anything else it may only say in passing. */
function readExtended(content: Buffer, type: string): string | undefined {
  let name: string | undefined;
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString('latin1', at, space));
    const record = content.subarray(space + 1, at + length - 1);
    const equals = record.indexOf(0x3d);
    if (!Number.isInteger(length) || length < 5 || at + length > content.length || equals < 1)
      throw damaged({ en: 'an extended header', zh: '扩展头有误' });
    const key = record.toString('latin1', 0, equals);
    if (!HARMLESS.test(key) || (type === 'g' && key === 'path'))
      throw damaged({ en: `an extended header with ${visible(key)}`, zh: `扩展头含有 ${visible(key)}` });
    if (key === 'path') name = decode(record.subarray(equals + 1));
    at += length;
  }
  return name;
}

// Nothing hides behind the end.
function endOf<T>(tar: Buffer, at: number, entries: T): T {
  if (tar.subarray(at).some((byte) => byte !== 0)) throw damaged({ en: 'data behind the end', zh: '结尾之后有数据' });
  return entries;
}

function octal(header: Buffer, at: number, length: number): number {
  const digits = header
    .toString('latin1', at, at + length)
    .replace(/[\0 ]+$/, '')
    .trimStart();
  if (!/^[0-7]{0,11}$/.test(digits)) throw damaged({ en: 'a number', zh: '数字有误' });
  return Number.parseInt(digits || '0', 8);
}

function text(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return decode(end === -1 ? field : field.subarray(0, end));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw damaged({ en: 'a name that is not UTF-8', zh: '名称不是 UTF-8' });
  }
}

function damaged(detail: Text): Fault {
  return new Fault('ARCHIVE_FORMAT', detail);
}
