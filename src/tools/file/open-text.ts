// Reads a file of the world: regular and bounded.
import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { Fault } from '../../base/errors.ts';
import { quote } from '../../loader/contained.ts';
import { blocked, explained, FILE_FLAGS, type OpenParent, openFile, type World } from './path-guard.ts';

export interface FileContent {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly stats: Stats;
}

export interface Range {
  readonly offset: number;
  readonly length: number;
}

/** All of it, or LIMIT_FILE_SIZE. */
export function readWhole(world: World, given: string, maxBytes: number): FileContent {
  return whole(readRange(world, given, { offset: 0, length: maxBytes + 1 }), maxBytes);
}

/** As much of the range as the file has. */
export function readRange(world: World, given: string, range: Range): FileContent {
  const { descriptor, path } = openFile(world, given);
  return readAndClose(descriptor, path, range);
}

/** All of a file that is about to be changed. */
export function readNamed(parent: OpenParent, maxBytes: number): FileContent {
  const descriptor = explained(parent.path, () => openSync(`${parent.at}/${parent.name}`, FILE_FLAGS));
  return whole(readAndClose(descriptor, parent.path, { offset: 0, length: maxBytes + 1 }), maxBytes);
}

function whole(content: FileContent, maxBytes: number): FileContent {
  if (content.bytes.length > maxBytes) throw tooLarge(content.path, maxBytes);
  return content;
}

function readAndClose(descriptor: number, path: string, range: Range): FileContent {
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw new Fault('ParamInvalid', quote(path, { en: 'is a folder', zh: '是目录' }));
    if (!stats.isFile()) throw blocked(path, { en: 'is not a file', zh: '不是文件' });
    return { path, stats, bytes: readDescriptor(descriptor, range, stats.size) };
  } finally {
    closeSync(descriptor);
  }
}

/** What a file may have grown by since its size was asked, and room to see that it has not. */
const SPARE_BYTES = 4096;
const CHUNK_BYTES = 256 * 1024;

/** The size only says how much room is made at once: the file is read to its end, wherever that is by now. */
export function readDescriptor(descriptor: number, { offset, length }: Range, size: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let total = 0;
  while (total < length) {
    const rest = Math.max(0, size - offset - total) + SPARE_BYTES;
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, length - total, rest));
    const read = fill(chunk, descriptor, offset + total);
    chunks.push(chunk.subarray(0, read));
    total += read;
    if (read < chunk.length) break;
  }
  return Buffer.concat(chunks);
}

/** Less than all of it only where the file ends. */
function fill(chunk: Uint8Array, descriptor: number, position: number): number {
  let filled = 0;
  for (let read = 1; read > 0 && filled < chunk.length; filled += read)
    read = readSync(descriptor, chunk, filled, chunk.length - filled, position + filled);
  return filled;
}

function tooLarge(path: string, maxBytes: number): Fault {
  const reason = { en: `is larger than ${maxBytes} bytes`, zh: `大于 ${maxBytes} 字节` };
  return new Fault('LIMIT_FILE_SIZE', quote(path, reason), {
    hint: { en: 'Ask for a part of it: offset and length.', zh: '请读取其中一部分: offset 与 length。' },
  });
}
