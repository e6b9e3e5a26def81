// Lines in one growing piece of memory: what was added keeps its place for good.

const FIRST_SIZE = 1024 * 1024;

export class GrowingBuffer {
  /** Larger than what was written. */
  content: Buffer;
  #length: number;

  /** Goes on behind a copy of these bytes. */
  constructor(start: Uint8Array = new Uint8Array()) {
    // Only what is written to takes memory.
    this.content = Buffer.allocUnsafe(start.length + FIRST_SIZE);
    this.content.set(start);
    this.#length = start.length;
  }

  /** Says where it begins. */
  add(part: string | Uint8Array): number {
    const at = this.#length;
    // No unit of a string takes more than three bytes.
    this.#makeRoom(typeof part === 'string' ? part.length * 3 : part.length);
    if (typeof part === 'string') this.#length += this.content.write(part, at);
    else {
      this.content.set(part, at);
      this.#length += part.length;
    }
    return at;
  }

  written(): Buffer {
    return this.content.subarray(0, this.#length);
  }

  #makeRoom(size: number): void {
    if (this.#length + size <= this.content.length) return;
    const larger = Buffer.allocUnsafe((this.#length + size) * 4);
    larger.set(this.written());
    this.content = larger;
  }
}
