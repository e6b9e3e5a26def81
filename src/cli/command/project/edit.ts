// `edit`: one change of one file, made at once and whole; a person's own command, so nothing is asked.
import path from 'node:path';
import { text as readStream } from 'node:stream/consumers';
import { EDIT_KEYS, editProjectFile, readEditList } from '../../../app/project/edit.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { errorCode, readTextIfThere } from '../../../base/read-file.ts';
import { paint, type Style, type Terminal } from '../../../base/text/terminal.ts';
import { visible, visibleLines } from '../../../base/text.ts';
import { EDIT_OPERATIONS, type Edit } from '../../../tools/edit.ts';
import type { EditFileResult } from '../../../tools/edit-file.ts';
import { type Command, type CommandContext, isOn, textOption } from '../../frame/command.ts';
import { typedFrom } from '../../frame/typed-from.ts';

const OPERATIONS = [...EDIT_OPERATIONS, 'batch'] as const;
type Operation = (typeof OPERATIONS)[number];

/** What each operation takes behind the file; the last one may come from a file or from stdin. */
const WORDS: Record<Operation, readonly string[]> = { ...EDIT_KEYS, batch: ['edits.json'] };

export const command: Command = {
  about: {
    en: `Words behind the file: ${usageOfOperations()}. replace and regex change every place, insert-after and insert-before the first; delete-between removes from each start to the next end, both included. batch applies a JSON list such as [{"op":"replace","old":"a","new":"b"}], all or none, with the words above as keys. What is not found is an error and changes nothing; only append and prepend make a new file. Put -- before words that start with a hyphen.`,
    zh: `文件之后的参数: ${usageOfOperations()}。replace 与 regex 更改每一处，insert-after 与 insert-before 只作用于第一处；delete-between 删除每个 start 到下一个 end 之间的内容，两端在内。batch 应用一个 JSON 列表，如 [{"op":"replace","old":"a","new":"b"}]，以上述参数名为键，全部成功或全不更改。找不到的内容视为错误，不作任何更改；只有 append 与 prepend 会新建文件。以连字符开头的参数前请加 --。`,
  },
  positionals: [
    { name: 'operation', required: true, choices: OPERATIONS, summary: { en: 'what to do', zh: '操作' } },
    { name: 'file', required: true, summary: { en: 'a text file of the project', zh: '项目中的文本文件' } },
    {
      name: 'words',
      many: true,
      summary: {
        en: 'what the operation takes; - as the last one reads it from stdin',
        zh: '操作的参数；最后一个为 - 时从标准输入读取',
      },
    },
  ],
  options: [
    {
      name: 'content-file',
      value: 'FILE',
      summary: { en: 'read the last argument from this file', zh: '从此文件读取最后一个参数' },
    },
    { name: 'dry-run', summary: { en: 'only show the difference', zh: '仅显示差异' } },
  ],
  examples: [
    'skillwright edit replace README.md "version 1" "version 2"',
    'skillwright edit append mybox/notes.md "one more line"',
    'skillwright edit update-json package.json scripts.test "node --test" --dry-run',
    'skillwright edit append notes.md -- "- a list item"',
  ],
  async run(context) {
    const { runtime, options, positionals } = context;
    const operation = OPERATIONS.find((known) => known === positionals[0]) ?? 'replace';
    const file = findFile(context);
    const edits = await readEdits(operation, await readWords(operation, context));
    const result = await editProjectFile({ file, edits, dryRun: isOn(options, 'dry-run') }, runtime);
    const { path: shown, changed, created, places, diff } = result;
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summarize(result), {
        file: shown,
        operation,
        changed,
        created,
        ...(places !== undefined && { places }),
        ...(diff !== undefined && { diff }),
      }),
      ...(diff && { human: renderDiff(diff, context.terminal) }),
    };
  },
};

function findFile(context: CommandContext): string {
  return path.resolve(typedFrom(context), context.positionals[1] ?? '');
}

