// Writes docs/cli.md, docs/tools.md, docs/errors.md, docs/api.md and docs/map.md from the code; with --check it only compares, and fails where they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ERRORS } from '../src/base/error/catalogue.ts';
import type { ErrorKind } from '../src/base/error/kind.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { ALIASES } from '../src/cli/frame/alias.ts';
import { type Command, type CommandEntry, GROUPS, type Group, type Option } from '../src/cli/frame/command.ts';
import { GLOBAL_OPTIONS } from '../src/cli/frame/global-options.ts';
import { explanation, optionLabel, placeholder, usageLine } from '../src/cli/frame/help.ts';
import { argumentNames } from '../src/tools/describe.ts';
import { TOOLS } from '../src/tools/list.ts';
import { renderApi } from './api/page.ts';
import { renderMap } from './map.ts';

const NOTICE = '<!-- Written by `npm run docs`; edit the code instead. -->';
const root = path.dirname(import.meta.dirname);
const EXIT_CODES = `| exit code | means |
|---|---|
| 0 | success |
| 1 | error |
| 2 | usage: the command was not understood |
| 3 | pending: something is missing before it can be done |
| 4 | interrupted: a decision is needed; the outcome names the command that gives it |
| 5 | timeout |
| 6 | partial |
| 130 | Ctrl-C at a question |`;

if (import.meta.main) await main(process.argv.includes('--check'));

async function main(checkOnly: boolean): Promise<void> {
  const pages = await renderPages();
  for (const [name, text] of Object.entries(pages)) {
    const file = path.join(root, name);
    if (!checkOnly) writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text) {
      console.error(`${name} is out of date: run npm run docs`);
      process.exitCode = 1;
    }
  }
}

export async function renderPages(): Promise<Record<string, string>> {
  return {
    'docs/cli.md': await renderCommands(),
    'docs/tools.md': renderTools(),
    'docs/errors.md': renderErrors(),
    'docs/api.md': renderApi(root, NOTICE),
    'docs/map.md': renderMap(root, NOTICE),
  };
}

async function renderCommands(): Promise<string> {
  const groups = (Object.keys(GROUPS) as Group[]).map(async (group) => {
    const entries = COMMANDS.filter((entry) => entry.group === group);
    const pages = await Promise.all(entries.map(async (entry) => renderCommand(entry, (await entry.load()).command)));
    return `## ${GROUPS[group].en}\n\n${pages.join('\n\n')}`;
  });
  return `${[
    '# Commands',
    NOTICE,
    'Every command answers with one outcome: state, summary, data, meta. `--json` prints it whole, `--format compact` on two lines, and the default is for people, on a terminal and in a pipe alike.',
    EXIT_CODES,
    ...(await Promise.all(groups)),
    `## Words of other tools\n\n| word | does |\n|---|---|\n${[...ALIASES].map(([word, name]) => `| \`${word}\` | \`${name}\` |`).join('\n')}`,
    `## Options of every command\n\n${optionTable(GLOBAL_OPTIONS)}`,
  ].join('\n\n')}\n`;
}

function renderCommand(entry: CommandEntry, command: Command): string {
  const rows = command.positionals.map((one) => `| \`${placeholder(one)}\` | ${cell(explanation(one, 'en'))} |`);
  return [
    `### ${entry.name}`,
    `${entry.summary.en}.${command.about ? ` ${command.about.en}` : ''}`,
    `\`\`\`sh\n${usageLine(entry.name, command)}\n\`\`\``,
    rows.length > 0 && `| argument | meaning |\n|---|---|\n${rows.join('\n')}`,
    command.options.length > 0 && optionTable(command.options),
    `Examples:\n\n\`\`\`sh\n${command.examples.join('\n')}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function optionTable(options: readonly Option[]): string {
  const rows = options.map((option) => `| \`${optionLabel(option)}\` | ${cell(explanation(option, 'en'))} |`);
  return `| option | meaning |\n|---|---|\n${rows.join('\n')}`;
}

function renderTools(): string {
  const rows = TOOLS.map((tool) => {
    const { name, risk, paths, aliases, remark = '' } = tool;
    const files = paths.map((one) => `${one.name}: ${one.does.join(', ')}`).join('; ');
    const taken = argumentNames(tool, z).join(', ');
    const cells = [risk, risk === 'low' ? 'allowed' : 'asks', taken, files, aliases.join(', '), remark].map(cell);
    return `| \`${name}\` | ${cells.join(' | ')} |`;
  });
  return `${[
    '# Tools',
    NOTICE,
    'The tools that skills, roles and settings can name. Policy, lists of tools and grants see every path a call names, with what happens to it: settings that deny, or ask about, `write_file` or `delete_file` hold for any tool that writes or deletes, and a pattern has to cover each of its paths. `run_script` is an action of its own. The other names are those of other agents, in any spelling (`MultiEdit`, `multi-edit`).',
    `| tool | risk | by default | arguments | what happens to a path | other names | more |\n|---|---|---|---|---|---|---|\n${rows.join('\n')}`,
  ].join('\n\n')}\n`;
}

function renderErrors(): string {
  const rows = (Object.entries(ERRORS) as [string, ErrorKind][]).map(([type, kind]) => {
    const others = [kind.task, ...(kind.aliases ?? [])].filter((name) => name !== undefined).join(', ');
    const recoverable = kind.recoverable === null ? 'depends' : kind.recoverable ? 'yes' : 'no';
    const texts = `${cell(kind.summary.en)} · ${cell(kind.summary.zh)} | ${cell(kind.hint.en)}`;
    return `| \`${type}\` | \`${kind.code}\` | ${others} | ${recoverable} | ${kind.exit} | ${texts} |`;
  });
  return `${[
    '# Errors',
    NOTICE,
    'Each failure has one entry. `type` is its name on this tool and when a skill is invoked; where a worker answers, the name under "also" is used; `code` is the same everywhere. `{detail}` stands for what happened this time.',
    `| type | code | also | trying again can help | exit | summary | what to do |\n|---|---|---|---|---|---|---|\n${rows.join('\n')}`,
  ].join('\n\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
