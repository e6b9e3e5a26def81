// `test` and `[`: plain comparisons; a variable with an index is evaluated, and open words must not become operators.
import type { UnjudgedReason } from './reason.ts';
import { isOpen, type ShellWord } from './script.ts';

const UNARY = /^-[nzefdrwxshLbcgkpStuGNO]$/;
const BINARY = /^(?:=|==|!=|<|>|-(?:eq|ne|lt|gt|le|ge|nt|ot|ef))$/;

export function whyTestEvaluates(words: readonly ShellWord[]): UnjudgedReason | undefined {
  if (words.some((word) => isOpen(word) && !word.single)) return 'test';
  // -v and -R look a variable up, and evaluate its index.
  if (words.some((word) => word === '-v' || word === '-R')) return 'test';
  if (!words.some(isOpen)) return undefined;
  const [first, ...rest] = words;
  return isComparison(first === '!' && words.length > 1 ? rest : words) ? undefined : 'test';
}

/** The number of words decides which of them are operators, so that open ones are none. */
function isComparison(words: readonly ShellWord[]): boolean {
  const [first, second] = words;
  if (words.length <= 1) return true;
  if (words.length === 2) return first !== undefined && !isOpen(first) && UNARY.test(first);
  return words.length === 3 && second !== undefined && !isOpen(second) && BINARY.test(second);
}
