// Hostile values as parameters: the script sees the literal value, or the call is refused before anything runs.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import type { OpenDoor } from '../../src/app/open-door.ts';
import type { Outcome } from '../../src/base/outcome.ts';
import { fillTemplate, parseTemplate } from '../../src/skill/template.ts';
import { call, door, invoke, makeProject, responseOf, skillFiles } from '../support/door-support.ts';
import { git, treeOf } from '../support/install-support.ts';
import { count } from '../support/support.ts';

const SHELL = [
  '; rm -rf /',
  '$(id)',
  '`id`',
  '| sh',
  '&& id',
  '|| id',
  '> /etc/x',
  '< /etc/passwd',
  '& id',
  '\\',
  "'",
  '"',
];
const EXPAND = [
  '$HOME',
  '\u0024{IFS}id',
  '*',
  '?',
  '[a-z]',
  '{a,b}',
  '~',
  '~root',
  '!!',
  '#',
  '%s%n',
  '$((1+1))',
  '<(id)',
];
const OPTIONS = [
  '-c',
  '--help',
  '--output=/etc/x',
  '-',
  '--',
  '-rf',
  '-e',
  '--eval=1',
  '-oProxyCommand=id',
  '--exec',
  '-x=1',
];
const SPACES = ['', ' ', '  a  ', '\t', '\n', 'a\nb', 'a\r\nb', '\u00a0', '\u2003', '\v', '\f', 'a\n-c\nb', '\n-rf'];
const HIDDEN = [
  '\u202eabc',
  '\u200b',
  '\u2066x\u2069',
  '\u001b[2J',
  '\u009b31m',
  '\ufeff',
  '\u{e0041}',
  '\u0007',
  '\u2028',
  '\ufe0f',
];
const UNICODE = [
  '技能',
  '🤖',
  'é',
  'e\u0301',
  '\u0130',
  'ß',
  '\uffff',
  '\ufffd',
  '\u{10ffff}',
  '\ud800',
  'a\udc00',
  'Ａ',
];
const PATHS = [
  '../../etc/passwd',
  '/etc/shadow',
  'file:///etc/passwd',
  '.',
  '..',
  '//',
  'a/../../b',
  'C:\\x',
  '\\\\host\\x',
  './-c',
];
const TEMPLATES = [
  '{input}',
  '{output}',
  '[--x {y}]',
  '\u0024{CLAUDE_SKILL_DIR}',
  '{baseDir}',
  '$ARGUMENTS',
  '$SKILL_DIR',
  '{{x}}',
  '%{x}',
];
const CODE = [
  '__proto__',
  'constructor',
  'null',
  'NaN',
  'true',
  '1e999',
  '-1',
  '0x10',
  '{"a":1}',
  '[1]',
  '";import os;"',
  "'; DROP TABLE x;--",
];
const ZERO = ['\0', 'a\0b', '\0-c', 'x\0'];
const LONG = [
  'x'.repeat(1000),
  'x'.repeat(100_000),
  'x'.repeat(1_000_000),
  '技'.repeat(50_000),
  '-'.repeat(2000),
  ' '.repeat(70_000),
];

const BASE = [
  ...SHELL,
  ...EXPAND,
  ...OPTIONS,
  ...SPACES,
  ...HIDDEN,
  ...UNICODE,
  ...PATHS,
  ...TEMPLATES,
  ...CODE,
  ...ZERO,
  ...LONG,
];
/** Every base value as it is, and most of them dressed up as something else. */
const VALUES = [
  ...BASE,
  ...BASE.filter((value) => value.length < 100).flatMap((value) => [`a${value}`, `${value} b`, `x=${value}`]),
];

/** Long values must arrive in few calls: 300 of them share one script. */
const ECHO = 'import json, sys\nprint(json.dumps(sys.argv[1:]))\n';
const PROTOCOL =
  'import json, sys\nr = json.load(sys.stdin)\nprint(json.dumps({"success": True, "action": r["action"], "data": r["params"]}))\n';

test('threat 34 blocked: 300 hostile values through a command are seen as they are, or refused before it runs', async (t) => {
  assert.ok(VALUES.length >= 300, String(VALUES.length));
  const project = makeProject(
    t,
    skillFiles('echo', 'name: echo\ndescription: x\ncommand: python echo.py {value} --opt={value} [{group}]', {
      'echo.py': ECHO,
    }),
  );
  const open = await door(project);
  const seen = { literal: 0, refused: 0 };
  for (const value of sampled()) {
    const outcome = await invoke(open, 'echo', { value, group: `g${value}` });
    if (outcome.state === 'success') {
      assert.deepEqual(
        JSON.parse(String(outcome.data.stdout)),
        [value, `--opt=${value}`, `g${value}`],
        JSON.stringify(value),
      );
      seen.literal++;
    } else {
      assertRefused(outcome, value);
      seen.refused++;
    }
  }
  assert.ok(seen.literal > seen.refused && seen.refused > 0);
  assert.equal(startedCalls(open), seen.literal);
});

