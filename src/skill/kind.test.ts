import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { findShellSyntax, kindOf } from './kind.ts';

test('003-12 a command makes the skill executable', (t) => {
  const folder = temporaryFolder(t);
  assert.equal(kindOf({ command: 'python scripts/x.py {input}' }, folder), 'command');
});

test('003-13 without a command the skill is a prompt', (t) => {
  assert.equal(kindOf({}, temporaryFolder(t)), 'prompt');
});

test('003-14 a template with a script of the skill and placeholders is a command', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, 'run.sh'), '');
  assert.equal(kindOf({ command: './run.sh {input} --opt {param}' }, folder), 'command');
  assert.equal(findShellSyntax('./run.sh {input} --opt {param} [--x {y}]'), undefined);
});

test('an entry makes it speak the protocol', (t) => {
  assert.equal(kindOf({ entry: 'x.py', command: 'x {y}' }, temporaryFolder(t)), 'protocol');
});

test('a label is only a name, unless a file of that name is there', (t) => {
  const folder = temporaryFolder(t);
  for (const command of ['/hub:board', '/ar:run now', 'gevety']) assert.equal(kindOf({ command }, folder), 'prompt');
  writeFileSync(path.join(folder, 'gevety'), '');
  assert.equal(kindOf({ command: 'gevety' }, folder), 'command');
  assert.equal(kindOf({ command: `${folder}/gevety {x}` }, folder), 'command');
});

test('shell syntax is found outside quotes', () => {
  const found: [string, string][] = [
    ['a | b', '|'],
    ['a && b', '&&'],
    ['a > b', '>'],
    ['a < b', '<'],
    ['a; b', ';'],
    ['a $(b)', '$('],
    ['a "$(b)"', '$('],
    ['a `b`', '`'],
    ['a\nb', 'a line break'],
    ['a & ', '&'],
  ];
  for (const [command, syntax] of found) assert.equal(findShellSyntax(command), syntax, command);
  for (const command of ["jq '.a | .b' {input}", 'a "x; y"', 'a $HOME/b', 'a \\| b', "a '`$('"]) {
    assert.equal(findShellSyntax(command), undefined, command);
  }
});
