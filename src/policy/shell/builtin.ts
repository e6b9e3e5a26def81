// Commands that the shell does itself: with these words they change nothing but the shell, or they cannot be judged.
import type { UnjudgedReason } from './reason.ts';
import { isOpen, type ShellWord, spellWord } from './script.ts';
import { whyTestEvaluates } from './test-words.ts';
import { isHarmlessExport, isOwnVariable } from './variable.ts';

type Judge = (words: readonly ShellWord[]) => UnjudgedReason | undefined;

const plain: Judge = () => undefined;
const evaluates: Judge = () => 'evaluates';
const literal: Judge = (words) => (words.some(isOpen) ? 'evaluates' : undefined);

const SAFE_SET = /^(?:[-+][efuxvC]*o?|pipefail|errexit|nounset|noglob|noclobber|xtrace|verbose)$/;
const SAFE_SHOPT = /^(?:-[su]|nullglob|globstar|dotglob|failglob|nocaseglob|inherit_errexit)$/;

const BUILTINS = new Map<string, Judge>([
  ...[':', 'true', 'false', 'echo', 'pwd', 'cd', 'pushd', 'popd', 'exit', 'return', 'break', 'continue', 'shift'].map(
    (name): [string, Judge] => [name, plain],
  ),
  ['dirs', literal],
  ['times', literal],
  ['type', literal],
  ['umask', literal],
  ['jobs', (words) => (words.length === 0 ? undefined : 'evaluates')],
  ['wait', (words) => (words.every((word) => /^(?:\$!|%?\d+)$/.test(spellWord(word))) ? undefined : 'evaluates')],
  [
    'printf',
    (words) => (isOpen(words[0] ?? '') || /^-(?!-$)/.test(spellWord(words[0] ?? '')) ? 'evaluates' : undefined),
  ],
  ['test', whyTestEvaluates],
  ['[', (words) => (words.at(-1) === ']' ? whyTestEvaluates(words.slice(0, -1)) : 'test')],
  ['set', whySetUnjudged],
  ['shopt', (words) => (words.every((word) => !isOpen(word) && SAFE_SHOPT.test(word)) ? undefined : 'construct')],
  ['export', (words) => whyNamesUnjudged(words, isHarmlessExport)],
  ['local', (words) => whyNamesUnjudged(words, isOwnVariable)],
  ['readonly', (words) => whyNamesUnjudged(words, isOwnVariable)],
  ...(
    'eval source . trap alias unalias declare typeset let read mapfile readarray unset enable hash builtin bind complete ' +
    'compgen compopt caller getopts fc history logout suspend disown fg bg ulimit help'
  )
    .split(' ')
    .map((name): [string, Judge] => [name, evaluates]),
]);

export function isBuiltin(name: string): boolean {
  return BUILTINS.has(name);
}

/** Undefined where the builtin is harmless with these words. */
export function whyBuiltinUnjudged(name: string, words: readonly ShellWord[]): UnjudgedReason | undefined {
  return BUILTINS.get(name)?.(words);
}

/** Relative paths mean something else behind these. */
export function changesFolder(name: string): boolean {
  return name === 'cd' || name === 'pushd' || name === 'popd';
}

function whySetUnjudged(words: readonly ShellWord[]): UnjudgedReason | undefined {
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
  return options.every((word) => !isOpen(word) && SAFE_SET.test(word)) ? undefined : 'construct';
}

/** Names alone, or with a value: the words are assignments in the syntax tree. */
function whyNamesUnjudged(
  words: readonly ShellWord[],
  isHarmless: (name: string) => boolean,
): UnjudgedReason | undefined {
  const names = words.map((word) => (isOpen(word) ? word.prefix : word).split('=', 1)[0] ?? '');
  const isNamed = words.every((word) => !isOpen(word) || word.prefix.includes('='));
  return isNamed && names.every(isHarmless) ? undefined : 'variable';
}
