// From words to a command with checked arguments; every mistake is answered with what was probably meant.
import { parseArgs } from 'node:util';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { nearest, visible } from '../../base/text.ts';
import { ALIASES } from './alias.ts';
import type { Command, Option, OptionValues, Positional } from './command.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';

interface Word {
  readonly text: string;
  readonly index: number;
}

export interface Arguments {
  readonly positionals: readonly string[];
  readonly options: OptionValues;
}

/** The global options wherever they stand, without complaint, so that even a usage error comes out as it was asked for. */
export function readGlobalOptions(args: readonly string[]): OptionValues {
  return collect(tokenize(args, GLOBAL_OPTIONS), GLOBAL_OPTIONS);
}

/** The command that is named, longest name first, and the words that are left for it. */
export function findCommand<Entry extends { readonly name: string }>(
  args: readonly string[],
  table: readonly Entry[],
): { entry: Entry; rest: string[] } | undefined {
  const words = commandWords(args);
  const [first, second] = words;
  if (!first) return undefined;
  const named = (name: string) => table.find((entry) => entry.name === name);
  const double = second && named(`${first.text} ${second.text}`);
  const entry = double || named(first.text) || named(ALIASES.get(first.text) ?? '');
  if (!entry) throw unknownCommand(first.text, second?.text, table);
  const used = double ? [first.index, second.index] : [first.index];
  return { entry, rest: args.filter((_, index) => !used.includes(index)) };
}

/** The first word, where it only begins the names of commands: `runs` of `runs list`. */
export function findGroup(args: readonly string[], table: readonly { readonly name: string }[]): string | undefined {
  const [first, second] = commandWords(args).map(({ text }) => text);
  const names = table.map(({ name }) => name);
  if (first === undefined || names.includes(first) || names.includes(`${first} ${second}`)) return undefined;
  return names.some((name) => name.startsWith(`${first} `)) ? first : undefined;
}

export function parseArguments(args: readonly string[], command: Pick<Command, 'options' | 'positionals'>): Arguments {
  const own = new Set(command.options.map(({ name }) => name));
  const known = [...command.options, ...GLOBAL_OPTIONS.filter(({ name }) => !own.has(name))];
  const tokens = tokenize(args, known);
  for (const token of tokens) if (token.kind === 'option') checkOption(token, known);
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const options = collect(tokens, known);
  if (options.help !== true) checkPositionals(positionals, command.positionals);
  return { positionals, options };
}

type Token = ReturnType<typeof tokenize>[number];
type OptionToken = Extract<Token, { kind: 'option' }>;

function tokenize(args: readonly string[], known: readonly Option[]) {
  const options = Object.fromEntries(
    known.flatMap(({ name, also, short, value }) => {
      const type = value ? 'string' : 'boolean';
      const own = [name, { type, ...(short && { short }) } as const] as const;
      return also ? [own, [also, { type } as const] as const] : [own];
    }),
  );
  const shielded = args.map((word) => (isText(word) ? TEXT + word : word));
  const { tokens } = parseArgs({ args: shielded, options, strict: false, tokens: true, allowPositionals: true });
  return tokens.map((token) =>
    'value' in token && token.value?.startsWith(TEXT) ? { ...token, value: token.value.slice(TEXT.length) } : token,
  );
}

// No word of a command line holds a zero.
const TEXT = '\0';

/** A word that no option could be, such as `- item` or `-5`. */
function isText(word: string): boolean {
  return /^-(?:\d|[^=]*\s)/.test(word);
}

function collect(tokens: readonly Token[], known: readonly Option[]): OptionValues {
  const values: Record<string, string | boolean | string[] | undefined> = {};
  for (const token of tokens) {
    const option = token.kind === 'option' && optionNamed(token.name, known);
    if (!option) continue;
    const value = option.value ? token.value : ((option.inline && token.value) ?? true);
    const before = values[option.name];
    if (option.many && value !== undefined)
      values[option.name] = [...(Array.isArray(before) ? before : []), String(value)];
    else values[option.name] = value;
  }
  return values;
}

/** The words before any unknown option: nobody can tell whether the word behind one is its value. */
export function commandWords(args: readonly string[]): Word[] {
  const words: Word[] = [];
  for (const token of tokenize(args, GLOBAL_OPTIONS)) {
    if (token.kind === 'option-terminator') break;
    if (token.kind === 'positional') words.push({ text: token.value, index: token.index });
    else if (words.length === 0) checkOption(token, GLOBAL_OPTIONS);
    else if (!GLOBAL_OPTIONS.some(({ name }) => name === token.name)) break;
  }
  return words;
}

function optionNamed(written: string, known: readonly Option[]): Option | undefined {
  return known.find(({ name, also }) => name === written || also === written);
}

