// What a command is: what it takes, what it says about itself, and one function that answers with an outcome.
import type { Runtime } from '../../app/runtime.ts';
import type { Servers } from '../../app/serve/mcp-order.ts';
import type { Language, Text } from '../../base/language.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { Terminal } from '../../base/text/terminal.ts';

export interface Positional {
  readonly name: string;
  readonly required?: boolean;
  readonly many?: boolean;
  readonly choices?: readonly string[];
  /** Completed with the names of the skills there are. */
  readonly skill?: boolean;
  /** Completed with the actions of the skill before it. */
  readonly action?: boolean;
  readonly summary: Text;
}

export interface Option {
  readonly name: string;
  readonly short?: string;
  /** Another word for it, the one that a neighbouring command uses. */
  readonly also?: string;
  /** The placeholder of its value; without one it is a switch. */
  readonly value?: string;
  /** The placeholder of the value that this switch may have, behind `=` only. */
  readonly inline?: string;
  readonly many?: boolean;
  readonly choices?: readonly string[];
  /** Other words for them: taken, not listed. */
  readonly alsoTaken?: readonly string[];
  readonly summary: Text;
}

export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export interface CommandContext {
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  readonly runtime: Runtime;
  readonly terminal: Terminal;
  /** The whole table, for commands that speak about commands. */
  readonly commands: readonly CommandEntry[];
  /** Rooms beside the command line that it can start. */
  readonly servers: Servers;
}

export interface Reply {
  readonly outcome: Outcome;
  /** Below the summary line, for people; whatever came from a file has been made visible. */
  readonly human?: string;
  /** The same line by line, where it would be too long to hold at once. */
  readonly lines?: Iterable<string>;
  /** Printed alone instead of summary and body: a script, a schema, a page of help. Empty: nothing is left to print. */
  readonly document?: string;
  /** The exit code, where it is not the outcome's. */
  readonly exit?: number;
  /** A person ended it with Ctrl-C at a question. */
  readonly stopped?: boolean;
  /** What to do next; errors without one take the catalogue's. */
  readonly hint?: string;
  /** Printed on stderr, for people. */
  readonly warnings?: readonly string[];
}

export interface Command {
  readonly positionals: readonly Positional[];
  readonly options: readonly Option[];
  readonly examples: readonly [string, ...string[]];
  /** What the one-line summary of the table leaves out. */
  readonly about?: Text;
  /** The language of what is asked in a person's own words; --lang goes before it, the locale comes after it. */
  languageOf?(positionals: readonly string[]): Language | undefined;
  run(context: CommandContext): Promise<Reply>;
}

export const GROUPS = {
  skills: { en: 'Skills', zh: '技能' },
  authoring: { en: 'Authoring', zh: '编写' },
  project: { en: 'Project', zh: '项目' },
  permission: { en: 'Permissions and records', zh: '权限与记录' },
  tool: { en: 'This tool', zh: '本工具' },
} as const satisfies Record<string, Text>;

export type Group = keyof typeof GROUPS;

/** A command as the table holds it: enough to list it, and where to load it from when it is called. */
export interface CommandEntry {
  /** Two words for a subcommand. */
  readonly name: string;
  readonly group: Group;
  readonly summary: Text;
  readonly load: () => Promise<{ command: Command }>;
}

/** A command as the tables of commands write it. */
export type CommandRow = readonly [name: string, summary: Text, load: CommandEntry['load']];

export function toEntry(group: Group, [name, summary, load]: CommandRow): CommandEntry {
  return { name, group, summary, load };
}

export function textOption(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

export function listOption(options: OptionValues, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

/** Whether the answer is for a program to read. */
export function isForProgram(options: OptionValues): boolean {
  return isOn(options, 'json') || textOption(options, 'format') !== undefined;
}

export function isOn(options: OptionValues, name: string): boolean {
  return options[name] === true;
}
