// Normalizes letters that mean the same: width, accents, traditional and simplified Chinese.
import han from './data/traditional.json' with { type: 'json' };

const HAN = /[\u3400-\u9fff]/;
const BEYOND_ASCII = /[\u0080-\uffff]/;
const ACCENT = /[\u00c0-\u024f\u1e00-\u1eff]/;
const ACCENT_MARKS = /[\u0300-\u036f]/g;

let simplified: Map<string, string> | undefined;

/** The text with one form per letter; case is kept, because identifiers are split by it. */
export function foldText(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  let folded = text.normalize('NFKC');
  if (ACCENT.test(folded)) folded = folded.normalize('NFD').replace(ACCENT_MARKS, '').normalize('NFC');
  return HAN.test(folded) ? simplify(folded) : folded;
}

function simplify(text: string): string {
  simplified ??= readPairs();
  let result = '';
  for (const character of text) result += simplified.get(character) ?? character;
  return result;
}

function readPairs(): Map<string, string> {
  const to = Array.from(han.simplified);
  return new Map(Array.from(han.traditional, (from, index) => [from, to[index] ?? from]));
}
