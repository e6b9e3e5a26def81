// What a reader of files found: nothing is thrown for one bad file, everything is said.
import { inLanguage, type Language, type Text } from './language.ts';
import { errorCode } from './read-file.ts';
import { visible } from './text.ts';

export type Severity = 'error' | 'warning' | 'info';

/** As a person or a program is shown it: in one language. */
export interface SpokenDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** The corrected text, or what to do. */
  readonly fix?: string;
}

/** Something wrong or doubtful in a file, with its place and how to mend it, in both languages. */
export interface Diagnostic extends SpokenDiagnostic {
  /** The same in Chinese; without a fix where that is no prose. */
  readonly zh: { readonly message: string; readonly fix?: string };
}

/** A diagnostic as its finder words it; a fix that is corrected text is one string. */
export interface WordedDiagnostic extends Omit<SpokenDiagnostic, 'message' | 'fix'> {
  readonly message: Text;
  readonly fix?: Text | string | undefined;
}

export function diagnose({ message, fix, ...found }: WordedDiagnostic): Diagnostic {
  if (fix === undefined) return { ...found, message: message.en, zh: { message: message.zh } };
  const zh = typeof fix === 'string' ? { message: message.zh } : { message: message.zh, fix: fix.zh };
  return { ...found, message: message.en, fix: inLanguage(fix, 'en'), zh };
}

export function speak(diagnostics: readonly Diagnostic[], language: Language): SpokenDiagnostic[] {
  return diagnostics.map(({ zh, ...en }) => ({ ...en, ...{ en, zh }[language] }));
}

/** Whatever one file did to its reader: the file is named, and the others go on. */
export function readerFailed(path: string, error: unknown): Diagnostic {
  const code = errorCode(error);
  const isOfSystem = code !== undefined && !code.startsWith('ERR_');
  if (isOfSystem) return diagnose({ code: 'unreadable', severity: 'error', path, message: cannotBeRead(code) });
  const reason = visible(error instanceof Error ? error.message : 'unknown');
  return diagnose({
    code: INTERNAL,
    severity: 'error',
    path,
    message: {
      en: `Skillwright cannot read this file, which is a mistake of ours: ${reason}`,
      zh: `Skillwright 无法读取此文件，这是我们的错误: ${reason}`,
    },
    fix: { en: 'move the file away until it is mended, and report it', zh: '请先移走此文件，并报告该问题' },
  });
}

export const NOT_A_FILE: Text = { en: 'is not a file', zh: '不是文件' };
export const NOT_UTF8: Text = { en: 'is not UTF-8 text', zh: '不是 UTF-8 文本' };

/** `code` as the system gave it. */
export function cannotBeRead(code: string | undefined): Text {
  return { en: `cannot be read (${code})`, zh: `无法读取（${code}）` };
}

export function cannotBeListed(code: string | undefined): Text {
  return { en: `the folder cannot be listed (${code})`, zh: `无法列出目录（${code}）` };
}

/** The code of a finding that says more about us than about the file. */
export const INTERNAL = 'internal';

/** A file we keep to save time is there and cannot be read: everything still works, and is slow each time. */
export function indexUnreadable(path: string, error: unknown): Diagnostic {
  const code = errorCode(error) ?? 'unknown';
  const isTooLarge = code === 'ERR_FS_FILE_TOO_LARGE';
  return diagnose({
    code: 'index-unreadable',
    severity: 'warning',
    path,
    message: {
      en: `the index cannot be read (${code}): every command reads all skills anew`,
      zh: `无法读取索引（${code}）: 每条命令都会重新读取全部技能`,
    },
    fix: isTooLarge
      ? { en: 'keep fewer skills in the roots of one project', zh: '请减少项目技能目录中的技能' }
      : { en: 'remove the file, or make it readable', zh: '请删除该文件，或使其可读' },
  });
}
