// Keys and values side by side in one buffer: thousands of records without an object for each.

// Length of the key, length of the value, one byte for the format.
const FRAME = 9;
// Memory that was never written to costs nothing.
const ROOM = 16 * 1024 * 1024;

export class RecordBuffer {
  #content: Buffer;
  #length: number;

  /** Continues after these bytes, in a copy. */
  constructor(content: Buffer) {
    this.#content = content;
    this.#length = content.length;
  }

  /** The key is the beginning of `bytes`. Returns the offset of the record. */
  add(bytes: Buffer, keyLength: number, mark: number, value: string): number {
    const at = this.#length;
    // A UTF-16 unit takes at most three bytes.
    this.#makeRoom(FRAME + keyLength + value.length * 3);
    const start = at + FRAME + bytes.copy(this.#content, at + FRAME, 0, keyLength);
    const valueLength = this.#content.write(value, start);
    this.#content.writeUInt32LE(keyLength, at);
    this.#content.writeUInt32LE(valueLength, at + 4);
    this.#content[at + 8] = mark;
    this.#length = start + valueLength;
    return at;
  }

  /** Copies a record from another buffer. */
  addCopy(record: Buffer): number {
    const at = this.#length;
    this.#makeRoom(record.length);
    this.#length += record.copy(this.#content, at);
    return at;
  }

  hasKey(at: number, bytes: Buffer, keyLength: number): boolean {
    if (at >= this.#length || this.#content.readUInt32LE(at) !== keyLength) return false;
    const start = at + FRAME;
    return this.#content.compare(bytes, 0, keyLength, start, start + keyLength) === 0;
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

  endOf(at: number): number {
    return this.#valueStart(at) + this.#content.readUInt32LE(at + 4);
  }

  slice(start: number, end = this.#length): Buffer {
    return this.#content.subarray(start, end);
  }

  get length(): number {
    return this.#length;
  }

  #valueStart(at: number): number {
    return at + FRAME + this.#content.readUInt32LE(at);
  }

  #makeRoom(size: number): void {
    if (this.#length + size <= this.#content.length) return;
    const larger = Buffer.allocUnsafe((this.#length + size) * 2 + ROOM);
    this.#content.copy(larger, 0, 0, this.#length);
    this.#content = larger;
  }
}
