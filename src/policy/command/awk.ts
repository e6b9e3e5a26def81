// An awk program can run programs and write files; only one of a plain shape, given on the command line, is judged.
import { isOpen, type ShellWord } from '../shell/script.ts';
import { programName } from './facts.ts';

const ACTS = /system|getline|close|fflush|[|>@`\\]/;
const PLAIN_OPTION = /^(?:-F.+|-v[A-Za-z_]\w*=.*)$/s;

/** Whether awk is to run a file, not a text among its words. */
export function runsAwkFile(words: readonly string[]): boolean {
  if (!isAwkName(programName(words[0] ?? ''))) return false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^(?:-[fEi]|--(?:file|exec|include)(?:=|$))/.test(word)) return true;
    if (word === '-F' || word === '-v') at++;
    else if (!word.startsWith('-') || word === '--') return false;
  }
  return false;
}

export function isAwkName(program: string): boolean {
  return /^(?:awk|gawk|mawk|nawk|original-awk|goawk)$/.test(program);
}

/** Why these words may do more than read and print. */
export function refuseAwk(words: readonly ShellWord[]): string | undefined {
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (isOpen(word)) return 'the awk program is known only at run time';
    if (word === '-F' || word === '-v') at++;
    else if (word.startsWith('-')) {
      if (!PLAIN_OPTION.test(word)) return `awk ${word} is not a plain option`;
    } else return isPlainProgram(word) ? undefined : 'this awk program could run a program or write a file';
    if (isOpen(words[at] ?? '')) return 'an option of awk is known only at run time';
  }
  return 'awk without a program';
}

function isPlainProgram(program: string): boolean {
  if (!/[{$]/.test(program)) return false;
  // Quotes inside a regular expression would hide what stands between them.
  const bare = program.includes('/') ? program : program.replaceAll(/"[^"\\]*"/g, '');
  return !ACTS.test(bare.replaceAll('||', '').replaceAll('>=', ''));
}
