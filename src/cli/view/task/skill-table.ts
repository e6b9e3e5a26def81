// The skills that a worker script answered with, as a table for people; any other answer is shown as it is.
import { isRecord } from '../../../base/json.ts';
import type { Language, Text } from '../../../base/language.ts';
import { renderTable, type Terminal } from '../../../base/text/terminal.ts';
import { pipedCell } from '../piped-cell.ts';
import { titledColumns } from '../titled-columns.ts';

type Screen = Pick<Terminal, 'color' | 'width'>;

/** The answers of `list` and of `search`. */
const LISTS = ['skills', 'hits'];
/** What may stand beside the list without being lost: it is in the summary. */
const TOLD = new Set(['total', 'abstained']);

const COLUMNS: readonly (Text & { readonly key: string })[] = [
  { key: 'name', en: 'NAME', zh: '名称' },
  { key: 'folder_name', en: 'FOLDER', zh: '目录' },
  { key: 'source', en: 'SOURCE', zh: '来源' },
  { key: 'description', en: 'DESCRIPTION', zh: '描述' },
];

export function skillTable(data: object, language: Language, terminal: Screen): string | undefined {
  const fields = Object.entries(data);
  const skills = fields.flatMap(([name, value]) => (LISTS.includes(name) && isNamedList(value) ? value : []));
  const isWhole = fields.every(([name, value]) => LISTS.includes(name) || TOLD.has(name) || isEmpty(value));
  if (skills.length === 0 || !isWhole) return undefined;
  const columns = COLUMNS.filter(({ key }) => skills.some((skill) => typeof skill[key] === 'string'));
  const cell = (value: unknown) => (typeof value === 'string' ? pipedCell(value.replace(/\s+/g, ' '), terminal) : '');
  const rows = skills.map((skill) => columns.map(({ key }) => cell(skill[key])));
  return renderTable(titledColumns(columns, language), rows, terminal);
}

function isNamedList(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.every((one) => isRecord(one) && typeof one.name === 'string');
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
