import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseToolList } from './tool-list.ts';

test('words with commas or spaces, split only outside parentheses', () => {
  assert.deepEqual(parseToolList('Read, Write'), [{ tool: 'Read' }, { tool: 'Write' }]);
  assert.deepEqual(parseToolList('Read Write'), [{ tool: 'Read' }, { tool: 'Write' }]);
  assert.deepEqual(parseToolList('Bash(git commit -m, x) Read'), [
    { tool: 'Bash', pattern: 'git commit -m, x' },
    { tool: 'Read' },
  ]);
  assert.deepEqual(parseToolList('Bash(f(x)), mcp__a__*'), [{ tool: 'Bash', pattern: 'f(x)' }, { tool: 'mcp__a__*' }]);
  assert.deepEqual(parseToolList(''), []);
});

test('a list keeps the spaces of its items', () => {
  assert.deepEqual(parseToolList(['Azure MCP/documentation', 'Bash(git *)']), [
    { tool: 'Azure MCP/documentation' },
    { tool: 'Bash', pattern: 'git *' },
  ]);
  assert.deepEqual(parseToolList(['Read, Write']), [{ tool: 'Read' }, { tool: 'Write' }]);
});

test('what is not a list of tools is undefined', () => {
  for (const value of ['Bash(git', 'Bash git)', 'Bash(a)b', '(x)', '[Read, Write]', '"Read"', 'a\u0007']) {
    assert.equal(parseToolList(value), undefined, value);
  }
  for (const value of [null, undefined, 1, true, {}, [1], [null], [['Read']], [{ Bash: 'x' }]]) {
    assert.equal(parseToolList(value), undefined, JSON.stringify(value));
  }
});