test('threat 34 control: without the rule about dashes the value becomes an option', () => {
  const template = parseTemplate('convert {value}', '/skill');
  const values = new Map([['value', '--output=/etc/x']]);
  assert.throws(() => fillTemplate(template, { values, allowsDash: () => false }), /may not begin with -/);
  const words = fillTemplate(template, { values, allowsDash: () => true }).map(({ text }) => text);
  assert.equal(parseArgs({ args: words.slice(1), options: { output: { type: 'string' } } }).values.output, '/etc/x');
});

test('hostile values as parameters of an action arrive as JSON on stdin, whatever they hold', async (t) => {
  const project = makeProject(
    t,
    skillFiles('echo', 'name: echo\ndescription: x\nentry: echo.py', { 'echo.py': PROTOCOL }),
  );
  const open = await door(project);
  const whole = VALUES.filter((value) => value.isWellFormed());
  const params = Object.fromEntries(whole.map((value, index) => [`p${index}`, value]));
  const outcome = await call(open, 'echo', 'x', params);
  assert.equal(outcome.state, 'success', outcome.summary);
  assert.deepEqual({ ...(responseOf(outcome).data as object) }, params);
});

/** Every built-in skill, with the value wherever it takes text. */
const BUILT_IN: Record<string, (open: OpenDoor, value: string) => Promise<Outcome>> = {
  'markdown-converter': (open, value) =>
    invoke(open, '@markdown-converter', {
      input: 'README.md',
      title: value,
      lang: value,
      output: 'mybox/output/a.html',
    }),
  'git-changelog': (open, value) => invoke(open, '@git-changelog', { title: value, output: 'mybox/output/log.md' }),
  'csv-insights': (open, value) =>
    call(open, 'csv-insights', 'analyze', { target: 'data.csv', query: value, measure: value }),
  'build-analysis': (open, value) => call(open, 'build-analysis', 'analyze', { target: value }),
  'skill-author': (open, value) => invoke(open, '@skill-author', { input: value }),
};
/** Where the value names what is read: there is an answer only where something of that very name lies. */
const NAMES_FILE = new Set(['build-analysis']);
/** Where the value can be found again. */
const SHOWN: Record<string, (project: string) => string> = {
  'markdown-converter': (project) =>
    unescapeHtml(
      /<title>([\s\S]*?)<\/title>/.exec(readFileSync(path.join(project, 'mybox/output/a.html'), 'utf8'))?.[1],
    ),
};

for (const [name, run] of Object.entries(BUILT_IN)) {
  test(`threat 34 blocked: 300 hostile values through ${name} are taken literally or refused, and touch nothing`, async (t) => {
    const project = makeProject(t, { 'README.md': '# hi\n', 'data.csv': 'day,sales\n2026-01-01,3\n2026-01-02,4\n' });
    git(project, 'init', '--quiet');
    git(project, 'add', 'README.md');
    git(project, 'commit', '--quiet', '-m', 'feat: first');
    const open = await door(project);
    const before = projectTree(project);
    const states = new Set<string>();
    for (const value of VALUES.filter((_, index) => index % count(1, 24) === 0)) {
      const outcome = await run(open, value);
      const shown = JSON.stringify(value.slice(0, 50));
      assert.ok(['success', 'error', 'pending'].includes(outcome.state), `${shown}: ${outcome.summary}`);
      assert.ok(
        outcome.data.code !== 'INTERNAL' && outcome.data.code !== 'INTERNAL_ERROR',
        `${shown}: ${outcome.summary}`,
      );
      if (outcome.state === 'success' && SHOWN[name] && value !== '') assert.equal(SHOWN[name](project), value, shown);
      if (outcome.state === 'success' && NAMES_FILE.has(name))
        assert.ok(existsSync(path.resolve(project, value)), shown);
      states.add(outcome.state);
    }
    // An odd title is a title; an odd column is none, and a path such as `..` is whatever lies there.
    if (!NAMES_FILE.has(name)) assert.equal(states.has('success'), name !== 'csv-insights');
    assert.equal(projectTree(project), before);
  });
}

function projectTree(project: string): string {
  return treeOf(project)
    .split('\n')
    .filter((line) => !/^(?:\.agent|mybox)\//.test(line))
    .join('\n');
}

function unescapeHtml(text = ''): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
  return text.replace(/&(#?\w+);/g, (whole, name: string) => characters[name] ?? whole);
}

/** A short run takes every fourth of the dressed-up values, and all plain ones. */
function sampled(): string[] {
  return VALUES.filter((_, index) => index < BASE.length || index % count(1, 6) === 0);
}

function assertRefused({ data, summary }: Outcome, value: string): void {
  assert.equal(data.type, 'ParamInvalid', `${JSON.stringify(value.slice(0, 50))}: ${summary}`);
  const isReason = value.startsWith('-') || value.includes('\0') || !value.isWellFormed() || value.length > 40_000;
  assert.ok(isReason, JSON.stringify(value.slice(0, 50)));
}

function startedCalls(open: OpenDoor): number {
  const events = readFileSync(path.join(open.begin().folder, 'events.jsonl'), 'utf8');
  return events.match(/"type":"call-intent"/g)?.length ?? 0;
}
