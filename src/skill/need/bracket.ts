// An open bracket of code while its tokens are walked: what stands in it so far.

/** One open bracket. */
export interface Bracket {
  readonly kind: 'call' | 'group' | 'record' | 'block' | 'list';
  readonly callee: string;
  readonly line: number;
  /** What the statement at this level assigns to. */
  names: string[];
  key: string;
  at: number;
  readonly args: string[][];
  readonly keys: string[];
  readonly words: (string | null)[];
  /** Names that open an argument: parameters, if this turns out to be a function. */
  readonly params: string[];
}

export function openBracket(kind: Bracket['kind'], callee: string, line: number): Bracket {
  return { kind, callee, line, names: [], key: '', at: 0, args: [[]], keys: [], words: [], params: [] };
}

const TAKES_ARGUMENTS = /(?:^|\.)(?:spawn|spawnSync|execFile|execFileSync|execa|execaSync)$/;

/** Whether a list in this call holds the words behind a command that stands in front of it. */
export function isBehindCommand({ kind, words, at, callee }: Bracket): boolean {
  return kind === 'call' && (words.length > 0 || (at > 0 && TAKES_ARGUMENTS.test(callee)));
}
