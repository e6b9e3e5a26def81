// Diagnostics about one SKILL.md: built only when something was found, so a clean file pays nothing.
import type { Diagnostic, Severity } from '../base/diagnostic.ts';
import { RESTRICTIVE } from './field.ts';
import { linesOfKeys } from './read/entry.ts';
import { type Block, countLines, type FenceRepair } from './read/fence.ts';

export interface TextPosition {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export interface Details extends TextPosition {
  /** Points at the line of this field, where no line is given. */
  readonly key?: string;
  readonly fix?: string | undefined;
}

/** Collects what is found in one file. */
export interface Findings {
  readonly path: string;
  readonly block: Block | undefined;
  readonly diagnostics: Diagnostic[];
}

export function report(
  { path, block, diagnostics }: Findings,
  severity: Severity,
  code: string,
  message: string,
  details: Details = {},
): void {
  const line = details.line ?? (details.key === undefined ? undefined : fileLineOf(block, details.key));
  diagnostics.push({
    code,
    severity,
    path,
    ...(line !== undefined && { line }),
    ...(details.column !== undefined && { column: details.column }),
    message,
    ...(details.fix !== undefined && { fix: details.fix }),
  });
}

/** A field that guards something could not be read with certainty. */
export function reportRestricted(findings: Findings, key: string, place: TextPosition): void {
  const value = RESTRICTIVE.get(key);
  const reading = value === undefined ? 'left out' : `read as ${JSON.stringify(value)}`;
  const message = `Mend ${key}; until then it is ${reading}, the most restrictive reading.`;
  report(findings, 'warning', 'field-restricted', message, { key, ...place });
}

const FENCE_MESSAGES = {
  bom: 'Remove the byte order mark at the beginning of the file.',
  'line-endings': 'The lines end with CR LF; LF is the common form.',
  'fence-loose': 'Write the fences as a line of exactly three dashes, the first one on line 1.',
  'fence-comment': 'Move the comment below the frontmatter; the file has to begin with `---`.',
  'fence-code-block': 'Remove the code fence around the frontmatter; the file has to begin with `---`.',
  'fence-missing': 'Put a line `---` before and after the fields at the beginning of the file.',
  'fence-late':
    'Move the fields to the beginning of the file, between two lines `---`; until then only a person can choose the skill.',
  'frontmatter-unclosed': 'Close the frontmatter with a line `---` before the body.',
} as const;

/** Says what was unusual about the fences. */
export function reportFence(findings: Findings, repairs: readonly FenceRepair[]): void {
  const { block } = findings;
  for (const code of repairs) {
    const closing = code === 'frontmatter-unclosed' && block !== undefined;
    report(findings, code === 'line-endings' ? 'info' : 'warning', code, FENCE_MESSAGES[code], {
      line: closing ? block.startLine + countLines(block.text) : code === 'fence-late' ? (block?.startLine ?? 1) : 1,
      column: 1,
      fix: code === 'line-endings' || code === 'bom' ? '' : '---',
    });
  }
}

// Kept per block: a file with many findings is searched once.
const keyLines = new WeakMap<Block, Map<string, number>>();

function fileLineOf(block: Block | undefined, key: string): number {
  if (block === undefined) return 1;
  let lines = keyLines.get(block);
  if (lines === undefined) {
    lines = linesOfKeys(block.text);
    keyLines.set(block, lines);
  }
  return block.startLine + (lines.get(key) ?? 0);
}
