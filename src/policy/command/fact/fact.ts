// What is known of a program: whether it keeps to itself, runs what its arguments say, or does so through some options.

export interface ProgramFacts {
  /**
   * inert: no argument makes it run anything. interpreter: runs the file it is given; launcher: runs what its arguments
   * say; runner: fetches what it runs.
   */
  readonly kind?: 'inert' | 'interpreter' | 'launcher' | 'runner';
  /** Words behind which another command stands: `uv run`. */
  readonly carries?: readonly string[];
  /** Refused, abbreviated too. */
  readonly long?: readonly string[];
  /** Refused letters, also inside a cluster such as `-xzI`. */
  readonly short?: string;
  /** Refused where a word begins with one of these, value attached or not: `-B/x`, `@options`. */
  readonly starts?: readonly string[];
  /** A word with this sign in it names a file that is sent or run; a plain address may hold it. */
  readonly fileSign?: string;
  /** Refused as whole words, wherever they stand. */
  readonly words?: readonly string[];
  /** The first word is a cluster of letters even without a dash. */
  readonly bundled?: boolean;
}
