// Where in a text the patterns of all rules can begin: one look at each letter, however many patterns there are.
import { type Prefix, prefixesOf } from './prefix.ts';

/** Rising places, for each prefix by its number. */
export type PrefixPlaces = readonly (readonly number[])[];

export interface PlaceFinder {
  find(text: string): PrefixPlaces;
  known(pattern: RegExp): KnownPattern;
}

export interface KnownPattern {
  /** The same pattern, at one place. */
  readonly here: RegExp;
  /** The numbers of its prefixes. */
  readonly prefixes: readonly number[];
}

interface Numbered extends Prefix {
  readonly number: number;
}

const WIDE = 128;

export function openPlaceFinder(patterns: Iterable<RegExp>): PlaceFinder {
  const prefixes = new Map<string, Numbered>();
  const known = new Map<RegExp, KnownPattern>();
  for (const pattern of patterns) {
    const here = new RegExp(pattern, pattern.flags.replace('g', 'y'));
    known.set(pattern, { here, prefixes: numberedOf(pattern, prefixes) });
  }
  const tables = tablesOf([...prefixes.values()]);
  return {
    find: (text) => findPlaces(text, tables, prefixes.size),
    known(pattern) {
      const found = known.get(pattern);
      if (found === undefined) throw new Error(`${pattern} is not looked for`);
      return found;
    },
  };
}

function numberedOf(pattern: RegExp, prefixes: Map<string, Numbered>): number[] {
  return prefixesOf(pattern).map((prefix) => {
    if (prefix.text === '') throw new Error(`${pattern} can begin with anything`);
    const key = `${prefix.atWord} ${prefix.text}`;
    const known = prefixes.get(key) ?? { ...prefix, number: prefixes.size };
    prefixes.set(key, known);
    return known.number;
  });
}

/** What may begin with two letters, or where the first is none of ASCII with that one. */
interface Table {
  readonly isStart: Uint8Array;
  readonly starts: ReadonlyMap<number, readonly Numbered[]>;
}

interface Tables {
  readonly anywhere: Table;
  readonly atWord: Table;
}

function tablesOf(prefixes: readonly Numbered[]): Tables {
  return {
    anywhere: tableOf(prefixes.filter(({ atWord }) => !atWord)),
    atWord: tableOf(prefixes.filter(({ atWord }) => atWord)),
  };
}

function tableOf(prefixes: readonly Numbered[]): Table {
  const isStart = new Uint8Array(WIDE * WIDE);
  const starts = new Map<number, Numbered[]>();
  for (const prefix of prefixes) {
    const wide = prefix.text.charCodeAt(0);
    const keys = wide >= OTHER ? [WIDE * WIDE + wide] : pairsOf(prefix.text);
    for (const pair of pairsOf(prefix.text)) isStart[pair] = 1;
    for (const key of keys) starts.set(key, [...(starts.get(key) ?? []), prefix]);
  }
  return { isStart, starts };
}

/** After a single letter anything may follow. */
function pairsOf(prefix: string): number[] {
  const first = (LETTER[prefix.charCodeAt(0)] ?? 0) * WIDE;
  if (prefix.length === 1 || first === OTHER * WIDE) return Array.from({ length: WIDE }, (_, second) => first + second);
  return [first + (LETTER[prefix.charCodeAt(1)] ?? 0)];
}

const OTHER = 127;
const LETTER = Uint8Array.from({ length: 65_536 }, (_, code) => {
  if (code >= OTHER) return OTHER;
  return code >= 65 && code <= 90 ? code + 32 : code;
});
const IS_WORD = Uint8Array.from({ length: WIDE }, (_, code) => (/\w/.test(String.fromCharCode(code)) ? 1 : 0));

function findPlaces(text: string, { anywhere, atWord }: Tables, count: number): PrefixPlaces {
  const places = Array.from({ length: count }, (): number[] => []);
  const letters = lettersOf(text);
  let wasWord = 0;
  for (let at = 0; at + 1 < letters.length; at++) {
    const letter = letters[at] ?? 0;
    const pair = letter * WIDE + (letters[at + 1] ?? 0);
    const isWord = IS_WORD[letter] ?? 0;
    if (anywhere.isStart[pair] === 1) keep(anywhere, pair, at);
    if (isWord !== wasWord && atWord.isStart[pair] === 1) keep(atWord, pair, at);
    wasWord = isWord;
  }
  return places;

  function keep({ starts }: Table, pair: number, at: number): void {
    const key = pair >= OTHER * WIDE ? WIDE * WIDE + text.charCodeAt(at) : pair;
    for (const { text: prefix, number } of starts.get(key) ?? [])
      if (goesOn(text, at, prefix)) places[number]?.push(at);
  }
}

/** In lower case, each as a number below 128; all others are one, which is part of no word. An end stands behind them. */
function lettersOf(text: string): Uint8Array {
  const letters = new Uint8Array(text.length + 1);
  for (let at = 0; at < text.length; at++) letters[at] = LETTER[text.charCodeAt(at)] ?? 0;
  return letters;
}

function goesOn(text: string, at: number, prefix: string): boolean {
  for (let index = 0; index < prefix.length; index++) {
    const code = text.charCodeAt(at + index);
    if ((code >= 65 && code <= 90 ? code + 32 : code) !== prefix.charCodeAt(index)) return false;
  }
  return true;
}
