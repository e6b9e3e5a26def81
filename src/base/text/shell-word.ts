// One word of a command that works when it is copied into a shell.
import { visible } from '../text.ts';

export function shellWord(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const PLAIN = /^[\p{L}\p{N}_./@:…-]+$/u;

/** The same of what somebody else has named: shown with its hidden characters, and one word to a shell, whatever is in it. */
export function typedWord(text: string): string {
  const shown = visible(text);
  return PLAIN.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}
