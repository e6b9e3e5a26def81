// Mistakes in the use of the library, as the Faults that name them.
import { statSync } from 'node:fs';
import { Fault } from '../../base/errors.ts';
import { isLanguage, LANGUAGES, type Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';

/** That of the catalogue speaks of a command, and here is none. */
const HINT: Text = {
  en: 'docs/api.md of the package says what each function and option takes.',
  zh: '软件包中的 docs/api.md 说明各函数与选项的取值。',
};

export function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '') throw wrongUse(name, 'a text that is not empty');
}

/** Settings and records would be sought, and made, in a folder that nobody meant. */
export function requireFolder(name: string, value: unknown): void {
  if (value === undefined) return;
  requireText(name, value);
  const folder = String(value);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const shown = visible(folder);
  throw misused({ en: `${name}: no such folder: ${shown}`, zh: `${name}: 目录不存在: ${shown}` });
}

export function requireLanguage(value: unknown): void {
  if (value !== undefined && !isLanguage(value)) throw wrongUse('language', `one of ${LANGUAGES.join(', ')}`);
}

export function wrongUse(name: string, wanted: string): Fault {
  return misused({ en: `${name} must be ${wanted}`, zh: `${name} 必须是 ${wanted}` });
}

export function misused(detail: Text, hint: Text = HINT): Fault {
  return new Fault('Usage', detail, { hint });
}
