import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillPlaceholders } from './placeholder.ts';

test('the four placeholders are filled, their near relatives are left alone', () => {
  const cases: [text: string, filled: string][] = [
    [`run $${'{CLAUDE_SKILL_DIR}'}/a.py`, 'run /s/a.py'],
    ['run {baseDir}/a.py', 'run /s/a.py'],
    ['run $SKILL_DIR/a.py', 'run /s/a.py'],
    ['for $ARGUMENTS.', 'for two words.'],
    [`keep $${'{baseDir}'}`, `keep $${'{baseDir}'}`],
    [
      'keep $SKILL_DIRECTORY $ARGUMENTS_X $ARGUMENTS[0] $HOME {basedir}',
      'keep $SKILL_DIRECTORY $ARGUMENTS_X $ARGUMENTS[0] $HOME {basedir}',
    ],
  ];
  for (const [text, filled] of cases) {
    assert.equal(fillPlaceholders(text, { skillFolder: '/s', arguments: 'two words' }), filled);
  }
});

test('a value is never read again, and replacement patterns in it mean nothing', () => {
  assert.equal(
    fillPlaceholders('$ARGUMENTS', { skillFolder: '/s', arguments: '$SKILL_DIR $& $1' }),
    '$SKILL_DIR $& $1',
  );
  assert.equal(fillPlaceholders('[$ARGUMENTS]', { skillFolder: '/s' }), '[]');
});
