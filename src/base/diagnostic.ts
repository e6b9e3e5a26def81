// What a reader of files found: nothing is thrown for one bad file, everything is said.
import type { Language } from './language.ts';
import { errorCode } from './read-file.ts';
import { visible } from './text.ts';

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

/** Whatever one file did to its reader: the file is named, and the others go on. */
export function readerFailed(path: string, error: unknown): Diagnostic {
  const code = errorCode(error);
  const isOfSystem = code !== undefined && !code.startsWith('ERR_');
  if (isOfSystem) return { code: 'unreadable', severity: 'error', path, message: `cannot be read (${code})` };
  const reason = visible(error instanceof Error ? error.message : 'unknown');
  return {
    code: INTERNAL,
    severity: 'error',
    path,
    message: `Skillwright cannot read this file, which is a mistake of ours: ${reason}`,
    fix: 'move the file away until it is mended, and report it',
    zh: { message: `Skillwright 无法读取此文件，这是我们的错误: ${reason}`, fix: '请先移走此文件，并报告该问题' },
  };
}

/** The code of a finding that says more about us than about the file. */
export const INTERNAL = 'internal';

/** A file we keep to save time is there and cannot be read: everything still works, and is slow each time. */
export function indexUnreadable(path: string, error: unknown): Diagnostic {
  const code = errorCode(error) ?? 'unknown';
  const isTooLarge = code === 'ERR_FS_FILE_TOO_LARGE';
  const fix = isTooLarge ? 'keep fewer skills in the roots of one project' : 'remove the file, or make it readable';
  return {
    code: 'index-unreadable',
    severity: 'warning',
    path,
    message: `the index cannot be read (${code}): every command reads all skills anew`,
    fix,
    zh: {
      message: `无法读取索引（${code}）: 每条命令都会重新读取全部技能`,
      fix: isTooLarge ? '请减少项目技能目录中的技能' : '请删除该文件，或使其可读',
    },
  };
}
