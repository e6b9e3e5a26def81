// `find`: its own words, and the commands of its `-exec`, in which `{}` is a path below where it starts.
import { isOpen, type ShellWord } from '../shell/script.ts';
import { anyWord, type Unwrapped, unknown } from './started.ts';

export function unwrapFind(words: readonly ShellWord[]): Unwrapped {
  const own: ShellWord[] = [];
  const commands: ShellWord[][] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (isOpen(word) || !/^-exec(?:dir)?$/.test(word)) {
      own.push(word);
      continue;
    }
    const end = words.findIndex((other, index) => index > at && isEnd(other, words[index - 1]));
    if (end === -1) return unknown();
    const isOne = words[end] === ';';
    commands.push(words.slice(at + 1, end).map((inner) => withPath(inner, isOne)));
    at = end;
  }
  return commands.length === 0 ? { kind: 'nothing' } : { kind: 'commands', commands, finder: 'program', own };
}

function isEnd(word: ShellWord, before: ShellWord | undefined): boolean {
  return word === ';' || (word === '+' && before === '{}');
}

/** A path never begins with a dash: it begins with the folder that was named, or with a dot. */
function withPath(word: ShellWord, isOne: boolean): ShellWord {
  if (isOpen(word) || !word.includes('{}')) return word;
  const before = word.slice(0, word.indexOf('{}'));
  return anyWord(word, before === '' ? '.' : before, isOne);
}
