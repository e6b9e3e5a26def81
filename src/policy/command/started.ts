// What a program starts, as far as its words tell.
import type { UnjudgedReason } from '../shell/reason.ts';
import type { OpenWord, ShellWord } from '../shell/script.ts';

/** Who finds a command: the shell, `command` past the functions, or a program that knows only programs. */
export type Finder = 'shell' | 'command' | 'program';

export type Unwrapped =
  /** It is no wrapper, or has nothing to start. */
  | { readonly kind: 'nothing' }
  /** The shell does it itself, and it starts nothing. */
  | { readonly kind: 'looks-up' }
  | { readonly kind: 'unknown'; readonly why: UnjudgedReason }
  /** It runs what its input says. */
  | { readonly kind: 'input' }
  | { readonly kind: 'script'; readonly script: string; readonly posix: boolean }
  | {
      readonly kind: 'commands';
      readonly commands: readonly (readonly ShellWord[])[];
      readonly finder: Finder;
      /** What is left of the words, where the program does something of its own. */
      readonly own?: readonly ShellWord[];
    };

export function unknown(why: UnjudgedReason = 'wrapper'): Unwrapped {
  return { kind: 'unknown', why };
}

/** A word that any text may take the place of. */
export function anyWord(text: string, prefix = '', single = false): OpenWord {
  return { prefix, single, text };
}
