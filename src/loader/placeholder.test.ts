import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentsOf, givenArguments } from './argument.ts';
import { fillPlaceholders, unplaced } from './placeholder.ts';

const fill = (text: string, line = 'two words', names: readonly string[] = []) =>
  fillPlaceholders(text, { skillFolder: '/s/pdf', arguments: argumentsOf(line, declare(names)) });

const declare = (names: readonly string[]) => ({
  params: names.map((name) => ({ name, type: 'string' as const, required: false })),
});

test('the folder and the whole line are filled in, near relatives are left alone', () => {
  const cases: [text: string, filled: string][] = [
    [`run $${'{CLAUDE_SKILL_DIR}'}/a.py`, 'run /s/pdf/a.py'],
    [`run $${'{SKILL_DIR}'}/a.py`, 'run /s/pdf/a.py'],
    [`run $${'{CLAUDE_PLUGIN_ROOT}'}/a.py`, 'run /s/pdf/a.py'],
    [`run $${'{CLAUDE_PLUGIN_ROOT}'}/skills/pdf/a.py`, 'run /s/pdf/a.py'],
    ['run {baseDir}/a.py', 'run /s/pdf/a.py'],
    ['run $SKILL_DIR/a.py', 'run /s/pdf/a.py'],
    ['for $ARGUMENTS.', 'for two words.'],
    [`keep $${'{baseDir}'}`, `keep $${'{baseDir}'}`],
    ['keep $SKILL_DIRECTORY $ARGUMENTS_X $HOME {basedir}', 'keep $SKILL_DIRECTORY $ARGUMENTS_X $HOME {basedir}'],
  ];
  for (const [text, filled] of cases) assert.equal(fill(text), filled);
});

test('words are filled in by place and by declared name; a place without a word and a program keep theirs', () => {
  assert.equal(fill(`$1, $${'{2}'}, $3, $10`), 'two, words, $3, $10');
  assert.equal(fill('$ARGUMENTS[0] $ARGUMENTS[1] $ARGUMENTS[2]'), 'two words $ARGUMENTS[2]');
  assert.equal(fill('from $from to $to', '"one tag" v2', ['from', 'to']), 'from one tag to v2');
  assert.equal(fill("awk '{print $1}' $1\n$2"), "awk '{print $1}' two\nwords");
});

test('what a text has no place for is left over', () => {
  const given = givenArguments(
    { input: 'a', more: ['b c'], params: { 3: 'd', env: 'e', n: 4 } },
    declare(['x', 'y', 'z', 'env']),
  );
  assert.equal(given.line, 'a b c d e n=4');
  assert.deepEqual(unplaced('$1 $y', given), ['d', 'e', 'n=4']);
  assert.deepEqual(unplaced('$3 $env', given), ['a', 'b c', 'n=4']);
  assert.deepEqual(unplaced('all: $ARGUMENTS', given), []);
});

test('a value is never read again, and replacement patterns in it mean nothing', () => {
  assert.equal(fill('$ARGUMENTS', '$SKILL_DIR $& $1'), '$SKILL_DIR $& $1');
  assert.equal(fillPlaceholders('[$ARGUMENTS]', { skillFolder: '/s' }), '[]');
});
