// A shell script as it was judged: every command it can run, every file its redirections write, and what nobody can tell.
import type { UnjudgedReason } from './reason.ts';

/** A word whose value is known only when the script runs. */
export interface OpenWord {
  /** What every value of it begins with. */
  readonly prefix: string;
  /** Exactly one argument; else none or many. */
  readonly single: boolean;
  /** As it is written. */
  readonly text: string;
}

/** A literal word, or one that is open. */
export type ShellWord = string | OpenWord;

export interface ShellCommand {
  /**
   * program: started by its name. wrapper: a program that only starts another one, which is listed, too.
   * builtin: done by the shell, with no effect beyond it. function: of this script, its body is listed.
   */
  readonly kind: 'program' | 'wrapper' | 'builtin' | 'function';
  readonly words: readonly ShellWord[];
  /** Names of variables that are set for this command alone. */
  readonly assigned: readonly string[];
  /** Files that its redirections write. */
  readonly writes: readonly ShellWord[];
}

export interface Unjudged {
  readonly text: string;
  readonly why: UnjudgedReason;
}

export interface JudgedScript {
  readonly commands: readonly ShellCommand[];
  /** Files that redirections of compound commands write. */
  readonly writes: readonly ShellWord[];
  readonly unjudged: readonly Unjudged[];
  /** The folder is changed on the way: what a relative path names is not known. */
  readonly moves: boolean;
}

export function isOpen(word: ShellWord): word is OpenWord {
  return typeof word !== 'string';
}

/** As it is written; a literal word as it is. */
export function spellWord(word: ShellWord): string {
  return isOpen(word) ? word.text : word;
}

/** An open word that can neither be an option nor fall apart into words that are. */
export function isOperand({ prefix }: OpenWord): boolean {
  return prefix !== '' && !prefix.startsWith('-');
}
