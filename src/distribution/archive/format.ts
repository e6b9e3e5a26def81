// The bytes of a zip file: its end record, central directory and local headers, read strictly.
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';

const END_SIZE = 22;
const CENTRAL_SIZE = 46;
const LOCAL_SIZE = 30;
const END_SIGNATURE = 0x06054b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const CENTRAL_LIMIT = 4 * 1024 * 1024;
/** The last version of the format whose methods are described; other readers stop here too. */
const LATEST_VERSION = 63;

const FLAG_DESCRIPTOR = 0x0008;
const FLAG_UTF8 = 0x0800;
/** Compression level hints, the descriptor and UTF-8 names; everything else is encryption or exotic. */
const KNOWN_FLAGS = 0x0006 | FLAG_DESCRIPTOR | FLAG_UTF8;
/** Extra fields that change what an entry is: ZIP64, Unicode names, AES. */
const FORBIDDEN_EXTRA = new Set([0x0001, 0x7075, 0x6375, 0x9901]);

export interface Header {
  readonly nameBytes: Buffer;
  /** The version of the format a reader must know, times ten. */
  readonly needs: number;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Unix mode, 0 where the archive came from another system. */
  readonly mode: number;
  readonly isDosFolder: boolean;
  readonly localOffset: number;
}

export function readCentralDirectory(zip: Buffer, entryLimit: number): { headers: Header[]; start: number } {
  const end = zip.length - END_SIZE;
  if (end < 0 || zip.readUInt32LE(end) !== END_SIGNATURE)
    throw format({ en: 'it does not end with a plain end record', zh: '结尾不是普通的结束记录' });
  const count = zip.readUInt16LE(end + 10);
  const size = zip.readUInt32LE(end + 12);
  const start = zip.readUInt32LE(end + 16);
  if (count === 0xffff || start === 0xffffffff) throw format({ en: 'ZIP64', zh: 'ZIP64 格式' });
  if (count > entryLimit)
    throw new Fault('ARCHIVE_LIMIT', {
      en: `${count} entries, at most ${entryLimit}`,
      zh: `${count} 个条目，最多 ${entryLimit} 个`,
    });
  if (size > CENTRAL_LIMIT)
    throw new Fault('ARCHIVE_LIMIT', { en: 'the list of entries is over 4 MiB', zh: '条目列表超过 4 MiB' });
  checkFrame(zip, end, start + size);
  return { headers: readHeaders(zip.subarray(start, start + size), count), start };
}

function checkFrame(zip: Buffer, end: number, endOfList: number): void {
  if (zip.readUInt32LE(end + 4) !== 0 || zip.readUInt16LE(end + 8) !== zip.readUInt16LE(end + 10))
    throw format({ en: 'it has several parts', zh: '分为多卷' });
  if (zip.readUInt16LE(end + 20) !== 0) throw format({ en: 'it has a comment', zh: '带有注释' });
  if (endOfList !== end)
    throw format({ en: 'there is data between the list of entries and the end', zh: '条目列表与结尾之间有数据' });
}

function readHeaders(central: Buffer, count: number): Header[] {
  const headers: Header[] = [];
  let at = 0;
  for (let number = 0; number < count; number++) {
    if (at + CENTRAL_SIZE > central.length || central.readUInt32LE(at) !== CENTRAL_SIGNATURE)
      throw format({ en: 'a damaged list of entries', zh: '条目列表已损坏' });
    const nameLength = central.readUInt16LE(at + 28);
    const extraLength = central.readUInt16LE(at + 30);
    const commentLength = central.readUInt16LE(at + 32);
    const next = at + CENTRAL_SIZE + nameLength + extraLength + commentLength;
    if (next > central.length) throw format({ en: 'a damaged list of entries', zh: '条目列表已损坏' });
    const nameEnd = at + CENTRAL_SIZE + nameLength;
    checkExtra(central.subarray(nameEnd, nameEnd + extraLength));
    const header = readHeader(central, at, central.subarray(at + CENTRAL_SIZE, nameEnd));
    if (central.readUInt16LE(at + 34) !== 0) throw format({ en: 'it has several parts', zh: '分为多卷' });
    checkPlain(header);
    headers.push(header);
    at = next;
  }
  if (at !== central.length) throw format({ en: 'more bytes than entries in the list', zh: '条目列表中有多余字节' });
  return headers;
}

function readHeader(central: Buffer, at: number, nameBytes: Buffer): Header {
  const attributes = central.readUInt32LE(at + 38);
  const madeOnUnix = central.readUInt8(at + 5) === 3;
  return {
    nameBytes,
    needs: central.readUInt8(at + 6),
    flags: central.readUInt16LE(at + 8),
    method: central.readUInt16LE(at + 10),
    crc: central.readUInt32LE(at + 16),
    compressedSize: central.readUInt32LE(at + 20),
    size: central.readUInt32LE(at + 24),
    mode: madeOnUnix ? attributes >>> 16 : 0,
    isDosFolder: (attributes & 0x10) !== 0,
    localOffset: central.readUInt32LE(at + 42),
  };
}

