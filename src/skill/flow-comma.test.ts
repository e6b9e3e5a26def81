import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { repository } from '../../test/support/support.ts';
import { findCutTexts } from './flow-comma.ts';
import { lintSkill } from './lint/lint.ts';

const cut = (text: string) => findCutTexts(text).map(({ key, meant, line }) => [key, meant, line]);

test('a text that goes on behind a comma is found with all of it, wherever the map stands', () => {
  assert.deepEqual(cut('a: {type: string, description: joined by and, or free text}\n'), [
    ['description', 'joined by and, or free text', 0],
  ]);
  assert.deepEqual(cut('params:\n  x: {description: one, two, three, type: file}\n'), [
    ['description', 'one, two, three', 1],
  ]);
  assert.deepEqual(cut('a:\n  - {d: x, y}\n  - b: {c: {d: p, q}, e: [1, {f: r, s}]}\n'), [
    ['d', 'x, y', 1],
    ['d', 'p, q', 2],
    ['f', 'r, s', 2],
  ]);
  assert.deepEqual(cut('a: {d: x\n  , y, e: z}\n'), [['d', 'x, y', 1]]);
});

test('sets, lists, quotes, empty values, other numbers and text with braces are nothing cut', () => {
  for (const text of [
    'a: {b, c}\n',
    'a: {d: [x, y], e: {f: g}}\n',
    'a: {d: "x, y", e: \'p, q\'}\n',
    'a: {d: x, e: , f: ~, g: null, h:}\n',
    'a: {d: 7, e}\n',
    'a: run {x, y}\nb: |\n  {d: x, y}\n',
    'a:\n  b:\n  c: {}\n',
    'a: {unclosed: x, y\n',
    'plain, text\n',
  ]) {
    assert.deepEqual(cut(text), [], text);
  }
});

test('a cut text is a warning, an error for those who publish, and comes with the text in quotes', () => {
  const text = '---\nname: a\ndescription: b\nparams:\n  q: {description: one, two}\n---\n';
  for (const [profile, severity] of [
    ['lenient', 'warning'],
    ['strict', 'error'],
  ] as const) {
    const found = lintSkill(text, { path: 'a/SKILL.md', folderName: 'a', profile, maxBodyLines: 500 });
    const [one] = found.filter(({ code }) => code === 'flow-comma');
    assert.deepEqual([one?.severity, one?.line, one?.fix], [severity, 5, 'description: "one, two"']);
  }
});

test('nothing that is shipped has a text that is cut', () => {
  const files = globSync(['skills/*/SKILL.md', 'src/cli/templates/**/SKILL.md'], { cwd: repository });
  assert.ok(files.length >= 5);
  for (const file of files) {
    const text = readFileSync(path.join(repository, file), 'utf8');
    assert.deepEqual(cut(text.split('\n---\n')[0] ?? ''), [], file);
  }
});
