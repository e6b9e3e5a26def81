// What a rule of content inspection is: data, with examples that show what it finds and what it leaves alone.
import type { Text } from '../../../base/language.ts';
import type { VetSeverity } from '../../../config/severity.ts';

export type FileKind = 'script' | 'prose';

export interface Rule {
  readonly id: string;
  readonly severity: VetSeverity;
  /** In files that run, in files that are read, or in both. */
  readonly where: FileKind | 'any';
  /** The text as it stands, as a reader of the rendered page reads it, or that without addresses. */
  readonly view: VetView;
  /** One of them is enough. */
  readonly shapes: readonly Shape[];
  readonly says: Text;
  /** Set where the match decides the severity. */
  readonly weigh?: (found: string, kind: FileKind) => VetSeverity;
  /** Addressed to the model instead of the reader, so it harms wherever it is read, and nowhere else. */
  readonly isWords?: true;
  /** Tests check each of them with this rule alone. */
  readonly examples: { readonly bad: readonly string[]; readonly fine: readonly string[] };
}

export type VetView = 'text' | 'reading' | 'phrase';

/** Cues near each other. What lies between them is counted, never matched: that keeps the search linear. */
export interface Shape {
  /** Short patterns, global, without repetitions that reach far. */
  readonly cues: readonly RegExp[];
  /** How many characters may lie between two cues; in any order: how far the first and the last may be apart. */
  readonly within?: number;
  readonly anyOrder?: true;
  /** What may not lie between two cues. */
  readonly apart?: RegExp;
  /** What excuses it, right before it or in it. */
  readonly unless?: RegExp;
}

/** One pattern of several alternatives, without regard to case. */
export function cue(...alternatives: readonly string[]): RegExp {
  return new RegExp(alternatives.join('|'), 'gi');
}