function checkPlain(header: Header): void {
  if (header.needs > LATEST_VERSION) throw format({ en: 'an entry for later readers', zh: '条目需要更新的读取程序' });
  if ((header.flags & ~KNOWN_FLAGS) !== 0)
    throw format({ en: 'an encrypted or exotic entry', zh: '条目已加密或格式特殊' });
  if (header.method !== 0 && header.method !== 8)
    throw format({ en: `compression method ${header.method}`, zh: `压缩方法 ${header.method}` });
  if (header.method === 0 && header.size !== header.compressedSize)
    throw mismatch({ en: 'a stored entry with two sizes', zh: '未压缩条目有两个大小' });
  if ([header.size, header.compressedSize, header.localOffset].includes(0xffffffff))
    throw format({ en: 'ZIP64', zh: 'ZIP64 格式' });
}

/** Where the data of an entry lies; the local header must say the same as the list. */
export function locateData(zip: Buffer, header: Header, limit: number): { start: number; end: number; next: number } {
  const at = header.localOffset;
  if (at + LOCAL_SIZE > limit || zip.readUInt32LE(at) !== LOCAL_SIGNATURE)
    throw mismatch({ en: 'no local header where the list says', zh: '列表所指处没有本地头' });
  const nameLength = zip.readUInt16LE(at + 26);
  const extraLength = zip.readUInt16LE(at + 28);
  const nameEnd = at + LOCAL_SIZE + nameLength;
  const start = nameEnd + extraLength;
  const end = start + header.compressedSize;
  if (end > limit)
    throw new Fault('ARCHIVE_OVERLAP', { en: 'an entry runs into the list of entries', zh: '条目与条目列表重叠' });
  checkExtra(zip.subarray(nameEnd, start));
  compareHeaders(zip, at, header, zip.subarray(at + LOCAL_SIZE, nameEnd));
  const hasDescriptor = (header.flags & FLAG_DESCRIPTOR) !== 0;
  return { start, end, next: hasDescriptor ? skipDescriptor(zip, end, header, limit) : end };
}

function compareHeaders(zip: Buffer, at: number, header: Header, name: Buffer): void {
  if (!name.equals(header.nameBytes))
    throw mismatch({ en: 'the local header has another name', zh: '本地头中名称不同' });
  if (zip.readUInt16LE(at + 6) !== header.flags || zip.readUInt16LE(at + 8) !== header.method)
    throw mismatch({ en: 'another method or flags', zh: '方法或标志不同' });
  const local = [zip.readUInt32LE(at + 14), zip.readUInt32LE(at + 18), zip.readUInt32LE(at + 22)];
  const said = [header.crc, header.compressedSize, header.size];
  const isEmpty = local.every((value) => value === 0);
  const mayBeEmpty = (header.flags & FLAG_DESCRIPTOR) !== 0;
  if (!(mayBeEmpty && isEmpty) && local.some((value, index) => value !== said[index]))
    throw mismatch({ en: 'other sizes or checksum', zh: '大小或校验和不同' });
}

function skipDescriptor(zip: Buffer, end: number, header: Header, limit: number): number {
  const signed = end + 4 <= limit && zip.readUInt32LE(end) === DESCRIPTOR_SIGNATURE;
  const at = signed ? end + 4 : end;
  if (at + 12 > limit) throw mismatch({ en: 'a cut descriptor', zh: '描述符不完整' });
  const said = [header.crc, header.compressedSize, header.size];
  if (said.some((value, index) => zip.readUInt32LE(at + 4 * index) !== value))
    throw mismatch({ en: 'a descriptor with other sizes', zh: '描述符中大小不同' });
  return at + 12;
}

function checkExtra(extra: Buffer): void {
  for (let at = 0; at < extra.length; ) {
    if (at + 4 > extra.length) throw format({ en: 'a damaged extra field', zh: '附加字段已损坏' });
    if (FORBIDDEN_EXTRA.has(extra.readUInt16LE(at)))
      throw format({ en: 'an extra field that changes the entry', zh: '附加字段会改变条目' });
    at += 4 + extra.readUInt16LE(at + 2);
    if (at > extra.length) throw format({ en: 'a damaged extra field', zh: '附加字段已损坏' });
  }
}

export function decodeName({ nameBytes, flags }: Header): string {
  if ((flags & FLAG_UTF8) === 0 && nameBytes.some((byte) => byte > 0x7f))
    throw format({ en: 'a name in an unknown encoding', zh: '名称编码未知' });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(nameBytes);
  } catch {
    throw format({ en: 'a name that is not UTF-8', zh: '名称不是 UTF-8' });
  }
}

function format(detail: Text): Fault {
  return new Fault('ARCHIVE_FORMAT', detail);
}

function mismatch(detail: Text): Fault {
  return new Fault('ARCHIVE_MISMATCH', detail);
}
