// The editing operations on text, pure: the new text, or a Fault that says what was not found.
import { Fault } from '../base/errors.ts';
import { updateJson } from './json-edit.ts';

export type Edit =
  | { op: 'replace'; old: string; new: string }
  | { op: 'append'; content: string }
  | { op: 'prepend'; content: string }
  | { op: 'insert-after'; marker: string; content: string }
  | { op: 'insert-before'; marker: string; content: string }
  | { op: 'delete-between'; start: string; end: string }
  | { op: 'regex'; pattern: string; replacement: string }
  | { op: 'update-json'; path: string; value: string };

export const EDIT_OPERATIONS = [
  'replace',
  'append',
  'prepend',
  'insert-after',
  'insert-before',
  'delete-between',
  'regex',
  'update-json',
] as const satisfies readonly Edit['op'][];

/** Characters; a short text replaced by a long one everywhere must not fill the memory. */
const RESULT_LIMIT = 64 * 1024 * 1024;

/** Applies all edits in order, or none. Line endings stay as they are. */
export async function applyEdits(text: string, edits: readonly Edit[]): Promise<string> {
  const windows = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  let current = windows ? text.replaceAll('\r\n', '\n') : text;
  for (const edit of edits) current = await applyEdit(current, windows ? withPlainLines(edit) : edit);
  return windows ? current.replaceAll('\n', '\r\n') : current;
}

async function applyEdit(text: string, edit: Edit): Promise<string> {
  switch (edit.op) {
    case 'replace':
      return replaceAll(text, edit.old, edit.new);
    case 'append':
      return append(text, edit.content);
    case 'prepend':
      return edit.content === '' || edit.content.endsWith('\n') ? edit.content + text : `${edit.content}\n${text}`;
    case 'insert-after':
      return insert(text, edit.marker, (marker) => `${marker}\n${edit.content}`);
    case 'insert-before':
      return insert(text, edit.marker, (marker) => `${edit.content}\n${marker}`);
    case 'delete-between':
      return deleteBetween(text, edit.start, edit.end);
    case 'regex':
      return await replacePattern(text, edit.pattern, edit.replacement);
    case 'update-json':
      return updateJson(text, edit.path, edit.value);
  }
}

function replaceAll(text: string, old: string, replacement: string): string {
  mustOccur(text, old, 'old');
  const growth = (text.split(old).length - 1) * (replacement.length - old.length);
  if (text.length + growth > RESULT_LIMIT) throw new Fault('LIMIT_FILE_SIZE', 'replace');
  return text.replaceAll(old, () => replacement);
}

// The last line is completed first, so that appended text starts on a line of its own.
function append(text: string, content: string): string {
  const complete = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const ends = content.endsWith('\n') || !text.endsWith('\n');
  return complete + content + (ends ? '' : '\n');
}

function insert(text: string, marker: string, around: (marker: string) => string): string {
  mustOccur(text, marker, 'marker');
  return text.replace(marker, around);
}

/** Removes every stretch from start to the next end, markers included. */
function deleteBetween(text: string, start: string, end: string): string {
  mustOccur(text, start, 'start');
  let kept = '';
  let position = 0;
  for (;;) {
    const from = text.indexOf(start, position);
    const to = from < 0 ? -1 : text.indexOf(end, from + start.length);
    if (to < 0) break;
    kept += text.slice(position, from);
    position = to + end.length;
  }
  if (position === 0 || end === '') throw notFound('end', end);
  return kept + text.slice(position);
}

async function replacePattern(text: string, pattern: string, replacement: string): Promise<string> {
  const { compilePattern, replaceMatches } = await import('./pattern.ts');
  const replaced = replaceMatches(await compilePattern(pattern), text, replacement);
  if (replaced === undefined) throw notFound('pattern', pattern);
  return replaced;
}

function mustOccur(text: string, wanted: string, name: string): void {
  if (wanted === '') throw new Fault('ParamInvalid', { en: `${name} is empty`, zh: `${name} 不能为空` });
  if (!text.includes(wanted)) throw notFound(name, wanted);
}

function notFound(name: string, wanted: string): Fault {
  const shown = JSON.stringify(wanted.length > 80 ? `${wanted.slice(0, 80)}…` : wanted);
  return new Fault(
    'DataNotFound',
    { en: `${name} ${shown} does not occur in the file`, zh: `文件中没有 ${name} ${shown}` },
    {
      hint: {
        en: 'Nothing was changed. The text must be the same to the last blank.',
        zh: '未作任何更改。文本须与文件完全一致，包括空格。',
      },
    },
  );
}

function withPlainLines(edit: Edit): Edit {
  return Object.fromEntries(Object.entries(edit).map(([key, value]) => [key, value.replaceAll('\r\n', '\n')])) as Edit;
}
