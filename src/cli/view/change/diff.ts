// The diff of one change as lines for a terminal; what is no text, or too long, by its type and size.
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { ShownChanges } from '../../../app/workspace/settle.ts';
import { isHiddenFile } from '../../../base/hidden-files.ts';
import type { Language, Text } from '../../../base/language.ts';
import { readIfThere } from '../../../base/read-file.ts';
import { paint, type Style, type Terminal } from '../../../base/text/terminal.ts';
import { visible, visibleLines } from '../../../base/text.ts';
import { formatOutputSize } from '../../../door/output/name.ts';
import { unifiedDiff } from '../../../tools/diff.ts';
import type { FileChange } from '../../../workspace/change.ts';
import type { Entry } from '../../../workspace/entry.ts';
import { fileType } from './file-type.ts';

export interface DiffPlace extends Pick<ShownChanges, 'project' | 'layer'> {
  readonly language: Language;
  readonly terminal: Terminal;
}

const DIFF_BYTES = 64 * 1024;

/** The diff of a change, or why there is none; nothing for folders. */
export function renderDiff(change: FileChange, place: DiffPlace): string[] {
  const { path, before, after } = change;
  const { language, terminal } = place;
  const note = (text: Text) => `${visible(path)}: ${text[language]}`;
  const facts = [...turned(change), ...modes(change), ...links(change)].map(note);
  if (![before, after].some((entry) => entry?.kind === 'file')) return facts;
  if (isHiddenFile(path)) return [...facts, note({ en: 'not shown, it is a secret', zh: '未展示，属于机密' })];
  if (isSameContent(before, after)) return facts;
  const holds = place.layer.holds(change).join(', ');
  if (holds !== '')
    return [...facts, note({ en: `not shown, it holds the value of ${holds}`, zh: `未展示，包含变量 ${holds} 的值` })];
  const [old, fresh] = [contentOf(`${place.project}/${path}`, before), contentOf(place.layer.content(path), after)];
  const bytes = [old.bytes, fresh.bytes];
  if (!bytes.every(isText)) return [...facts, note(summary(old, fresh))];
  // Bytes that are no UTF-8 would all look alike.
  const encoding = bytes.every((one) => isUtf8(one)) ? 'utf8' : 'latin1';
  // A bare return would move what follows to another line of the diff than it has in the file.
  const [from = '', to = ''] = bytes.map((one) => one.toString(encoding).replaceAll('\r', '\\r'));
  const lines = visibleLines(unifiedDiff(from, to, path)).split('\n');
  return [...facts, ...lines.map((line) => paint(line, styleOf(line), terminal))];
}

/** One change after the other, made when it is asked for. */
export function* renderDiffs(changes: Iterable<FileChange>, place: DiffPlace): Generator<string> {
  for (const change of changes) yield* renderDiff(change, place);
}

const KINDS: Record<Entry['kind'], Text> = {
  file: { en: 'a file', zh: '文件' },
  folder: { en: 'a folder', zh: '目录' },
  link: { en: 'a link', zh: '链接' },
  special: { en: 'a special file', zh: '特殊文件' },
};

/** Where it is another kind of thing than before. */
export function turned({ before, after }: FileChange): Text[] {
  if (!before || !after || before.kind === after.kind) return [];
  const [was, is] = [KINDS[before.kind], KINDS[after.kind]];
  return [{ en: `${was.en} becomes ${is.en}`, zh: `${was.zh}变为${is.zh}` }];
}

export function modes({ before, after }: FileChange): Text[] {
  if (!before || !after || before.kind !== after.kind || before.mode === after.mode) return [];
  const [from, to] = [before, after].map(({ mode }) => mode.toString(8).padStart(4, '0'));
  return [{ en: `mode ${from} → ${to}`, zh: `权限 ${from} → ${to}` }];
}

/** Where a link leads, and led. */
export function links({ before, after }: FileChange): Text[] {
  const [was, is] = [before, after].map((entry) => entry?.kind === 'link' && visible(entry.target ?? ''));
  return [
    ...(was ? [{ en: `led to ${was}`, zh: `原指向 ${was}` }] : []),
    ...(is ? [{ en: `leads to ${is}`, zh: `指向 ${is}` }] : []),
  ];
}

function isSameContent(before: Entry | undefined, after: Entry | undefined): boolean {
  return before?.kind === 'file' && after?.kind === 'file' && before.digest === after.digest;
}

interface Content {
  readonly size: number | undefined;
  /** All of it, or the beginning of what is too long. */
  readonly bytes: Buffer;
}

/** Nothing where there is no file. */
function contentOf(file: string, entry: Entry | undefined): Content {
  if (entry?.kind !== 'file') return { size: undefined, bytes: Buffer.alloc(0) };
  const { size } = entry;
  return { size, bytes: size > DIFF_BYTES ? headOf(file) : (readIfThere(file) ?? Buffer.alloc(0)) };
}

function headOf(file: string): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const head = Buffer.alloc(DIFF_BYTES + 1);
    return head.subarray(0, readSync(descriptor, head));
  } finally {
    closeSync(descriptor);
  }
}

function isText(bytes: Buffer): boolean {
  return bytes.length <= DIFF_BYTES && !bytes.includes(0);
}

/** Type and size on both sides. */
function summary(old: Content, fresh: Content): Text {
  const sides = [old, fresh].flatMap(({ size, bytes }) => {
    if (size === undefined) return [];
    const [type, shown] = [fileType(bytes), formatOutputSize(size)];
    return { en: `${type.en}, ${shown}`, zh: `${type.zh}，${shown}` };
  });
  const join = (language: Language) => sides.map((side) => side[language]).join(' → ');
  return { en: `not shown: ${join('en')}`, zh: `未展示: ${join('zh')}` };
}

function styleOf(line: string): Style | undefined {
  if (line.startsWith('+')) return 'green';
  if (line.startsWith('-')) return 'red';
  return line.startsWith('@@') ? 'cyan' : undefined;
}
