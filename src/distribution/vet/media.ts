// Whether an image, sound, film or font is what its name says and nothing more: its parts fill the file to its end.
// What it shows is not looked at; but no other kind of file is in it, and nothing is hung on.
type Fills = (bytes: Buffer) => boolean;

/** No end is found by searching: each part says how long it is. */
const KINDS: readonly { readonly name: RegExp; readonly fills: Fills }[] = [
  { name: /\.png$/i, fills: isPng },
  { name: /\.jpe?g$/i, fills: isJpeg },
  { name: /\.gif$/i, fills: isGif },
  { name: /\.(?:webp|wav)$/i, fills: isRiff },
  {
    name: /\.bmp$/i,
    fills: (bytes) => begins(bytes, 'BM') && bytes.length > 6 && bytes.readUInt32LE(2) === bytes.length,
  },
  { name: /\.ico$/i, fills: isIcon },
  { name: /\.(?:mp4|m4a|mov|avif|heic)$/i, fills: isBoxes },
  {
    name: /\.woff2?$/i,
    fills: (bytes) =>
      /^wOF[F2]/.test(bytes.toString('latin1', 0, 4)) && bytes.length > 12 && bytes.readUInt32BE(8) === bytes.length,
  },
  { name: /\.(?:ttf|otf)$/i, fills: isFont },
];

export function isWholeMedia(path: string, bytes: Buffer): boolean {
  const kind = KINDS.find(({ name }) => name.test(path));
  if (kind === undefined) return false;
  try {
    return kind.fills(bytes);
  } catch (error) {
    // A length that points behind the end.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function begins(bytes: Buffer, magic: string): boolean {
  return bytes.toString('latin1', 0, magic.length) === magic;
}

function isPng(bytes: Buffer): boolean {
  if (!begins(bytes, '\x89PNG\r\n\x1a\n')) return false;
  for (let at = 8; ; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    at += bytes.readUInt32BE(at) + 12;
    if (type === 'IEND') return at === bytes.length;
  }
}

/** The data between two marks holds no mark of its own: FF is followed by 00, FF, or one that starts the image anew. */
function isJpeg(bytes: Buffer): boolean {
  if (bytes.readUInt16BE(0) !== 0xffd8) return false;
  for (let at = 2; ; ) {
    const mark = bytes.readUInt16BE(at);
    if (mark === 0xffd9) return at + 2 === bytes.length;
    if (mark < 0xffc0) return false;
    at += 2 + bytes.readUInt16BE(at + 2);
    if (mark === 0xffda) at = endOfScan(bytes, at);
  }
}

function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

function isGif(bytes: Buffer): boolean {
  if (!/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return false;
  let at = 13 + colours(bytes.readUInt8(10));
  for (;;) {
    const block = bytes.readUInt8(at);
    if (block === 0x3b) return at + 1 === bytes.length;
    if (block === 0x21) at = endOfBlocks(bytes, at + 2);
    else if (block === 0x2c) at = endOfBlocks(bytes, at + 11 + colours(bytes.readUInt8(at + 9)));
    else return false;
  }
}

function colours(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1);
}

function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let size = bytes.readUInt8(at); size > 0; size = bytes.readUInt8(at)) at += size + 1;
  return at + 1;
}

/** An odd length may be padded. */
function isRiff(bytes: Buffer): boolean {
  const length = bytes.readUInt32LE(4) + 8;
  const isKnown = begins(bytes, 'RIFF') && /^(?:WEBP|WAVE)/.test(bytes.toString('latin1', 8, 12));
  return isKnown && (bytes.length === length || bytes.length === length + (length % 2));
}

function isIcon(bytes: Buffer): boolean {
  const count = bytes.readUInt16LE(4);
  if (bytes.readUInt32LE(0) !== 0x10000 || count === 0) return false;
  const ends = Array.from(
    { length: count },
    (_, index) => bytes.readUInt32LE(14 + index * 16) + bytes.readUInt32LE(18 + index * 16),
  );
  return Math.max(...ends) === bytes.length;
}

function isBoxes(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  let at = 0;
  while (at < bytes.length) {
    const size = bytes.readUInt32BE(at);
    const isLong = size === 1;
    if (!isLong && size < 8) return false;
    at += isLong ? Number(bytes.readBigUInt64BE(at + 8)) : size;
  }
  return at === bytes.length;
}

/** TrueType, OpenType, and that of Apple. */
const FONT_MAGIC = new Set([0x10000, 0x4f54544f, 0x74727565]);

/** Tables are padded to four bytes. */
function isFont(bytes: Buffer): boolean {
  if (!FONT_MAGIC.has(bytes.readUInt32BE(0))) return false;
  const count = bytes.readUInt16BE(4);
  const ends = Array.from(
    { length: count },
    (_, index) => bytes.readUInt32BE(20 + index * 16) + bytes.readUInt32BE(24 + index * 16),
  );
  const end = Math.max(0, ...ends);
  return count > 0 && bytes.length >= end && bytes.length <= end + 3;
}
