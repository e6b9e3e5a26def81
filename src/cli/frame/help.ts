// Help: the table of commands, and one page per command made from what the command says about itself.
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { type Answering, makeOutcome } from '../../base/outcome.ts';
import { paint, renderList, type Terminal, wrap } from '../../base/text/terminal.ts';
import {
  type Command,
  type CommandEntry,
  GROUPS,
  type Group,
  isOn,
  type Option,
  type Positional,
  type Reply,
} from './command.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { findCommand, findGroup } from './parse.ts';

type Paper = Pick<Terminal, 'color' | 'width'>;

const HEADINGS = {
  usage: { en: 'Usage', zh: '用法' },
  arguments: { en: 'Arguments', zh: '参数' },
  options: { en: 'Options', zh: '选项' },
  global: { en: 'Options of every command', zh: '通用选项' },
  examples: { en: 'Examples', zh: '示例' },
  subcommands: { en: 'Subcommands', zh: '子命令' },
  start: { en: 'Start here', zh: '从这里开始' },
  most: { en: 'Used most', zh: '常用命令' },
  more: { en: 'More commands', zh: '更多命令' },
} as const satisfies Record<string, Text>;

const INTRODUCTION: Text = {
  en: 'Skillwright finds Agent Skills, shows them layer by layer, runs them under a policy, and keeps a record.',
  zh: 'Skillwright 查找 Agent Skills，逐层披露，按策略执行，并留下记录。',
};

const MORE: Text = {
  en: '`skillwright help <command>` explains one command.',
  zh: '`skillwright help <命令>` 说明单个命令。',
};

const ALL: Text = {
  en: '`skillwright help <command>` explains one command, `skillwright help --all` lists all of them with the options every command takes.',
  zh: '`skillwright help <命令>` 说明单个命令；`skillwright help --all` 列出全部命令及通用选项。',
};

const START: readonly (readonly [line: string, about: Text])[] = [
  ['skillwright list', { en: 'the skills you have', zh: '已有的技能' }],
  [
    'skillwright run "convert README.md to HTML"',
    {
      en: 'ask for something; only built-in skills run without your yes',
      zh: '提出需求；仅内置技能无需您同意即可执行',
    },
  ],
  ['skillwright new my-skill', { en: 'a skill of your own that works at once', zh: '创建一个立即可用的技能' }],
];

const MOST = ['list', 'search', 'inspect', 'run', 'invoke', 'install', 'new', 'validate', 'init', 'doctor'];

export const command: Command = {
  positionals: [{ name: 'command', many: true, summary: { en: 'the command to explain', zh: '要说明的命令' } }],
  options: [{ name: 'all', summary: { en: 'list every command', zh: '列出全部命令' } }],
  examples: ['skillwright help list', 'skillwright help --all'],
  async run({ positionals, options, runtime, terminal, commands }) {
    const by = runtime.answering('skillwright', 'own');
    const group = findGroup(positionals, commands);
    if (group !== undefined) return groupHelp(group, commands, by, terminal);
    const found = findCommand(positionals, commands);
    if (!found) return isOn(options, 'all') ? wholeHelp(commands, by, terminal) : generalHelp(commands, by, terminal);
    const loaded = await found.entry.load();
    return commandHelp(found.entry, loaded.command, by, terminal);
  },
};

/** The first screen: where to begin, the ten commands people use most, and the names of the others. */
export function generalHelp(commands: readonly CommandEntry[], by: Answering, paper: Paper): Reply {
  const { language } = by;
  const most = MOST.flatMap((name) => commands.find((entry) => entry.name === name) ?? []);
  const others = (Object.keys(GROUPS) as Group[]).flatMap((group): [string, string][] => {
    const names = commands.filter((entry) => entry.group === group && !most.includes(entry)).map(({ name }) => name);
    return names.length === 0 ? [] : [[GROUPS[group][language], names.join(', ')]];
  });
  const rows = most.map(({ name, summary }): [string, string] => [name, summary[language]]);
  const document = [
    wrap(INTRODUCTION[language], paper.width).join('\n'),
    section(HEADINGS.start, renderList(inWords(START, language), paper), by, paper),
    section(HEADINGS.most, renderList(rows, paper), by, paper),
    section(HEADINGS.more, renderList(others, paper), by, paper),
    wrap(ALL[language], paper.width).join('\n'),
  ].join('\n\n');
  return listing(commands, document, by);
}

function inWords(rows: typeof START, language: Language): [string, string][] {
  return rows.map(([line, about]) => [line, about[language]]);
}

