// Keys and values side by side in one buffer: thousands of records without an object for each.
import { isAscii } from '../base/text.ts';
import type { Witness } from './witness.ts';

// Length of the key, length of the value, one byte for the format, and the witness.
const [DEVICE, INODE, SIZE, CHANGED, MODIFIED, FRAME] = [9, 17, 25, 33, 41, 49] as const;
const NO_WITNESS: Witness = { dev: 0, ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 };
// Memory that was never written to costs nothing.
const ROOM = 16 * 1024 * 1024;

/** What to keep: the key is the beginning of `bytes`. */
export interface NewRecord {
  readonly bytes: Buffer;
  readonly keyLength: number;
  readonly mark: number;
  readonly value: string;
  readonly witness: Witness | undefined;
}

export class RecordBuffer {
  #content: Buffer;
  #view: DataView;
  #length: number;

  /** Continues after these bytes, in a copy. */
  constructor(content: Buffer) {
    this.#content = content;
    this.#view = viewOf(content);
    this.#length = content.length;
  }

  /** Returns the offset of the record. */
  add({ bytes, keyLength, mark, value, witness }: NewRecord): number {
    const at = this.#length;
    // A UTF-16 unit takes at most three bytes.
    this.#makeRoom(FRAME + keyLength + value.length * 3);
    const start = at + FRAME + bytes.copy(this.#content, at + FRAME, 0, keyLength);
    const valueLength = this.#content.write(value, start);
    this.#view.setUint32(at, keyLength, true);
    this.#view.setUint32(at + 4, valueLength, true);
    this.#content[at + 8] = mark;
    this.setWitness(at, witness);
    this.#length = start + valueLength;
    return at;
  }

  /** Copies a record from another buffer, and returns the offset of the copy. */
  addCopy(record: Buffer): number {
    const at = this.#length;
    this.#makeRoom(record.length);
    this.#length += record.copy(this.#content, at);
    return at;
  }

  hasKey(at: number, bytes: Buffer, keyLength: number): boolean {
    if (at >= this.#length || this.#keyLength(at) !== keyLength) return false;
    const start = at + FRAME;
    return this.#content.compare(bytes, 0, keyLength, start, start + keyLength) === 0;
  }

  /** Whether the key of the record ends with a zero and this name. */
  isNamed(at: number, name: string): boolean {
    if (at >= this.#length) return false;
    if (!isAscii(name)) return this.nameAt(at) === name;
    const start = this.#valueStart(at) - name.length;
    // Faster than bytes or a text of their own.
    for (let index = 0; index < name.length; index++) {
      if (this.#content[start + index] !== name.charCodeAt(index)) return false;
    }
    return start > at + FRAME && this.#content[start - 1] === 0;
  }

  /** What is behind the last zero of the key. */
  nameAt(at: number): string {
    const key = this.keyAt(at);
    return key.toString('utf8', key.lastIndexOf(0) + 1);
  }

  keyAt(at: number): Buffer {
    return this.#content.subarray(at + FRAME, this.#valueStart(at));
  }

  markAt(at: number): number | undefined {
    return this.#content[at + 8];
  }

  valueAt(at: number): string {
    return this.#content.toString('utf8', this.#valueStart(at), this.endOf(at));
  }

  /** Without a witness, zeros. */
  setWitness(at: number, witness: Witness = NO_WITNESS): void {
    const view = this.#view;
    view.setFloat64(at + DEVICE, witness.dev, true);
    view.setFloat64(at + INODE, witness.ino, true);
    view.setFloat64(at + SIZE, witness.size, true);
    view.setFloat64(at + CHANGED, witness.ctimeMs, true);
    view.setFloat64(at + MODIFIED, witness.mtimeMs, true);
  }

  hasWitness(at: number, witness: Witness = NO_WITNESS): boolean {
    const view = this.#view;
    return (
      view.getFloat64(at + CHANGED, true) === witness.ctimeMs &&
      view.getFloat64(at + INODE, true) === witness.ino &&
      view.getFloat64(at + DEVICE, true) === witness.dev &&
      view.getFloat64(at + SIZE, true) === witness.size &&
      view.getFloat64(at + MODIFIED, true) === witness.mtimeMs
    );
  }

  endOf(at: number): number {
    return this.#valueStart(at) + this.#view.getUint32(at + 4, true);
  }

  slice(start: number, end = this.#length): Buffer {
    return this.#content.subarray(start, end);
  }

  get length(): number {
    return this.#length;
  }

  #keyLength(at: number): number {
    return this.#view.getUint32(at, true);
  }

  #valueStart(at: number): number {
    return at + FRAME + this.#keyLength(at);
  }

  #makeRoom(size: number): void {
    if (this.#length + size <= this.#content.length) return;
    const larger = Buffer.allocUnsafe((this.#length + size) * 2 + ROOM);
    this.#content.copy(larger, 0, 0, this.#length);
    this.#content = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
