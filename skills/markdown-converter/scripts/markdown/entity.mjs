// Backslash escapes and character references, turned into the characters they stand for.

// Enough for prose; an unknown name stays as it was written.
const NAMED = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  divide: '÷',
  deg: '°',
  plusmn: '±',
  frac12: '½',
  sup2: '²',
  sup3: '³',
  micro: 'µ',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  harr: '↔',
  rArr: '⇒',
  ne: '≠',
  le: '≤',
  ge: '≥',
  infin: '∞',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  sect: '§',
  para: '¶',
  check: '✓',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  ntilde: 'ñ',
};
const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/y;
const PUNCTUATION = /[!-/:-@[-`{-~]/;

/** The character reference at this place, or undefined. */
export function readReference(text, at) {
  REFERENCE.lastIndex = at;
  const match = REFERENCE.exec(text);
  if (!match) return undefined;
  const [whole, decimal, hex, name] = match;
  const character = name === undefined ? fromCode(Number.parseInt(decimal ?? hex, decimal ? 10 : 16)) : named(name);
  return character === undefined ? undefined : { text: character, end: at + whole.length };
}

export function isPunctuation(character) {
  return character !== undefined && PUNCTUATION.test(character);
}

/** For titles, targets and code languages, which know no other markup. */
export function unescapeText(text) {
  if (!/[\\&]/.test(text)) return text;
  let plain = '';
  for (let at = 0; at < text.length; at++) {
    const reference = text[at] === '&' ? readReference(text, at) : undefined;
    if (reference) {
      plain += reference.text;
      at = reference.end - 1;
    } else if (text[at] === '\\' && isPunctuation(text[at + 1])) plain += text[++at];
    else plain += text[at];
  }
  return plain;
}

function named(name) {
  return Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
}

function fromCode(code) {
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}
