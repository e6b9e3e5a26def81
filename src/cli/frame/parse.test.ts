import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../base/errors.ts';
import type { Command } from './command.ts';
import { findCommand, findGroup, parseArguments, readGlobalOptions } from './parse.ts';

const table = ['list', 'new', 'inspect', 'grants add', 'grants list', 'jobs', 'jobs run'].map((name) => ({ name }));
const text = { en: '', zh: '' };

const command: Command = {
  positionals: [
    { name: 'skill', required: true, summary: text },
    { name: 'rest', many: true, summary: text },
  ],
  options: [
    { name: 'source', short: 's', value: 'SOURCE', choices: ['project', 'user'], summary: text },
    { name: 'lang', value: 'LANG', many: true, choices: ['python', 'en', 'zh'], summary: text },
    { name: 'all', summary: text },
  ],
  examples: ['x'],
  run: () => Promise.reject(new Error('not run')),
};

function faultOf(action: () => unknown): Fault {
  try {
    action();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error('nothing was refused');
}

test('global options stand before or behind the command', () => {
  for (const args of [
    ['--json', '-C', 'dir', 'list', '--all'],
    ['list', '--json', '--all', '--project=dir'],
    ['--project', 'dir', 'list', '--json', '--all'],
  ]) {
    const found = findCommand(args, table);
    assert.equal(found?.entry.name, 'list');
    assert.ok(!found?.rest.includes('list'));
    assert.equal(readGlobalOptions(args).json, true);
    assert.equal(readGlobalOptions(args).project, 'dir');
  }
});

test('a subcommand is two words, the longest name wins', () => {
  assert.deepEqual(findCommand(['jobs', 'run', 'x'], table), { entry: { name: 'jobs run' }, rest: ['x'] });
  assert.deepEqual(findCommand(['jobs', 'x'], table), { entry: { name: 'jobs' }, rest: ['x'] });
  const fault = faultOf(() => findCommand(['grants', 'lst'], table));
  assert.match(fault.message, /needs a subcommand: grants add, grants list/);
  assert.deepEqual(fault.details?.suggestions, ['grants list']);
});

test('without a command there is none', () => {
  assert.equal(findCommand([], table), undefined);
  assert.equal(findCommand(['--json', '--', 'list'], table), undefined);
});

test('unknown words are answered with what was meant', () => {
  assert.match(faultOf(() => findCommand(['lsit'], table)).hint.en, /Did you mean list/);
  const suggested = (...args: string[]) => faultOf(() => findCommand(args, table)).details?.suggestions;
  assert.deepEqual(suggested('grant', 'list'), ['grants list']);
  assert.deepEqual(suggested('grant', 'skills'), ['grants']);
  assert.deepEqual(suggested('grant'), ['grants']);
  assert.deepEqual(suggested('add'), ['grants add']);
  assert.match(faultOf(() => parseArguments(['x', '--sorce', 'user'], command)).hint.zh, /--source/);
  assert.match(faultOf(() => parseArguments(['x', '--source=usr'], command)).hint.en, /Did you mean user/);
  assert.match(faultOf(() => findCommand(['--jsn', 'list'], table)).message, /unknown option: --jsn/);
});

test('every mistake is a usage error', () => {
  const mistakes: [string[], RegExp][] = [
    [[], /missing argument: <skill>/],
    [['x', '--source'], /--source needs a value/],
    [['x', '--source', '--all'], /--source needs a value/],
    [['x', '--all=yes'], /--all takes no value/],
    [['x', '--format', 'xml'], /--format cannot be xml: choose human, json, compact/],
    [['x', '-q'], /unknown option: -q/],
    [['x', '--\u001b[2J'], /unknown option: --\\u\{1b\}/],
  ];
  for (const [args, message] of mistakes) {
    const fault = faultOf(() => parseArguments(args, command));
    assert.equal(fault.type, 'Usage');
    assert.match(fault.message, message);
  }
  const narrow = { ...command, positionals: [] };
  assert.match(faultOf(() => parseArguments(['extra'], narrow)).message, /one argument too many: extra/);
});

test('values, switches, repeated options and words behind -- arrive as given', () => {
  const parsed = parseArguments(
    ['x', '-s', 'user', '--all', '--lang', 'python', '--lang=zh', '-', 'k=v', '--', '--all', '-z'],
    command,
  );
  assert.deepEqual(parsed.positionals, ['x', '-', 'k=v', '--all', '-z']);
  assert.deepEqual({ ...parsed.options }, { source: 'user', all: true, lang: ['python', 'zh'] });
});

test('--help needs no arguments', () => {
  assert.equal(parseArguments(['--help'], command).options.help, true);
});

test('names of the prototype are ordinary unknown words', () => {
  assert.throws(() => findCommand(['constructor'], table), Fault);
  assert.throws(() => parseArguments(['x', '--__proto__', '--toString'], command), Fault);
});

test('a word that only begins names of commands is a group', () => {
  assert.equal(findGroup(['grants', '--help'], table), 'grants');
  assert.equal(findGroup(['--json', 'grants', 'nothing'], table), 'grants');
  for (const args of [['grants', 'list'], ['jobs'], ['list'], ['unknown'], []])
    assert.equal(findGroup(args, table), undefined);
});

test('a word with a dash is answered with how to write it; a number below zero is a value', () => {
  assert.match(faultOf(() => parseArguments(['-dash.md'], command)).hint.en, /Put -- before .*\.\/-name/);
  assert.match(faultOf(() => parseArguments(['x', '--source', '-1'], command)).message, /--source cannot be -1/);
});
