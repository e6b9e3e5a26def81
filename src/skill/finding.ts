// Diagnostics about one SKILL.md: built only when something was found, so a clean file pays nothing.
import { type Diagnostic, diagnose, type Severity } from '../base/diagnostic.ts';
import type { Text } from '../base/language.ts';
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
  message: Text,
  details: Details = {},
): void {
  const line = details.line ?? (details.key === undefined ? undefined : fileLineOf(block, details.key));
  const place = {
    path,
    ...(line !== undefined && { line }),
    ...(details.column !== undefined && { column: details.column }),
  };
  diagnostics.push(diagnose({ code, severity, ...place, message, fix: details.fix }));
}

/** A field that guards something could not be read with certainty. */
export function reportRestricted(findings: Findings, key: string, place: TextPosition): void {
  const value = RESTRICTIVE.get(key);
  const written = JSON.stringify(value);
  const reading =
    value === undefined ? { en: 'left out', zh: '将其忽略' } : { en: `read as ${written}`, zh: `按 ${written} 读取` };
  const message = {
    en: `Mend ${key}; until then it is ${reading.en}, the most restrictive reading.`,
    zh: `请修正 ${key}；在此之前${reading.zh}，即最严格的读法。`,
  };
  report(findings, 'warning', 'field-restricted', message, { key, ...place });
}

const FENCE_MESSAGES = {
  bom: {
    en: 'Remove the byte order mark at the beginning of the file.',
    zh: '请删除文件开头的字节顺序标记 (BOM)。',
  },
  'line-endings': {
    en: 'The lines end with CR LF; LF is the common form.',
    zh: '行尾为 CR LF；通常使用 LF。',
  },
  'fence-loose': {
    en: 'Write the fences as a line of exactly three dashes, the first one on line 1.',
    zh: '请将分隔线写成恰好三个连字符的一行，首条位于第 1 行。',
  },
  'fence-comment': {
    en: 'Move the comment below the frontmatter; the file has to begin with `---`.',
    zh: '请将注释移到 frontmatter 之后；文件须以 `---` 开头。',
  },
  'fence-code-block': {
    en: 'Remove the code fence around the frontmatter; the file has to begin with `---`.',
    zh: '请删除 frontmatter 外的代码围栏；文件须以 `---` 开头。',
  },
  'fence-missing': {
    en: 'Put a line `---` before and after the fields at the beginning of the file.',
    zh: '请在文件开头的字段前后各放一行 `---`。',
  },
  'fence-late': {
    en: 'Move the fields to the beginning of the file, between two lines `---`; until then only a person can choose the skill.',
    zh: '请将字段移到文件开头的两行 `---` 之间；在此之前只有人能选择该技能。',
  },
  'frontmatter-unclosed': {
    en: 'Close the frontmatter with a line `---` before the body.',
    zh: '请在正文之前用一行 `---` 结束 frontmatter。',
  },
} as const satisfies Record<FenceRepair, Text>;

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