function wholeHelp(commands: readonly CommandEntry[], by: Answering, paper: Paper): Reply {
  const { language } = by;
  const groups = (Object.keys(GROUPS) as Group[]).map((group) => {
    const entries = commands.filter((entry) => entry.group === group);
    return section(
      GROUPS[group],
      renderList(
        entries.map((entry) => [entry.name, entry.summary[language]]),
        paper,
      ),
      by,
      paper,
    );
  });
  const document = [
    wrap(INTRODUCTION[language], paper.width).join('\n'),
    section(HEADINGS.usage, '  skillwright <command> [arguments] [options]', by, paper),
    ...groups,
    section(HEADINGS.global, optionList(GLOBAL_OPTIONS, language, paper), by, paper),
    MORE[language],
  ].join('\n\n');
  return listing(commands, document, by);
}

function listing(commands: readonly CommandEntry[], document: string, by: Answering): Reply {
  const listed = commands.map(({ name, group, summary }) => ({ name, group, summary: summary[by.language] }));
  return { outcome: makeOutcome(by, 'success', { en: 'help', zh: '帮助' }, { commands: listed }), document };
}

/** The commands whose names begin with one word. */
export function groupHelp(group: string, commands: readonly CommandEntry[], by: Answering, paper: Paper): Reply {
  const { language } = by;
  const below = commands.filter(({ name }) => name.startsWith(`${group} `));
  const usage = `skillwright ${group} <subcommand>`;
  const rows = below.map(({ name, summary }): [string, string] => [name, summary[language]]);
  const document = [
    section(HEADINGS.usage, `  ${usage}`, by, paper),
    section(HEADINGS.subcommands, renderList(rows, paper), by, paper),
    wrap(MORE[language], paper.width).join('\n'),
  ].join('\n\n');
  const listed = below.map(({ name, summary }) => ({ name, summary: summary[language] }));
  return { outcome: makeOutcome(by, 'success', usage, { command: group, usage, commands: listed }), document };
}

export function commandHelp(entry: CommandEntry, command: Command, by: Answering, paper: Paper): Reply {
  const { language } = by;
  const usage = usageLine(entry.name, command);
  const own = command.options.map(({ name }) => name);
  const shared = GLOBAL_OPTIONS.filter(({ name }) => !own.includes(name));
  const about = command.about ? [entry.summary, command.about] : [entry.summary];
  const parts = [
    about.map((text) => wrap(text[language], paper.width).join('\n')).join('\n\n'),
    section(HEADINGS.usage, `  ${usage}`, by, paper),
    command.positionals.length > 0 &&
      section(
        HEADINGS.arguments,
        renderList(
          command.positionals.map((one) => argumentRow(one, language)),
          paper,
        ),
        by,
        paper,
      ),
    command.options.length > 0 && section(HEADINGS.options, optionList(command.options, language, paper), by, paper),
    section(HEADINGS.examples, command.examples.map((example) => renderExample(example, paper)).join('\n'), by, paper),
    section(HEADINGS.global, optionList(shared, language, paper), by, paper),
  ];
  const data = { command: entry.name, usage, summary: entry.summary[language], examples: command.examples };
  return { outcome: makeOutcome(by, 'success', usage, data), document: parts.filter(Boolean).join('\n\n') };
}

export function usageLine(name: string, command: Command): string {
  const words = command.positionals.map(placeholder);
  return ['skillwright', name, ...words, ...(command.options.length > 0 ? ['[options]'] : [])].join(' ');
}

export function placeholder({ name, required, many }: Positional): string {
  const word = many ? `${name}…` : name;
  return required ? `<${word}>` : `[${word}]`;
}

export function optionLabel({ name, short, also, value, inline }: Option): string {
  return `${short ? `-${short}, ` : ''}--${name}${also ? `, --${also}` : ''}${value ? ` ${value}` : ''}${inline ? `[=${inline}]` : ''}`;
}

export function explanation({ summary, choices }: Option | Positional, language: Language): string {
  const text = inLanguage(summary, language);
  return choices ? `${text} (${choices.join(', ')})` : text;
}

/** Broken so that a shell still reads it as one command. */
function renderExample(example: string, { width }: Paper): string {
  return wrap(example, width - 6)
    .map((line, at) => (at === 0 ? `  ${line}` : `    ${line}`))
    .join(' \\\n');
}

function optionList(options: readonly Option[], language: Language, paper: Paper): string {
  return renderList(
    options.map((option) => [optionLabel(option), explanation(option, language)]),
    paper,
  );
}

function argumentRow(positional: Positional, language: Language): [string, string] {
  return [placeholder(positional), explanation(positional, language)];
}

function section(title: Text, body: string, { language }: Answering, paper: Paper): string {
  return `${paint(title[language], 'bold', paper)}\n${body}`;
}
