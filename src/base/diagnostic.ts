// What a reader of files found: nothing is thrown for one bad file, everything is said.
import type { Language } from './language.ts';

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
  /** The same in Chinese, where somebody wrote it. */
  readonly zh?: { readonly message: string; readonly fix?: string };
}

/** As a person or a program is shown them: in one language. */
export function speak(diagnostics: readonly Diagnostic[], language: Language): Diagnostic[] {
  return diagnostics.map(({ zh, ...found }) => (language === 'zh' && zh ? { ...found, ...zh } : found));
}
