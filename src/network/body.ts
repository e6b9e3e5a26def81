// Where the body of a plain request ends: what follows is another request, and nobody was asked about that one.

/** How many of these bytes belong to it; called with everything in order. */
export type BodyBound = (bytes: Uint8Array) => number;

export function bodyOfLength(length: number): BodyBound {
  let left = length;
  return ({ length: came }) => {
    const belongs = Math.min(came, left);
    left -= belongs;
    return belongs;
  };
}

const LF = 10;
const LONGEST_LINE = 4096;

type ChunkPart =
  | { readonly kind: 'size' | 'trailer' }
  | { readonly kind: 'data'; left: number }
  | { readonly kind: 'end' };

/** Chunks up to the empty one and its trailer. What is no chunk ends it. */
export function chunkedBody(): BodyBound {
  let part: ChunkPart = { kind: 'size' };
  let line = '';
  const endLine = (): ChunkPart => {
    const text = line.replace(/\r$/, '');
    line = '';
    if (part.kind === 'trailer') return text === '' ? { kind: 'end' } : part;
    const digits = /^([0-9a-f]{1,12})(?:\s*;.*)?$/i.exec(text)?.[1];
    if (digits === undefined) return { kind: 'end' };
    const size = Number.parseInt(digits, 16);
    // With the line end after it.
    return size === 0 ? { kind: 'trailer' } : { kind: 'data', left: size + 2 };
  };
  return (bytes) => {
    let at = 0;
    while (at < bytes.length && part.kind !== 'end') {
      if (part.kind === 'data') {
        const taken = Math.min(part.left, bytes.length - at);
        at += taken;
        part.left -= taken;
        if (part.left === 0) part = { kind: 'size' };
        continue;
      }
      const byte = bytes[at++] ?? LF;
      if (byte === LF) part = endLine();
      else line += String.fromCharCode(byte);
      if (line.length > LONGEST_LINE) part = { kind: 'end' };
    }
    return at;
  };
}