async function readWords(operation: Operation, { positionals, options }: CommandContext): Promise<string[]> {
  const names = WORDS[operation];
  const words = positionals.slice(2);
  const contentFile = textOption(options, 'content-file');
  const wanted = contentFile === undefined ? names : names.slice(0, -1);
  if (words.length !== wanted.length) throw wrongWords(operation, wanted);
  if (contentFile !== undefined) return [...words, readNamedFile(contentFile)];
  return words.at(-1) === '-' ? [...words.slice(0, -1), await readStream(process.stdin)] : words;
}

async function readEdits(operation: Operation, words: readonly string[]): Promise<readonly Edit[]> {
  const [first = '', second = ''] = words;
  switch (operation) {
    case 'replace':
      return [{ op: operation, old: first, new: second }];
    case 'append':
    case 'prepend':
      return [{ op: operation, content: first }];
    case 'insert-after':
    case 'insert-before':
      return [{ op: operation, marker: first, content: second }];
    case 'delete-between':
      return [{ op: operation, start: first, end: second }];
    case 'regex':
      return [{ op: operation, pattern: first, replacement: second }];
    case 'update-json':
      return [{ op: operation, path: first, value: second }];
    case 'batch':
      return await readBatch(first);
  }
}

/** The word is a file of edits, or the edits themselves where they came from stdin or --content-file. */
async function readBatch(word: string): Promise<readonly Edit[]> {
  return await readEditList(/^\s*[[{]|\n/.test(word) ? word : readNamedFile(word));
}

/** A file the person names may lie anywhere; what never ends or waits for a writer is refused. */
function readNamedFile(file: string): string {
  const shown = visible(file);
  try {
    const text = readTextIfThere(path.resolve(file));
    if (text !== undefined) return text;
  } catch (error) {
    if (error instanceof Fault) throw error;
    const detail = { en: `${shown} cannot be read: ${errorCode(error)}`, zh: `无法读取 ${shown}: ${errorCode(error)}` };
    throw new Fault('DataNotFound', detail, { cause: error });
  }
  throw new Fault('DataNotFound', { en: `there is no file ${shown}`, zh: `没有文件 ${shown}` });
}

function summarize({ path: file, changed, created, places, diff }: EditFileResult): Text {
  const name = visible(file);
  if (changed && places !== undefined) {
    const count: Text = {
      en: `${name} (${places} ${places === 1 ? 'place' : 'places'})`,
      zh: `${name}（${places} 处）`,
    };
    return diff === undefined
      ? { en: `changed: ${count.en}`, zh: `已更改: ${count.zh}` }
      : { en: `would change: ${count.en}`, zh: `将会更改: ${count.zh}` };
  }
  const shown = name;
  if (diff !== undefined && changed) return { en: `would change: ${shown}`, zh: `将会更改: ${shown}` };
  if (!changed) return { en: `already as wanted: ${shown}`, zh: `无需更改: ${shown}` };
  return created
    ? { en: `created: ${shown}`, zh: `已创建: ${shown}` }
    : { en: `changed: ${shown}`, zh: `已更改: ${shown}` };
}

function renderDiff(diff: string, terminal: Terminal): string {
  const styles: Record<string, Style> = { '+': 'green', '-': 'red', '@': 'cyan' };
  return visibleLines(diff)
    .split('\n')
    .map((line) => paint(line, styles[line[0] ?? ''], terminal))
    .join('\n');
}

function wrongWords(operation: Operation, wanted: readonly string[]): Fault {
  const names = wanted.map((name) => `<${name}>`).join(' ');
  return new Fault('Usage', {
    en: `edit ${operation} <file> takes: ${names || 'nothing more'}`,
    zh: `edit ${operation} <file> 的参数: ${names || '无'}`,
  });
}

function usageOfOperations(): string {
  return OPERATIONS.map((name) => `${name} ${WORDS[name].map((word) => `<${word}>`).join(' ')}`).join('; ');
}
