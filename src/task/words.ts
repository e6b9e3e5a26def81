// A command line as words, without a shell: quotes group, and what a shell would act on is told apart from plain text.
import { visible } from '../base/text.ts';
import { refuse } from './refuse.ts';

export interface Word {
  readonly text: string;
  /** Stood in quotes, at least in part: never an operator. */
  readonly quoted: boolean;
}

const ESCAPED_IN_QUOTES = new Set(['"', '\\', '$', '`']);
// Longest first; a redirection may name its stream.
const OPERATOR = /^(?:&>>?|[0-9]*>>?(?:&[0-9-])?|<<<?|<|\|\|?|&&?|;|\$\(|`)/;

/** Lines as a shell reads them: a line break in quotes belongs to the word. */
export function splitLines(text: string): string[] {
  const lines = [''];
  let open = '';
  for (const part of text.split(/(\\.|['"]|\r?\n)/s)) {
    if (open === '' && /^\r?\n$/.test(part)) lines.push('');
    else lines.push((lines.pop() ?? '') + part);
    if (part === open) open = '';
    else if (open === '' && /^['"]$/.test(part)) open = part;
  }
  return lines;
}

export function splitWords(line: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < line.length) {
    const space = /^\s+/.exec(line.slice(at))?.[0].length ?? 0;
    at += space;
    if (at >= line.length) break;
    const operator = OPERATOR.exec(line.slice(at))?.[0];
    if (operator !== undefined) {
      words.push({ text: operator, quoted: false });
      at += operator.length;
      continue;
    }
    const word = readWord(line, at);
    words.push({ text: word.text, quoted: word.quoted });
    at = word.end;
  }
  return words;
}

/** Up to the next space or operator outside quotes; a digit inside a word begins no redirection. */
function readWord(line: string, start: number): Word & { end: number } {
  let text = '';
  let quoted = false;
  let at = start;
  while (at < line.length) {
    const character = line.charAt(at);
    if (/\s/.test(character) || /^(?:[<>|;`]|&|\$\()/.test(line.slice(at))) break;
    if (character === "'" || character === '"') {
      const part = readQuoted(line, at);
      text += part.text;
      quoted = true;
      at = part.end;
    } else if (character === '\\' && at + 1 < line.length) {
      text += line.charAt(at + 1);
      quoted = true;
      at += 2;
    } else {
      text += character;
      at++;
    }
  }
  return { text, quoted, end: at };
}

function readQuoted(line: string, start: number): { text: string; end: number } {
  const mark = line.charAt(start);
  let text = '';
  for (let at = start + 1; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === mark) return { text, end: at + 1 };
    const next = line.charAt(at + 1);
    if (mark === '"' && character === '\\' && ESCAPED_IN_QUOTES.has(next)) {
      text += next;
      at++;
    } else text += character;
  }
  throw refuse('quotes', { en: `a quote is not closed: ${visible(line)}`, zh: `引号未闭合: ${visible(line)}` });
}
