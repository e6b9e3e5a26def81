// What is known while a script is walked through, and what was found so far.
import type { ShellCommand, ShellWord, Unjudged } from './script.ts';
import type { WordReader } from './word.ts';

/** Nested scripts of the same shell share it. */
export interface Walk extends WordReader {
  /** Functions that are certainly defined by now. */
  readonly functions: Set<string>;
  readonly commands: ShellCommand[];
  readonly writes: ShellWord[];
  readonly unjudged: Unjudged[];
  /** A script given to another shell. */
  readonly inner: (script: string, posix: boolean) => void;
}
