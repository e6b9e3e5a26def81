// Writes zip files byte by byte, so that a test can lie in any field.
import { crc32, deflateRawSync } from 'node:zlib';

export interface Lie {
  name?: string | Buffer;
  localName?: string;
  content?: string | Buffer;
  mode?: number;
  method?: number;
  flags?: number;
  localFlags?: number;
  size?: number;
  compressedSize?: number;
  crc?: number;
  madeBy?: number;
  extra?: Buffer;
  dosAttributes?: number;
  /** Reuses the local record of an earlier entry. */
  offset?: number;
  /** Bytes behind the compressed data, inside the claimed size. */
  padding?: Buffer;
  /** Sizes and checksum behind the data, and none of them in the local header; or zeros behind it. */
  descriptor?: 'signed' | 'unsigned' | 'lying';
  localExtra?: Buffer;
  comment?: string;
  /** The version a reader must have. */
  needs?: number;
}

export interface Frame {
  prefix?: Buffer;
  suffix?: Buffer;
  between?: Buffer;
  comment?: string;
  count?: number;
  disk?: number;
}

export function buildZip(entries: readonly Lie[], frame: Frame = {}): Buffer {
  const parts: Buffer[] = [frame.prefix ?? Buffer.alloc(0)];
  const central: Buffer[] = [];
  let offset = parts[0]?.length ?? 0;
  for (const entry of entries) {
    const record = encode(entry);
    central.push(centralHeader(entry, record, entry.offset ?? offset));
    if (entry.offset !== undefined) continue;
    parts.push(record.local);
    offset += record.local.length;
  }
  const directory = Buffer.concat(central);
  return Buffer.concat([
    ...parts,
    directory,
    frame.between ?? Buffer.alloc(0),
    endRecord(entries.length, directory.length, offset, frame),
    frame.suffix ?? Buffer.alloc(0),
  ]);
}

interface Encoded {
  name: Buffer;
  local: Buffer;
  crc: number;
  size: number;
  compressedSize: number;
  flags: number;
  method: number;
}

function encode(entry: Lie): Encoded {
  const name = Buffer.from(entry.name ?? 'skill/SKILL.md');
  const content = Buffer.from(entry.content ?? 'text');
  const method = entry.method ?? 8;
  const packed = Buffer.concat([method === 8 ? deflateRawSync(content) : content, entry.padding ?? Buffer.alloc(0)]);
  const fields = {
    name,
    crc: entry.crc ?? crc32(content),
    size: entry.size ?? content.length,
    compressedSize: entry.compressedSize ?? packed.length,
    flags: entry.flags ?? (entry.descriptor === undefined ? 0x0800 : 0x0808),
    method,
  };
  const localName = entry.localName === undefined ? name : Buffer.from(entry.localName);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(entry.needs ?? 20, 4);
  header.writeUInt16LE(entry.localFlags ?? fields.flags, 6);
  header.writeUInt16LE(method, 8);
  const sizes = sizesOf(fields);
  if (entry.descriptor === undefined) sizes.copy(header, 14);
  header.writeUInt16LE(localName.length, 26);
  const extra = entry.localExtra ?? Buffer.alloc(0);
  header.writeUInt16LE(extra.length, 28);
  const behind =
    entry.descriptor === undefined
      ? []
      : [DESCRIPTOR[entry.descriptor], entry.descriptor === 'lying' ? Buffer.alloc(12) : sizes];
  return { ...fields, local: Buffer.concat([header, localName, extra, packed, ...behind]) };
}

const SIGNED = Buffer.from('504b0708', 'hex');
const DESCRIPTOR = { signed: SIGNED, unsigned: Buffer.alloc(0), lying: SIGNED };

function sizesOf({ crc, compressedSize, size }: Pick<Encoded, 'crc' | 'compressedSize' | 'size'>): Buffer {
  const sizes = Buffer.alloc(12);
  for (const [index, value] of [crc, compressedSize, size].entries()) sizes.writeUInt32LE(value, 4 * index);
  return sizes;
}

function centralHeader(entry: Lie, record: Encoded, offset: number): Buffer {
  const extra = entry.extra ?? Buffer.alloc(0);
  const comment = Buffer.from(entry.comment ?? '');
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(((entry.madeBy ?? 3) << 8) | 20, 4);
  header.writeUInt16LE(entry.needs ?? 20, 6);
  header.writeUInt16LE(record.flags, 8);
  header.writeUInt16LE(record.method, 10);
  header.writeUInt32LE(record.crc, 16);
  header.writeUInt32LE(record.compressedSize, 20);
  header.writeUInt32LE(record.size, 24);
  header.writeUInt16LE(record.name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt16LE(comment.length, 32);
  header.writeUInt32LE((((entry.mode ?? 0o100644) << 16) | (entry.dosAttributes ?? 0)) >>> 0, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, record.name, extra, comment]);
}

function endRecord(entries: number, size: number, offset: number, frame: Frame): Buffer {
  const comment = Buffer.from(frame.comment ?? '');
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(frame.disk ?? 0, 4);
  end.writeUInt16LE(frame.count ?? entries, 8);
  end.writeUInt16LE(frame.count ?? entries, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, comment]);
}
