// A zip file under our policy: every header is seen and judged before the first byte is unpacked.
import { crc32, inflateRawSync } from 'node:zlib';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { compiledCode, inEntry } from './detail.ts';
import { decodeName, type Header, locateData, readCentralDirectory } from './format.ts';
import { checkName, isCompiled, refuseCollisions } from './name.ts';
import { ARCHIVE_LIMITS, type ArchiveFile, type ArchiveLimits, type ArchiveType } from './type.ts';

/** Below this size a high ratio is a short repetitive text, not a bomb. */
const RATIO_MATTERS_FROM = 1 << 16;

/** The least zlib works with. */
const SMALLEST_CHUNK = 64;

const TYPE_MASK = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const SPECIAL_BITS = 0o7000;

export const zipArchive: ArchiveType = {
  suffixes: ['.zip', '.skill'],
  recognises: (bytes) => bytes.toString('latin1', 0, 2) === 'PK',
  open: openArchive,
};

/** The files of an archive, all judged; folders are implied by them. */
export function openArchive(zip: Buffer, limits = ARCHIVE_LIMITS): ArchiveFile[] {
  const { headers, start } = readCentralDirectory(zip, limits.entries);
  const entries = headers.map((header) => {
    const name = decodeName(header);
    return { header, name, segments: checkName(name) };
  });
  for (const { header, name } of entries) checkType(header, name);
  refuseCollisions(entries);
  checkSizes(headers, limits);
  checkTiling(zip, headers, start);
  const files = entries.filter(({ name }) => !name.endsWith('/'));
  for (const { name } of files) if (isCompiled(name)) throw compiledCode(name);
  return files.map(({ header, name, segments }) => ({
    name,
    segments,
    executable: (header.mode & 0o111) !== 0,
    size: header.size,
    read: () => unpack(zip, header, name, start),
  }));
}

function checkType(header: Header, name: string): void {
  const type = header.mode & TYPE_MASK;
  const isFolder = name.endsWith('/');
  if (type !== 0 && type !== REGULAR && type !== FOLDER) throw new Fault('ARCHIVE_LINK', visible(name));
  if ((header.mode & SPECIAL_BITS) !== 0)
    throw new Fault(
      'ARCHIVE_LINK',
      inEntry(visible(name), { en: 'set-user-id or sticky', zh: '带有 setuid 或 sticky 位' }),
    );
  if ((type === FOLDER || header.isDosFolder) !== isFolder && (type !== 0 || header.isDosFolder)) {
    throw new Fault(
      'ARCHIVE_MISMATCH',
      inEntry(visible(name), { en: 'file or folder?', zh: '无法确定是文件还是目录' }),
    );
  }
  if (isFolder && header.size !== 0)
    throw new Fault('ARCHIVE_MISMATCH', inEntry(visible(name), { en: 'a folder with content', zh: '含有内容的目录' }));
}

function checkSizes(headers: readonly Header[], limits: ArchiveLimits): void {
  let total = 0;
  for (const { size, compressedSize } of headers) {
    total += size;
    if (size > limits.fileBytes)
      throw new Fault('ARCHIVE_LIMIT', { en: `a file of ${size} bytes`, zh: `文件大小为 ${size} 字节` });
    if (total > limits.totalBytes)
      throw new Fault('ARCHIVE_LIMIT', {
        en: `over ${limits.totalBytes} bytes in all`,
        zh: `总计超过 ${limits.totalBytes} 字节`,
      });
    if (size > RATIO_MATTERS_FROM && size > compressedSize * limits.ratio)
      throw new Fault('ARCHIVE_LIMIT', { en: `packed over ${limits.ratio} : 1`, zh: `压缩比超过 ${limits.ratio} : 1` });
  }
}

// From the first byte to the list of entries, records follow each other without a gap: nothing hides, nothing overlaps.
function checkTiling(zip: Buffer, headers: readonly Header[], start: number): void {
  let expected = 0;
  for (const header of headers.toSorted((a, b) => a.localOffset - b.localOffset)) {
    if (header.localOffset < expected)
      throw new Fault('ARCHIVE_OVERLAP', { en: 'two entries share bytes', zh: '两个条目共用字节' });
    if (header.localOffset > expected)
      throw new Fault('ARCHIVE_FORMAT', { en: 'there is data outside of the entries', zh: '条目之外还有数据' });
    expected = locateData(zip, header, start).next;
  }
  if (expected !== start)
    throw new Fault('ARCHIVE_FORMAT', { en: 'there is data outside of the entries', zh: '条目之外还有数据' });
}

function unpack(zip: Buffer, header: Header, name: string, limit: number): Buffer {
  const { start, end } = locateData(zip, header, limit);
  const packed = zip.subarray(start, end);
  const content = header.method === 0 ? packed : inflate(packed, header.size, name);
  if (content.length !== header.size)
    throw new Fault(
      'ARCHIVE_MISMATCH',
      inEntry(visible(name), { en: 'not the size it claims', zh: '与声明的大小不符' }),
    );
  if (crc32(content) !== header.crc)
    throw new Fault('ARCHIVE_MISMATCH', inEntry(visible(name), { en: 'wrong checksum', zh: '校验和错误' }));
  return content;
}

function inflate(packed: Buffer, size: number, name: string): Buffer {
  try {
    const { buffer, engine } = inflateRawSync(packed, {
      maxOutputLength: Math.max(size, 1),
      // In one piece: nothing is put together afterwards.
      chunkSize: Math.max(size, SMALLEST_CHUNK),
      info: true,
    }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (engine.bytesWritten !== packed.length) throw new Error('bytes after the compressed data');
    return buffer;
  } catch (error) {
    const reason = { en: 'damaged data', zh: '数据已损坏' };
    throw new Fault('ARCHIVE_MISMATCH', inEntry(visible(name), reason), { cause: error });
  }
}
