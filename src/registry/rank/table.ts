// A hash table of 64-bit keys to numbers, in flat arrays that are written to disk and used as they are.

const CHUNK = 1 << 16;

/** A list of numbers that grows in chunks, so that growing copies nothing. */
export class NumberList {
  readonly #full: Uint32Array[] = [];
  #chunk = new Uint32Array(CHUNK);
  #used = 0;

  get length(): number {
    return this.#full.length * CHUNK + this.#used;
  }

  push(value: number): void {
    if (this.#used === CHUNK) {
      this.#full.push(this.#chunk);
      this.#chunk = new Uint32Array(CHUNK);
      this.#used = 0;
    }
    this.#chunk[this.#used++] = value;
  }

  /** All numbers in one array; empties the list, so that both are in memory only briefly. */
  take(): Uint32Array {
    const values = new Uint32Array(this.length);
    values.set(this.#chunk.subarray(0, this.#used), this.#full.length * CHUNK);
    for (let chunk = this.#full.pop(); chunk; chunk = this.#full.pop()) values.set(chunk, this.#full.length * CHUNK);
    this.#used = 0;
    return values;
  }
}

export class KeyTable {
  #low: Uint32Array;
  #high: Uint32Array;
  /** Number of the key plus one, at the slot of its hash or after it. */
  #slots: Uint32Array;
  #count: number;

  constructor(
    low: Uint32Array = new Uint32Array(1024),
    high: Uint32Array = new Uint32Array(1024),
    slots: Uint32Array = new Uint32Array(2048),
    count = 0,
  ) {
    this.#low = low;
    this.#high = high;
    this.#slots = slots;
    this.#count = count;
  }

  get size(): number {
    return this.#count;
  }

  /** -1 where the key is unknown. */
  find(low: number, high: number): number {
    return (this.#slots[this.#place(low, high)] ?? 0) - 1;
  }

  /** The number of the key, which is added when it is new. */
  add(low: number, high: number): number {
    const place = this.#place(low, high);
    const known = this.#slots[place] ?? 0;
    if (known > 0) return known - 1;
    const number = this.#count++;
    if (number === this.#low.length) this.#growKeys();
    this.#low[number] = low;
    this.#high[number] = high;
    this.#slots[place] = number + 1;
    if (this.#count * 2 > this.#slots.length) this.#growSlots();
    return number;
  }

  /** -1 where the text is unknown. */
  findText(text: string): number {
    hashRange(text, 0, text.length);
    return this.find(key[0] ?? 0, key[1] ?? 0);
  }

  /** The number of a text or of a part of it. */
  addText(text: string, start = 0, end = text.length): number {
    hashRange(text, start, end);
    return this.add(key[0] ?? 0, key[1] ?? 0);
  }

  lowOf(number: number): number {
    return this.#low[number] ?? 0;
  }

  highOf(number: number): number {
    return this.#high[number] ?? 0;
  }

  /** The three arrays, trimmed to their used length. */
  arrays(): { low: Uint32Array; high: Uint32Array; slots: Uint32Array } {
    return { low: this.#low.slice(0, this.#count), high: this.#high.slice(0, this.#count), slots: this.#slots };
  }

  #place(low: number, high: number): number {
    const mask = this.#slots.length - 1;
    let place = mix(low, high) & mask;
    for (;;) {
      const number = (this.#slots[place] ?? 0) - 1;
      if (number < 0 || (this.#low[number] === low && this.#high[number] === high)) return place;
      place = (place + 1) & mask;
    }
  }

  #growKeys(): void {
    const low = new Uint32Array(this.#low.length * 2);
    const high = new Uint32Array(this.#high.length * 2);
    low.set(this.#low);
    high.set(this.#high);
    this.#low = low;
    this.#high = high;
  }

  #growSlots(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#count; number++) {
      this.#slots[this.#place(this.lowOf(number), this.highOf(number))] = number + 1;
    }
  }
}

// Two independent 32-bit hashes make a key; two of a million terms collide with a chance of one in ten million.
const LOW_SEED = 0x811c9dc5;
const HIGH_SEED = 0x2f0b4c47;
const PRIME = 0x01000193;

/** The key that was made last: returning a pair for each of millions of words would cost more than hashing. */
const key = new Uint32Array(2);

function hashRange(text: string, start: number, end: number): void {
  let low = LOW_SEED;
  let high = HIGH_SEED;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, PRIME);
    high = Math.imul(high ^ unit, PRIME);
  }
  key[0] = mix(low, LOW_SEED);
  key[1] = mix(high, HIGH_SEED);
}

function mix(low: number, high: number): number {
  let hash = low ^ Math.imul(high, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
