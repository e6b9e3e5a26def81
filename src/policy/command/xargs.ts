// `xargs`: the command behind its options, with words from its input that may be anything.
import { isOpen, type ShellWord } from '../shell/script.ts';
import { anyWord, type Unwrapped, unknown } from './started.ts';

const FLAG =
  /^(?:-[0rtx]+|--null|--no-run-if-empty|--verbose|--exit|-[nLPsE].+|-d.+|--(?:max-args|max-lines|max-procs|max-chars|delimiter|eof)=.+)$/;
const VALUED = new Set(['-n', '-L', '-P', '-s', '-E', '-d', '--max-args', '--max-procs', '--max-chars', '--delimiter']);

export function unwrapXargs(words: readonly ShellWord[]): Unwrapped {
  let replaced: string | undefined;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (isOpen(word)) return unknown();
    if (!word.startsWith('-')) break;
    if (word === '-I' || word.startsWith('-I')) {
      const next = word === '-I' ? words[++at] : word.slice(2);
      if (next === undefined || isOpen(next) || next === '') return unknown();
      replaced = next;
    } else if (VALUED.has(word)) {
      at++;
      if (isOpen(words[at] ?? '')) return unknown();
    } else if (!FLAG.test(word)) return unknown();
  }
  const command = words.slice(at);
  const inner = command.length === 0 ? ['echo'] : command;
  return { kind: 'commands', commands: [withInput(inner, replaced)], finder: 'program' };
}

/** Where no sign is given, the input stands behind the words. */
function withInput(words: readonly ShellWord[], sign: string | undefined): ShellWord[] {
  if (sign === undefined) return [...words, anyWord('…')];
  return words.map((word) => {
    const at = isOpen(word) ? -1 : word.indexOf(sign);
    return isOpen(word) || at === -1 ? word : anyWord(word, word.slice(0, at), true);
  });
}
