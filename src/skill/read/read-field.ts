// One field at a time: the value as the manifest wants it, or the restrictive reading and a word about it.
import { isRecord } from '../../base/json.ts';
import { RESTRICTIVE } from '../field.ts';
import { type Findings, report, reportRestricted } from '../finding.ts';
import { findShellSyntax } from '../kind.ts';
import type { ToolRule } from '../skill.ts';
import { isCollection, textOf } from '../value-text.ts';
import { sourceToken } from './entry.ts';
import { quote } from './requote.ts';
import type { Values } from './simple-yaml.ts';
import { parseToolList } from './tool-list.ts';

export interface Reader {
  readonly values: Values;
  readonly findings: Findings;
  /** Fields nobody here knows; made when the first one is met. */
  unknown: Values | undefined;
}

export function keepUnknown(reader: Reader, key: string, value: unknown): void {
  reader.unknown ??= Object.create(null) as Values;
  reader.unknown[key] = value;
}

/** Text as it was written: a number keeps its digits, `[x]` its brackets. */
export function readText(reader: Reader, key: string): string | undefined {
  const value = reader.values[key];
  if (typeof value === 'string') return trimBlanks(value);
  if (value === undefined || value === null) return undefined;
  if (isNested(value)) {
    const message = {
      en: `Write ${key} as text; it is kept and has no effect.`,
      zh: `${key} 请写成文本；它予以保留，但不起作用。`,
    };
    report(reader.findings, 'warning', 'field-type', message, { key });
    keepUnknown(reader, key, value);
    return undefined;
  }
  const text = writtenText(reader, key) ?? textOf(value);
  const message = { en: `Put the value of ${key} in quotes.`, zh: `请将 ${key} 的值放入引号。` };
  report(reader.findings, 'warning', 'field-type', message, { key, fix: `${key}: ${quote(text)}` });
  return text;
}

function writtenText({ values, findings }: Reader, key: string): string | undefined {
  const token = sourceToken(findings.block?.text ?? '', key);
  // A list over several lines only begins there.
  return Array.isArray(values[key]) && !token?.endsWith(']') ? undefined : token;
}

/** A map, or a list that holds more than single values: nothing that could be read as one text. */
function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isCollection) : isCollection(value);
}

// Unlike trim(), leaves what nobody can see where the check for hidden characters finds it.
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Booleans of YAML 1.1, which many files still are; YAML 1.2 takes them for text. */
const OLD_FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['on', true],
  ['no', false],
  ['off', false],
]);

export function readFlag(reader: Reader, key: string, fallback: boolean): boolean {
  const value = reader.values[key];
  if (typeof value === 'boolean') return value;
  if (value === undefined) return fallback;
  const old = typeof value === 'string' ? OLD_FLAGS.get(value.toLowerCase()) : undefined;
  if (old !== undefined) {
    const message = {
      en: `Write ${key} as ${old}; other tools may not know ${value}.`,
      zh: `${key} 请写 ${old}；其他工具可能不认识 ${value}。`,
    };
    report(reader.findings, 'warning', 'field-type', message, { key, fix: `${key}: ${old}` });
    return old;
  }
  if (RESTRICTIVE.has(key)) {
    reportRestricted(reader.findings, key, {});
    return RESTRICTIVE.get(key) === true;
  }
  const message = { en: `Write ${key} as true or false.`, zh: `${key} 请写 true 或 false。` };
  report(reader.findings, 'warning', 'field-type', message, { key });
  return fallback;
}

export function readAllowedTools(reader: Reader): ToolRule[] | undefined {
  const value = reader.values['allowed-tools'];
  if (value === undefined) return undefined;
  const rules = parseToolList(value);
  if (rules === undefined) reportRestricted(reader.findings, 'allowed-tools', {});
  return rules ?? [];
}

/** A template that needs a shell is refused: it stays among the unknown fields, where nothing runs it. */
export function readCommand(reader: Reader): string | undefined {
  const command = readGuarded(reader, 'command');
  const syntax = command === undefined ? undefined : findShellSyntax(command);
  if (syntax === undefined) return command;
  const message = {
    en: `Move the command into a script; it is not run because no shell reads ${syntax}.`,
    zh: `请将命令移入脚本；它不会运行，因为没有 shell 来解释 ${syntax}。`,
  };
  report(reader.findings, 'error', 'command-shell', message, { key: 'command' });
  keepUnknown(reader, 'command', command);
  return undefined;
}

export function readEntry(reader: Reader): string | undefined {
  const entry = readGuarded(reader, 'entry');
  if (entry === undefined || !/^(?:[/\\~]|[A-Za-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(entry)) return entry;
  const message = { en: 'Name a file inside the skill folder as entry.', zh: 'entry 请指向技能目录内的文件。' };
  report(reader.findings, 'error', 'entry-outside', message, { key: 'entry' });
  return undefined;
}

function readGuarded(reader: Reader, key: string): string | undefined {
  const value = reader.values[key];
  if (value === undefined || (typeof value === 'string' && value.trim() !== '')) return value?.trim();
  reportRestricted(reader.findings, key, {});
  return undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, '': 1, m: 60, min: 60, h: 3600 };

/** Seconds; `30`, `30s`, `500ms`, `2m`. */
export function readTimeout(reader: Reader): number | undefined {
  const value = reader.values.timeout;
  if (value === undefined) return undefined;
  const match = /^(\d{1,9}(?:\.\d{1,9})?) ?(ms|s|min|m|h|)$/.exec(isCollection(value) ? '' : String(value));
  const seconds = match ? Number(match[1]) * (UNITS[match[2] ?? ''] ?? 0) : 0;
  if (seconds > 0) return seconds;
  reportRestricted(reader.findings, 'timeout', {});
  return undefined;
}

/** Other skills by name; the map that one publisher writes here means something else and stays opaque. */
export function readRequires(reader: Reader): string[] | undefined {
  const { requires } = reader.values;
  if (!isRecord(requires)) return readNames(reader, 'requires');
  keepUnknown(reader, 'requires', requires);
  const message = {
    en: 'A map in requires is kept and has no effect.',
    zh: 'requires 中的映射予以保留，但不起作用。',
  };
  report(reader.findings, 'info', 'field-type', message, { key: 'requires' });
  return undefined;
}

/** A list of words, or one text with commas or spaces between them. */
export function readNames(reader: Reader, key: string): string[] | undefined {
  const value = reader.values[key];
  if (value === undefined) return undefined;
  const list: unknown = typeof value === 'string' ? value.split(/[\s,]+/).filter((word) => word !== '') : value;
  if (Array.isArray(list) && list.every((item) => typeof item === 'string' && /^[^\s,]+$/.test(item))) return list;
  reportRestricted(reader.findings, key, {});
  return undefined;
}
