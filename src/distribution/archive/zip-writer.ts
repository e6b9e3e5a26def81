// Writes zip files whose bytes depend on nothing but names, contents and the executable bit.
import { crc32, deflateRawSync } from 'node:zlib';
import { checkName, refuseCollisions } from './name.ts';
import { ARCHIVE_LIMITS } from './type.ts';

export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
  readonly executable: boolean;
}

const LEVEL = 6;
const UTF8_NAMES = 0x0800;
const VERSION = 20;
const MADE_ON_UNIX = 3 << 8;
// The first moment a zip file can name: 1 January 1980, midnight.
const DATE = 0x0021;
const DEFLATE = 8;
const STORE = 0;

/** Throws a Fault for names that our own reader would refuse: what is written can be installed. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  refuseCollisions(entries.map(({ name }) => ({ name, segments: checkName(name) })));
  const sorted = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  const parts: Uint8Array[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const entry of sorted) {
    const name = Buffer.from(entry.name);
    const { method, packed } = pack(entry.content);
    const common = commonFields(entry.content, packed.length, name.length, method);
    const local = localHeader(common);
    parts.push(local, name, packed);
    central.push(centralHeader(common, entry.executable, offset), name);
    offset += local.length + name.length + packed.length;
  }
  const list = Buffer.concat(central);
  return Buffer.concat([...parts, list, endRecord(sorted.length, list.length, offset)]);
}

// Stored where packing gains nothing, or so much that a careful reader would take it for a bomb.
function pack(content: Uint8Array): { method: number; packed: Uint8Array } {
  const packed = deflateRawSync(content, { level: LEVEL });
  const isWorthIt = packed.length < content.length && content.length < packed.length * ARCHIVE_LIMITS.ratio;
  return isWorthIt ? { method: DEFLATE, packed } : { method: STORE, packed: content };
}

/** The 26 bytes both headers share: version, flags, method, time, checksum, sizes, lengths. */
function commonFields(content: Uint8Array, packedSize: number, nameLength: number, method: number): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(UTF8_NAMES, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(DATE, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packedSize, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(nameLength, 22);
  return fields;
}

function localHeader(common: Buffer): Buffer {
  return Buffer.concat([signature(0x04034b50), common]);
}

function centralHeader(common: Buffer, executable: boolean, offset: number): Buffer {
  const madeBy = Buffer.alloc(2);
  madeBy.writeUInt16LE(MADE_ON_UNIX | VERSION);
  const rest = Buffer.alloc(14);
  const mode = executable ? 0o100755 : 0o100644;
  rest.writeUInt32LE((mode << 16) >>> 0, 6);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([signature(0x02014b50), madeBy, common, rest]);
}

function endRecord(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
