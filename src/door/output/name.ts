// Where results of a call lie: names below the output folder, the default name, and sizes for people.
import path from 'node:path';
import type { Text } from '../../base/language.ts';
import { isInside } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';
import type { Door } from '../door.ts';

/** Those of the words that name something below the output folder, as paths below it. */
export function namedOutputs(words: readonly string[], folder: string, door: Pick<Door, 'places'>): string[] {
  const names = words
    .filter((word) => word !== '' && word.length < 4096 && !word.includes('\0'))
    .map((word) => path.resolve(door.places.project, word))
    .filter((file) => isInside(folder, file) && file !== folder)
    .map((file) => path.relative(folder, file));
  return [...new Set(names)];
}

/** Results may go to the output folder, or to any other place where writing does not ask. */
export function outputFolderOf(file: string, door: Pick<Door, 'places' | 'folders'>): string | undefined {
  return [door.folders.output, ...door.places.output].find((folder) => isInside(folder, file));
}

/** What to do about a result that was to go anywhere else. */
export function toOutputFolder({ places, folders }: Pick<Door, 'places' | 'folders'>): Text {
  const { output } = folders;
  const shown = visible(isInside(places.project, output) ? path.relative(places.project, output) : output);
  return {
    en: `Results go to ${shown}: name a file in there, or leave the output out.`,
    zh: `结果写入 ${shown}：请使用其中的文件名，或不指定输出。`,
  };
}

// Words for formats that are not their own extension.
const EXTENSIONS = new Map([
  ['text', 'txt'],
  ['plain', 'txt'],
  ['markdown', 'md'],
  ['jpeg', 'jpg'],
  ['yaml', 'yml'],
]);

/** The same call has the same name every time, so that an approval given later is about the same file. */
export function defaultOutputName(skill: string, values: ReadonlyMap<string, string>): string {
  const input = values.get('input') ?? values.get('file') ?? '';
  const stem = /[\n\r]/.test(input) ? '' : safeName(path.basename(input, path.extname(input)));
  const format = (values.get('format') ?? values.get('to') ?? '').toLowerCase();
  const extension = /^[a-z0-9]{1,8}$/.test(format) ? `.${EXTENSIONS.get(format) ?? format}` : '';
  return [safeName(skill), stem].filter((part) => part !== '').join('-') + extension;
}

/** `512B`, `12.5KB`, `3.0MB`. */
export function formatOutputSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)}KB` : `${(kilobytes / 1024).toFixed(1)}MB`;
}

function safeName(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|-+$/g, '')
    .slice(0, 48);
}
