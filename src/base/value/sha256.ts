// SHA-256 of short texts without node:crypto, whose loading takes longer than everything else a stored answer needs.

const BLOCK = 64;
const LENGTH_BYTES = 8;

/** As lower-case hex; the same as node:crypto says. */
export function sha256Short(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const padded = pad(bytes);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(BLOCK);
  for (let at = 0; at < padded.byteLength; at += BLOCK) mix(state, expand(padded, at, words));
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** A one, zeros, and the length in bits, up to whole blocks. */
function pad(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK) * BLOCK;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(length - LENGTH_BYTES, BigInt(bytes.length) * 8n);
  return view;
}

function expand(padded: DataView, at: number, words: Uint32Array): Uint32Array {
  for (let index = 0; index < 16; index++) words[index] = padded.getUint32(at + index * 4);
  for (let index = 16; index < BLOCK; index++) {
    const far = words[index - 15] ?? 0;
    const near = words[index - 2] ?? 0;
    const first = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
    const second = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
    words[index] = (words[index - 16] ?? 0) + first + (words[index - 7] ?? 0) + second;
  }
  return words;
}

/** One variable for each place: an array that turns would be ten times slower before it is compiled. */
function mix(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < BLOCK; round++) {
    const chosen = (e & f) ^ (~e & g);
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + chosen + (ROUNDS[round] ?? 0) + (words[round] ?? 0);
    const common = (a & b) ^ (a & c) ^ (b & c);
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + common;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let index = 0; index < mixed.length; index++) state[index] = (state[index] ?? 0) + (mixed[index] ?? 0);
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

// The first bits of the fractions of roots of the first primes, as the standard has them.
const ROUNDS = fractionsOfRoots(64, 1 / 3);
const START = fractionsOfRoots(8, 1 / 2);

function fractionsOfRoots(count: number, power: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes.map((prime) => Math.floor((prime ** power % 1) * 2 ** 32));
}
