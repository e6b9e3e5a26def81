// Where the body of a plain request ends: what follows is another request, and nobody was asked about that one.

/** How many of these bytes belong to it; called with everything in order. `broken`: where it ends can be read in two ways. */
export type BodyBound = (bytes: Uint8Array) => number | 'broken';

export function bodyOfLength(length: number): BodyBound {
  let left = length;
  return ({ length: came }) => {
    const belongs = Math.min(came, left);
    left -= belongs;
    return belongs;
  };
}

const [CR, LF] = [13, 10];
const LONGEST_LINE = 4096;

type ChunkPart =
  | { readonly kind: 'size' | 'trailer' }
  | { readonly kind: 'data'; left: number }
  /** The line end behind the data: as many bytes of it have come. */
  | { readonly kind: 'data-end'; readonly come: 0 | 1 }
  | { readonly kind: 'end' | 'broken' };

const BROKEN: ChunkPart = { kind: 'broken' };

/** Chunks up to the empty one and its trailer. Half a line end is none: some servers take it for a whole one. */
export function chunkedBody(): BodyBound {
  let part: ChunkPart = { kind: 'size' };
  let line = '';
  const follow = (byte: number): ChunkPart => {
    if (part.kind === 'data-end') {
      if (byte !== (part.come === 0 ? CR : LF)) return BROKEN;
      return part.come === 0 ? { kind: 'data-end', come: 1 } : { kind: 'size' };
    }
    line += String.fromCharCode(byte);
    if (byte !== LF) return line.length > LONGEST_LINE || /\r[^\n]/.test(line) ? BROKEN : part;
    const text = line.endsWith('\r\n') ? line.slice(0, -2) : undefined;
    line = '';
    if (text === undefined) return BROKEN;
    if (part.kind === 'trailer') return text === '' ? { kind: 'end' } : part;
    const digits = /^([0-9a-f]{1,12})(?:\s*;.*)?$/i.exec(text)?.[1];
    if (digits === undefined) return BROKEN;
    const size = Number.parseInt(digits, 16);
    return size === 0 ? { kind: 'trailer' } : { kind: 'data', left: size };
  };
  return (bytes) => {
    let at = 0;
    while (at < bytes.length && part.kind !== 'end') {
      if (part.kind === 'data') {
        const taken = Math.min(part.left, bytes.length - at);
        at += taken;
        part.left -= taken;
        if (part.left === 0) part = { kind: 'data-end', come: 0 };
        continue;
      }
      part = follow(bytes[at++] ?? LF);
      if (part.kind === 'broken') return 'broken';
    }
    return part.kind === 'broken' ? 'broken' : at;
  };
}
