// What can stand where on the command line, in the form the completion scripts are written from.
import type { CommandEntry, Option } from '../frame/command.ts';
import { GLOBAL_OPTIONS } from '../frame/global-options.ts';

export interface Vocabulary {
  readonly commands: readonly CommandWords[];
  /** Options that take a value, for skipping it when the command is looked for. */
  readonly valued: readonly string[];
  /** Flags that may stand before any command. */
  readonly flags: readonly string[];
  /** Words that begin names of several commands, with what follows them. */
  readonly groups: readonly CommandGroup[];
}

export interface CommandGroup {
  readonly name: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
}

export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionWords[];
  /** Choices of its arguments. */
  readonly choices: readonly string[];
  readonly skills: boolean;
  /** The second argument is an action of the skill that is the first. */
  readonly actions: boolean;
}

export interface OptionWords {
  /** `--name` and, where there is one, `-n`. */
  readonly flags: readonly string[];
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly summary: string;
}

export async function buildVocabulary(table: readonly CommandEntry[]): Promise<Vocabulary> {
  const commands = await Promise.all(table.map((entry) => describeCommand(entry, table)));
  const valued = GLOBAL_OPTIONS.filter(({ value }) => value).flatMap((option) => describeOption(option).flags);
  const flags = GLOBAL_OPTIONS.flatMap((option) => describeOption(option).flags);
  return { commands, valued, flags, groups: groupCommands(commands) };
}

function groupCommands(commands: readonly CommandWords[]): CommandGroup[] {
  const nested = commands.filter(({ name }) => name.includes(' '));
  const byFirst = Map.groupBy(nested, ({ name }) => name.slice(0, name.indexOf(' ')));
  return [...byFirst].map(([name, members]) => ({
    name,
    commands: members.map((one) => ({ name: one.name.slice(name.length + 1), summary: one.summary })),
  }));
}

async function describeCommand(entry: CommandEntry, table: readonly CommandEntry[]): Promise<CommandWords> {
  const { command } = await entry.load();
  const own = command.options.map(({ name }) => name);
  const options = [...command.options, ...GLOBAL_OPTIONS.filter(({ name }) => !own.includes(name))];
  const names = entry.name === 'help' ? table.map(({ name }) => name) : [];
  return {
    name: entry.name,
    summary: entry.summary.en,
    options: options.map(describeOption),
    choices: [...names, ...command.positionals.flatMap(({ choices = [] }) => choices)],
    skills: command.positionals.some(({ skill }) => skill),
    actions: command.positionals.some(({ action }) => action),
  };
}

function describeOption({ name, short, value, choices = [], summary }: Option): OptionWords {
  return {
    flags: short ? [`--${name}`, `-${short}`] : [`--${name}`],
    takesValue: value !== undefined,
    choices,
    summary: summary.en,
  };
}
