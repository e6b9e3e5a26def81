// Encoded text: decoded and inspected like the rest.
import { findGrave, type Sighting } from './search.ts';

const BASE64 = /(?<![A-Za-z0-9+/=,;:_-])[A-Za-z0-9+/]{40}[A-Za-z0-9+/]*={0,2}(?![A-Za-z0-9+/=])/g;
const COMMANDS = /\b(?:curl|wget|bash|powershell|iex|import os|subprocess)\b/i;

export function encodedText(text: string): Sighting[] {
  const says = { en: 'holds an encoded text that says what it should not', zh: '含有编码后的可疑内容' };
  const blobs = Array.from(text.matchAll(BASE64), ({ index, 0: blob }) => ({
    index,
    end: index + blob.length,
    decoded: decode(blob),
  })).filter((blob): blob is { index: number; end: number; decoded: string } => blob.decoded !== undefined);
  const grave = findGrave(blobs.map(({ decoded }) => decoded));
  return blobs.flatMap(({ index, end, decoded }, place): Sighting[] => {
    if (!grave.has(place) && !COMMANDS.test(decoded)) return [];
    return [{ id: 'encoded-text', severity: grave.has(place) ? 'CRITICAL' : 'HIGH', view: 'text', index, end, says }];
  });
}

/** Text, also in the two-byte letters of Windows; undefined for anything else. */
function decode(blob: string): string | undefined {
  const bytes = Buffer.from(blob, 'base64');
  const decoded = bytes[1] === 0 && bytes[3] === 0 ? bytes.toString('utf16le') : bytes.toString('latin1');
  return /^[\t\n\r\x20-\x7e]+$/.test(decoded.slice(0, 64)) ? decoded : undefined;
}
