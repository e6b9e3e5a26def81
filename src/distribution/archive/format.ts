// The bytes of a zip file: its end record, central directory and local headers, read strictly.
import { Fault } from '../../base/errors.ts';

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
  if (end < 0 || zip.readUInt32LE(end) !== END_SIGNATURE) throw format('it does not end with a plain end record');
  const count = zip.readUInt16LE(end + 10);
  const size = zip.readUInt32LE(end + 12);
  const start = zip.readUInt32LE(end + 16);
  if (count === 0xffff || start === 0xffffffff) throw format('ZIP64');
  if (count > entryLimit) throw new Fault('ARCHIVE_LIMIT', `${count} entries, at most ${entryLimit}`);
  if (size > CENTRAL_LIMIT) throw new Fault('ARCHIVE_LIMIT', 'the list of entries is over 4 MiB');
  checkFrame(zip, end, start + size);
  return { headers: readHeaders(zip.subarray(start, start + size), count), start };
}

function checkFrame(zip: Buffer, end: number, endOfList: number): void {
  if (zip.readUInt32LE(end + 4) !== 0 || zip.readUInt16LE(end + 8) !== zip.readUInt16LE(end + 10))
    throw format('it has several parts');
  if (zip.readUInt16LE(end + 20) !== 0) throw format('it has a comment');
  if (endOfList !== end) throw format('there is data between the list of entries and the end');
}

function readHeaders(central: Buffer, count: number): Header[] {
  const headers: Header[] = [];
  let at = 0;
  for (let number = 0; number < count; number++) {
    if (at + CENTRAL_SIZE > central.length || central.readUInt32LE(at) !== CENTRAL_SIGNATURE)
      throw format('a damaged list of entries');
    const nameLength = central.readUInt16LE(at + 28);
    const extraLength = central.readUInt16LE(at + 30);
    const commentLength = central.readUInt16LE(at + 32);
    const next = at + CENTRAL_SIZE + nameLength + extraLength + commentLength;
    if (next > central.length) throw format('a damaged list of entries');
    const nameEnd = at + CENTRAL_SIZE + nameLength;
    checkExtra(central.subarray(nameEnd, nameEnd + extraLength));
    const header = readHeader(central, at, central.subarray(at + CENTRAL_SIZE, nameEnd));
    if (central.readUInt16LE(at + 34) !== 0) throw format('it has several parts');
    checkPlain(header);
    headers.push(header);
    at = next;
  }
  if (at !== central.length) throw format('more bytes than entries in the list');
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
  if (header.needs > LATEST_VERSION) throw format('an entry for later readers');
  if ((header.flags & ~KNOWN_FLAGS) !== 0) throw format('an encrypted or exotic entry');
  if (header.method !== 0 && header.method !== 8) throw format(`compression method ${header.method}`);
  if (header.method === 0 && header.size !== header.compressedSize) throw mismatch('a stored entry with two sizes');
  if ([header.size, header.compressedSize, header.localOffset].includes(0xffffffff)) throw format('ZIP64');
}

/** Where the data of an entry lies; the local header must say the same as the list. */
export function locateData(zip: Buffer, header: Header, limit: number): { start: number; end: number; next: number } {
  const at = header.localOffset;
  if (at + LOCAL_SIZE > limit || zip.readUInt32LE(at) !== LOCAL_SIGNATURE)
    throw mismatch('no local header where the list says');
  const nameLength = zip.readUInt16LE(at + 26);
  const extraLength = zip.readUInt16LE(at + 28);
  const nameEnd = at + LOCAL_SIZE + nameLength;
  const start = nameEnd + extraLength;
  const end = start + header.compressedSize;
  if (end > limit) throw new Fault('ARCHIVE_OVERLAP', 'an entry runs into the list of entries');
  checkExtra(zip.subarray(nameEnd, start));
  compareHeaders(zip, at, header, zip.subarray(at + LOCAL_SIZE, nameEnd));
  const hasDescriptor = (header.flags & FLAG_DESCRIPTOR) !== 0;
  return { start, end, next: hasDescriptor ? skipDescriptor(zip, end, header, limit) : end };
}

function compareHeaders(zip: Buffer, at: number, header: Header, name: Buffer): void {
  if (!name.equals(header.nameBytes)) throw mismatch('the local header has another name');
  if (zip.readUInt16LE(at + 6) !== header.flags || zip.readUInt16LE(at + 8) !== header.method)
    throw mismatch('another method or flags');
  const local = [zip.readUInt32LE(at + 14), zip.readUInt32LE(at + 18), zip.readUInt32LE(at + 22)];
  const said = [header.crc, header.compressedSize, header.size];
  const isEmpty = local.every((value) => value === 0);
  const mayBeEmpty = (header.flags & FLAG_DESCRIPTOR) !== 0;
  if (!(mayBeEmpty && isEmpty) && local.some((value, index) => value !== said[index]))
    throw mismatch('other sizes or checksum');
}

function skipDescriptor(zip: Buffer, end: number, header: Header, limit: number): number {
  const signed = end + 4 <= limit && zip.readUInt32LE(end) === DESCRIPTOR_SIGNATURE;
  const at = signed ? end + 4 : end;
  if (at + 12 > limit) throw mismatch('a cut descriptor');
  const said = [header.crc, header.compressedSize, header.size];
  if (said.some((value, index) => zip.readUInt32LE(at + 4 * index) !== value))
    throw mismatch('a descriptor with other sizes');
  return at + 12;
}

function checkExtra(extra: Buffer): void {
  for (let at = 0; at < extra.length; ) {
    if (at + 4 > extra.length) throw format('a damaged extra field');
    if (FORBIDDEN_EXTRA.has(extra.readUInt16LE(at))) throw format('an extra field that changes the entry');
    at += 4 + extra.readUInt16LE(at + 2);
    if (at > extra.length) throw format('a damaged extra field');
  }
}

export function decodeName({ nameBytes, flags }: Header): string {
  if ((flags & FLAG_UTF8) === 0 && nameBytes.some((byte) => byte > 0x7f)) throw format('a name in an unknown encoding');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(nameBytes);
  } catch {
    throw format('a name that is not UTF-8');
  }
}

function format(detail: string): Fault {
  return new Fault('ARCHIVE_FORMAT', detail);
}

function mismatch(detail: string): Fault {
  return new Fault('ARCHIVE_MISMATCH', detail);
}
