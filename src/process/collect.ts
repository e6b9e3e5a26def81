// The output of a process, kept in memory up to a limit: many tiny writes cost no more than one large one.
const FIRST_SIZE = 4 * 1024;
const LARGE = 256 * 1024;
const ROOM_FOR_LARGE = 16 * 1024 * 1024;

export class Collector {
  readonly #limit: number;
  #kept = Buffer.alloc(0);
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Keeps what fits; false once there was more than that. */
  add(chunk: Buffer): boolean {
    const fitting = chunk.subarray(0, this.#limit - this.#used);
    if (this.#used + fitting.length > this.#kept.length) this.#grow(this.#used + fitting.length);
    this.#used += fitting.copy(this.#kept, this.#used);
    return fitting.length === chunk.length;
  }

  /** Everything that was kept; the collector is empty afterwards. */
  take(): Buffer {
    const whole = this.#kept.subarray(0, this.#used);
    this.#kept = Buffer.alloc(0);
    this.#used = 0;
    return whole;
  }

  // Doubles the buffer, so that copying stays rare; a large output allocates much at once, as untouched pages are free.
  #grow(needed: number): void {
    const doubled = Math.max(FIRST_SIZE, this.#kept.length * 2, needed > LARGE ? ROOM_FOR_LARGE : 0);
    const size = Math.max(needed, Math.min(this.#limit, doubled));
    const grown = Buffer.allocUnsafeSlow(size);
    this.#kept.copy(grown, 0, 0, this.#used);
    this.#kept = grown;
  }
}
