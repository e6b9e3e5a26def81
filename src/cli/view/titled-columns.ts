// Columns of a table by their titles; the first one names the row.
import type { Language, Text } from '../../base/language.ts';
import type { RecordColumn } from '../../base/text/record-table.ts';
import type { Column } from '../../base/text/terminal.ts';

export function titledColumns(titles: readonly Text[], language: Language): Column[] {
  return titles.map((title, at) => ({ title: title[language], ...(at === 0 && { style: 'cyan' as const }) }));
}

/** `whole`: never cut. */
export type WholeTitle = Text & { readonly whole?: boolean };

export function recordColumns(titles: readonly WholeTitle[], language: Language): RecordColumn[] {
  return titledColumns(titles, language).map((column, at) => ({ ...column, whole: titles[at]?.whole === true }));
}