function checkOption(token: OptionToken, known: readonly Option[]): void {
  const option = optionNamed(token.name, known);
  const given = visible(token.rawName);
  if (!option) throw unknownOption(given, known);
  if (!option.value) {
    if (token.value !== undefined && !option.inline)
      throw usage({ en: `${given} takes no value`, zh: `${given} 不接受值` });
    return;
  }
  // A number below zero is a value, if a wrong one; anything else with a dash is the next option.
  if (token.value === undefined || (!token.inlineValue && /^-(?!\d+$)./.test(token.value))) {
    throw usage({
      en: `${given} needs a value: ${given}=${option.value}`,
      zh: `${given} 需要一个值: ${given}=${option.value}`,
    });
  }
  if (option.choices && !option.alsoTaken?.includes(token.value)) checkChoice(given, token.value, option.choices);
}

function checkPositionals(given: readonly string[], wanted: readonly Positional[]): void {
  const missing = wanted.filter(({ required }, index) => required && given[index] === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `<${name}>`).join(' ');
    throw usage({ en: `missing argument: ${names}`, zh: `缺少参数: ${names}` });
  }
  if (given.length > wanted.length && !wanted.at(-1)?.many) {
    const extra = visible(given[wanted.length] ?? '');
    throw usage({ en: `one argument too many: ${extra}`, zh: `多余的参数: ${extra}` });
  }
  wanted.forEach(({ name, choices }, index) => {
    const value = given[index];
    if (choices && value !== undefined) checkChoice(`<${name}>`, value, choices);
  });
}

function checkChoice(what: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  const list = choices.join(', ');
  const shown = visible(value);
  throw usage(
    { en: `${what} cannot be ${shown}: choose ${list}`, zh: `${what} 不能是 ${shown}: 可选 ${list}` },
    nearest(value, choices),
  );
}

function unknownOption(given: string, known: readonly Option[]): Fault {
  const names = known.map(({ name }) => `--${name}`);
  const detail = { en: `unknown option: ${given}`, zh: `未知选项: ${given}` };
  const near = nearest(given, names);
  return near.length > 0 ? usage(detail, near) : new Fault('Usage', detail, { hint: AFTER_DASHES });
}

const AFTER_DASHES: Text = {
  en: 'Put -- before a word that begins with a dash, or write a file as ./-name; --help shows the options.',
  zh: '以短横线开头的词前请加 --，文件可写成 ./-名称；--help 显示选项。',
};

function unknownCommand(first: string, second: string | undefined, table: readonly { readonly name: string }[]): Fault {
  const names = table.map(({ name }) => name);
  const list = names.filter((name) => name.startsWith(`${first} `)).join(', ');
  if (list !== '')
    return usage(
      { en: `${first} needs a subcommand: ${list}`, zh: `${first} 需要子命令: ${list}` },
      nearestBelow(first, second, names),
    );
  const unknown = { en: `unknown command: ${visible(first)}`, zh: `未知命令: ${visible(first)}` };
  if (/^task[-_]?output$/i.test(first)) return new Fault('Usage', unknown, { hint: NO_TASK_ID });
  const near = nearestCommands(first, second, names);
  return near.length > 0 ? usage(unknown, near) : new Fault('Usage', unknown, { hint: LISTED });
}

/** Also where another command, such as help, was given the unknown name. */
const LISTED: Text = {
  en: '`skillwright --help` lists the commands.',
  zh: '`skillwright --help` 列出全部命令。',
};

const NO_TASK_ID: Text = {
  en: 'A task answers with its result: there is no task id and nothing to fetch later. `skillwright task --help` shows how it is used.',
  zh: '任务结果即在返回值中，没有任务 id，无需后续检索。`skillwright task --help` 显示用法。',
};

/** By the first word, and the second where there is one; else commands that end in this word. */
function nearestCommands(first: string, second: string | undefined, names: readonly string[]): string[] {
  const heads = nearest(first, new Set(names.map((name) => name.split(' ', 1)[0] ?? '')));
  const whole = heads.flatMap((head) => nearestBelow(head, second, names));
  if (whole.length > 0) return whole;
  return heads.length > 0 ? heads : names.filter((name) => name.endsWith(` ${first}`));
}

function nearestBelow(head: string, word: string | undefined, names: readonly string[]): string[] {
  if (word === undefined) return [];
  const ends = names.flatMap((name) => (name.startsWith(`${head} `) ? name.slice(head.length + 1) : []));
  return nearest(word, ends).map((end) => `${head} ${end}`);
}

function usage(detail: Text, suggestions: readonly string[] = []): Fault {
  if (suggestions.length === 0) return new Fault('Usage', detail);
  const list = suggestions.join(', ');
  return new Fault('Usage', detail, {
    details: { suggestions },
    hint: { en: `Did you mean ${list}?`, zh: `您是否想输入 ${list}？` },
  });
}
