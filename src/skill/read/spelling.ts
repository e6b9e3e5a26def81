// Misspelt fields: named to the author, and obeyed where the field they stand for takes something away.
import { visible } from '../../base/text.ts';
import { correctSpelling } from '../field.ts';
import { report } from '../finding.ts';
import type { ToolRule } from '../skill.ts';
import type { Reader } from './read-field.ts';
import { parseToolList } from './tool-list.ts';

export function respell(reader: Reader, key: string): void {
  const meant = correctSpelling(key);
  if (meant === undefined) return;
  const written = visible(key);
  const message = {
    en: `Did you mean ${meant}? ${written} is not a field.`,
    zh: `您是否想写 ${meant}？${written} 不是字段。`,
  };
  report(reader.findings, 'warning', 'field-spelling', message, { key, fix: meant });
  obey(reader, meant, reader.values[key], key);
}

function obey({ values }: Reader, meant: string, value: unknown, key: string): void {
  if (meant === 'disable-model-invocation' && value !== false) values[meant] = true;
  else if (meant === 'user-invocable' && value !== true) values[meant] = false;
  else if (meant === 'run-mode' && value !== 'inline') values[meant] = 'subagent';
  else if (meant === 'allowed-tools') values[meant] = intersect(values[meant], value);
  else if ((meant === 'name' || meant === 'description') && key.toLowerCase() === meant) values[meant] ??= value;
}

/** What both lists allow; a list that cannot be read allows nothing. */
function intersect(proper: unknown, misspelt: unknown): string[] {
  const rules = parseToolList(misspelt) ?? [];
  if (proper === undefined) return rules.map(write);
  const others = new Set((parseToolList(proper) ?? []).map(write));
  return rules.map(write).filter((rule) => others.has(rule));
}

function write({ tool, pattern }: ToolRule): string {
  return pattern === undefined ? tool : `${tool}(${pattern})`;
}
