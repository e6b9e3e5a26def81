// Calls that only make a program tell about itself.
import type { ShellWord } from '../shell/script.ts';

/** Every program that runs code takes these for a question. */
export function tellsOnly(words: readonly ShellWord[]): boolean {
  return words.length === 1 && (words[0] === '--version' || words[0] === '--help');
}
