// What a pattern can begin with: its first letters in lower case, read from its source. Only there it has to be tried.
export interface Prefix {
  readonly text: string;
  /** Only where a word begins. */
  readonly atWord: boolean;
}

interface Start {
  readonly text: string;
  /** What follows in the pattern says no more about the letters that follow here. */
  readonly isDone: boolean;
}

/** Longer ones part no more words from each other. */
const LENGTH = 4;
const EMPTY: Start = { text: '', isDone: false };
/** All that a text has after normalization. */
const BLANKS: Start[] = Array.from(' \t\n\r', literal);
const ANYTHING: Start = { text: '', isDone: true };

/** Never too few: where a part of the pattern is not understood, the letters before it are the prefix. */
export function prefixesOf({ source }: RegExp): Prefix[] {
  const reader = { source, at: 0 };
  const found = new Map<string, Prefix>();
  for (;;) {
    const atWord = source.startsWith('\\b', reader.at);
    for (const { text } of readSequence(reader)) {
      const known = found.get(text);
      found.set(text, { text, atWord: atWord && known?.atWord !== false });
    }
    if (source[reader.at] !== '|') return [...found.values()];
    reader.at++;
  }
}

interface Reader {
  readonly source: string;
  at: number;
}

function readAlternatives(reader: Reader): Start[] {
  const all = readSequence(reader);
  while (reader.source[reader.at] === '|') {
    reader.at++;
    all.push(...readSequence(reader));
  }
  return all;
}

function readSequence(reader: Reader): Start[] {
  let starts: Start[] = [EMPTY];
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source[reader.at] ?? '')) {
    const atom = readAtom(reader);
    const { least, most } = readQuantifier(reader);
    const once = most > 1 ? atom.map(({ text }) => ({ text, isDone: true })) : atom;
    starts = starts.flatMap((start) =>
      start.isDone ? [start] : [...(least === 0 ? [start] : []), ...once.map((next) => joined(start, next))],
    );
    starts = [...new Map(starts.map((start) => [`${start.text} ${start.isDone}`, start])).values()];
  }
  return starts;
}

function joined(start: Start, next: Start): Start {
  const text = start.text + next.text;
  return { text: text.slice(0, LENGTH), isDone: next.isDone || text.length >= LENGTH };
}

function readAtom(reader: Reader): Start[] {
  const { source, at } = reader;
  const letter = source[at] ?? '';
  if (letter === '(') return readGroup(reader);
  if (letter === '[') return readClass(reader);
  reader.at++;
  if (letter === '^' || letter === '$') return [EMPTY];
  if (letter === '.') return [ANYTHING];
  if (letter !== '\\') return [literal(letter)];
  const escaped = source[reader.at++] ?? '';
  if (/[bB]/.test(escaped)) return [EMPTY];
  if (escaped === 's') return BLANKS;
  if (escaped === 'n') return [literal('\n')];
  return [/[a-z\d]/i.test(escaped) ? ANYTHING : literal(escaped)];
}

function literal(letter: string): Start {
  return { text: letter.toLowerCase(), isDone: false };
}

/** What only looks around takes no letter. */
function readGroup(reader: Reader): Start[] {
  const [opening = '('] = /^\((?:\?(?:[:=!]|<[=!]))?/.exec(reader.source.slice(reader.at, reader.at + 4)) ?? [];
  reader.at += opening.length;
  const starts = readAlternatives(reader);
  reader.at++;
  return opening === '(' || opening === '(?:' ? starts : [EMPTY];
}

function readClass(reader: Reader): Start[] {
  const [all = '[', inside = ''] = /^\[((?:\\.|[^\]\\])*)\]/s.exec(reader.source.slice(reader.at)) ?? [];
  reader.at += all.length;
  const isSimple = !/^\^|\\[a-z]|[^\\]-./i.test(inside) && inside.length <= 12;
  return isSimple ? Array.from(inside.replaceAll('\\', ''), literal) : [ANYTHING];
}

function readQuantifier(reader: Reader): { least: number; most: number } {
  const [all = '', sign = '', least = '', range, most = ''] =
    /^([?*+]|\{(\d+)(,(\d*))?\})\??/.exec(reader.source.slice(reader.at, reader.at + 16)) ?? [];
  reader.at += all.length;
  if (all === '') return { least: 1, most: 1 };
  if (sign === '?') return { least: 0, most: 1 };
  if (sign === '*' || sign === '+') return { least: sign === '*' ? 0 : 1, most: 2 };
  return { least: Number(least), most: range === undefined ? Number(least) : Number(most || 2) };
}
