// Text as its reader takes it: brackets and letters that only look like the usual ones become those, small and unaccented.

/** What stands for each character that imitates it. */
const IMITATIONS: Readonly<Record<string, string>> = {
  '<': '‹〈⟨❮❰˂ᐸ⪡≺⧼⦑',
  '>': '›〉⟩❯❱˃ᐳ⪢≻⧽⦒',
  '/': '∕⁄╱⧸',
  '|': '∣│┃ǀ｜',
  '[': '⟦【〔❲',
  ']': '⟧】〕❳',
  a: 'аαɑᴀ',
  b: 'Ьᖯʙ',
  c: 'сϲᴄ',
  d: 'ԁɗᴅ',
  e: 'еҽᴇε',
  f: 'ϝꜰ',
  g: 'ɡց',
  h: 'һհʜн',
  i: 'іıɩιɪӏ',
  j: 'јϳᴊ',
  k: 'кκᴋ',
  l: 'ⅼʟ',
  m: 'мᴍ',
  n: 'ոռɴη',
  o: 'оοօᴏσ',
  p: 'рρᴘ',
  q: 'ԛզ',
  r: 'гᴦʀ',
  s: 'ѕʂꜱ',
  t: 'тτᴛ',
  u: 'υսᴜ',
  v: 'ѵνᴠ',
  w: 'ԝѡᴡω',
  x: 'хχ',
  y: 'уγүʏ',
  z: 'ᴢʐ',
};

const USUAL = new Map(
  Object.entries(IMITATIONS).flatMap(([usual, others]) => Array.from(others, (one) => [one, usual] as const)),
);
const ENTITIES = /&(?:lt|#0*60|#x0*3c);|&(?:gt|#0*62|#x0*3e);/giy;

export interface Folded {
  readonly folded: string;
  /** The part of the original that a part of the folded text was made from. */
  sourceOf(start: number, end: number): string;
}

// Those of the list, and those that normalization turns into one.
const BRACKET = new RegExp(`[<[&${IMITATIONS['<']}${IMITATIONS['[']}＜﹤≮［〈]`, 'u');

/** Most texts have none, and then nothing in them is a tag. */
export function hasBracket(text: string): boolean {
  return BRACKET.test(text);
}

const PLAIN = /^[\n\r\t\x20-\x25\x27-\x7e]*$/;

export function foldLookAlikes(text: string): Folded {
  if (PLAIN.test(text)) return { folded: text.toLowerCase(), sourceOf: (start, end) => text.slice(start, end) };
  let folded = '';
  // Where in the original each unit of the folded text comes from.
  const origin: number[] = [];
  for (let at = 0; at < text.length; ) {
    const { written, usual } = readCharacter(text, at);
    for (const unit of usual) for (let part = 0; part < unit.length; part++) origin.push(at);
    folded += usual;
    at += written.length;
  }
  const place = (at: number): number => origin[at] ?? text.length;
  return { folded, sourceOf: (start, end) => text.slice(place(start), place(end)) };
}

function readCharacter(text: string, at: number): { written: string; usual: string } {
  ENTITIES.lastIndex = at;
  const entity = text.charAt(at) === '&' ? ENTITIES.exec(text)?.[0] : undefined;
  if (entity !== undefined) return { written: entity, usual: /^&(?:lt|#0*60|#x0*3c)/i.test(entity) ? '<' : '>' };
  const written = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (written <= '\x7e') return { written, usual: written.toLowerCase() };
  // Accents, and what nobody sees, are no part of the letter.
  const plain = written
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase();
  return { written, usual: Array.from(plain, (one) => USUAL.get(one) ?? one).join('') };
}
