// What a reader of files found: nothing is thrown for one bad file, everything is said.
export type Severity = 'error' | 'warning' | 'info';

export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** The corrected text, or what to do. */
  readonly fix?: string;
}
