// docs/cli.md has every command, argument, option and exit code, each with a description in both languages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ERRORS } from '../../src/base/error/catalogue.ts';
import type { Text } from '../../src/base/language.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import type { Command } from '../../src/cli/frame/command.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/frame/global-options.ts';
import { optionLabel, placeholder } from '../../src/cli/frame/help.ts';
import { repository } from '../support/support.ts';

const PAGE = readFileSync(path.join(repository, 'docs/cli.md'), 'utf8');
const LOADED = await Promise.all(COMMANDS.map(async (entry) => ({ entry, command: (await entry.load()).command })));

/** Where a text is missing, or the same in both languages. */
function undescribed(name: string, text: Text): string[] {
  const isSaid = text.en.trim() !== '' && /\p{Script=Han}/u.test(text.zh) && !/\p{Script=Han}/u.test(text.en);
  return isSaid ? [] : [name];
}

function partsOf({ positionals, options }: Pick<Command, 'positionals' | 'options'>) {
  return [
    ...positionals.map((one) => ({ label: placeholder(one), summary: one.summary })),
    ...options.map((one) => ({ label: optionLabel(one), summary: one.summary })),
  ];
}

/** The part of the page about one command, up to the next heading. */
function sectionOf(name: string): string {
  return PAGE.split(/^(?=#{2,3} )/m).find((part) => part.startsWith(`### ${name}\n`)) ?? '';
}

test('every command, argument and option is described in both languages', () => {
  const found = LOADED.flatMap(({ entry: { name, summary }, command }) => [
    ...undescribed(name, summary),
    ...(command.about ? undescribed(`${name}: about`, command.about) : []),
    ...partsOf(command).flatMap((part) => undescribed(`${name} ${part.label}`, part.summary)),
  ]);
  const everywhere = GLOBAL_OPTIONS.flatMap((option) => undescribed(optionLabel(option), option.summary));
  assert.deepEqual([...found, ...everywhere], []);
  assert.deepEqual(undescribed('x', { en: 'text', zh: 'text' }), ['x']);
});

test('docs/cli.md has a row for each of them, and an example for each command', () => {
  const absent = LOADED.flatMap(({ entry: { name }, command }) => {
    const section = sectionOf(name);
    const rows = partsOf(command).filter(({ label }) => !section.includes(`| \`${label}\` | `));
    const shown = command.examples.every((example) => section.includes(example) && example.includes(name));
    return [...rows.map(({ label }) => `${name} ${label}`), ...(shown ? [] : [`${name}: example`])];
  });
  assert.deepEqual(absent, []);
  const empty = PAGE.split('\n').filter((line) => /^\|.*\|\s*\|$/.test(line));
  assert.deepEqual(empty, []);
});

test('docs/cli.md explains every exit code that an error can have', () => {
  const codes = new Set(Object.values(ERRORS).map(({ exit }) => exit));
  const absent = [...codes].filter((code) => !new RegExp(`^\\| ${code} \\| \\S`, 'm').test(PAGE));
  assert.deepEqual(absent, []);
});
