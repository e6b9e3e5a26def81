// Decides whether a value can be read in a text by undoing encodings, one at a time; it shares nothing with what redacts.

/** The first way in which it can be read; undefined where it cannot. */
export function readableIn(text: string, value: string): string | undefined {
  return DECODERS.find(([, decode]) => decode(text).some((decoded) => spells(decoded, value)))?.[0];
}

/** By its letters and digits, in any case and in both directions. */
function spells(text: string, value: string): boolean {
  const letters = lettersOf(text);
  const wanted = lettersOf(value);
  return letters.includes(wanted) || letters.includes([...wanted].toReversed().join(''));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[\0-/:-`{-\x7f]/g, '');
}

type Decode = (text: string) => string[];

const DECODERS: readonly (readonly [name: string, decode: Decode])[] = [
  ['plain', (text) => [text]],
  ['escapes', (text) => [unescapeAll(text), unescapeAll(unescapeAll(text))]],
  ['quoted-printable', (text) => [bytesOf(text.replace(/=\r?\n/g, ''), /=([0-9a-f]{2})/gi, 16)]],
  [
    'base64',
    (text) => shifted(text.replace(/[^\w+/-]/g, ''), 4, (part) => Buffer.from(part, 'base64').toString('latin1')),
  ],
  [
    'hex',
    (text) => shifted(text.replace(/0x|\\x|[^0-9a-f]/gi, ''), 2, (part) => Buffer.from(part, 'hex').toString('latin1')),
  ],
  ['base32', (text) => inBase32(text.toUpperCase(), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')],
  ['base32hex', (text) => inBase32(text.toUpperCase(), '0123456789ABCDEFGHIJKLMNOPQRSTUV')],
  ['decimal', (text) => [numbers(text, /\b\d{2,3}\b/g, 10)]],
  ['octal', (text) => [numbers(text, /\b[0-7]{3}\b/g, 8)]],
  ['binary', (text) => shifted(text.replace(/[^01]/g, ''), 8, (part) => numbers(part, /[01]{8}/g, 2))],
];

const ESCAPE = new RegExp(
  [
    String.raw`\\+u\{(?<braced>[0-9a-f]{1,6})\}`,
    String.raw`(?:\\+|%)u(?<four>[0-9a-f]{4})`,
    String.raw`\\+U(?<eight>[0-9a-f]{8})`,
    String.raw`(?:\\+x|%)(?<two>[0-9a-f]{2})`,
    String.raw`\\+0?(?<octal>[0-7]{3})`,
    '&#x(?<entity>[0-9a-f]{1,6});',
    String.raw`&#(?<decimal>\d{1,7});`,
    '&(?<named>amp|lt|gt|quot);',
  ].join('|'),
  'gi',
);
const RADIX: Readonly<Record<string, number>> = { octal: 8, decimal: 10 };

/** In one pass: what was undone is not undone again. */
function unescapeAll(text: string): string {
  return text.replace(ESCAPE, (...match) => {
    const [kind = '', digits = ''] =
      Object.entries(match.at(-1) as Record<string, string | undefined>).find(([, found]) => found !== undefined) ?? [];
    if (kind === 'named') return '';
    return String.fromCodePoint(Math.min(Number.parseInt(digits, RADIX[kind] ?? 16), 0x10ffff));
  });
}

function bytesOf(text: string, form: RegExp, radix: number): string {
  return text.replace(form, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, radix)));
}

/** Of one stream of characters from each place at which a group may begin. */
function shifted(text: string, count: number, decode: (part: string) => string): string[] {
  return Array.from({ length: count }, (_, from) => decode(text.slice(from)));
}

function numbers(text: string, form: RegExp, radix: number): string {
  return (text.match(form) ?? []).map((digits) => String.fromCharCode(Number.parseInt(digits, radix) & 255)).join('');
}

function inBase32(text: string, alphabet: string): string[] {
  const kept = [...text].filter((character) => alphabet.includes(character)).join('');
  return shifted(kept, 8, (part) => {
    const bits = [...part].map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0')).join('');
    return numbers(bits, /[01]{8}/g, 2);
  });
}
