import assert from 'node:assert/strict';
import test from 'node:test';
import { tokenize } from './tokenize.ts';

function terms(text: string): string[] {
  return tokenize(text).map(({ term }) => term);
}

test('Latin words are lower-cased, stemmed and freed of stop words', () => {
  assert.deepEqual(terms('The converters are Converting it'), ['convert', 'convert']);
  assert.deepEqual(terms("don't use the user's files"), ['use', 'user', 'file']);
});

test('identifiers count as a whole and in parts', () => {
  assert.deepEqual(terms('parseHTMLFile'), ['parsehtmlfil', 'pars', 'html', 'file']);
  assert.deepEqual(terms('snake_case kebab-case dotted.name'), ['snake', 'case', 'kebab', 'case', 'dot', 'name']);
  assert.deepEqual(
    tokenize('GraphQL').map(({ kind }) => kind),
    ['word', 'part', 'part'],
  );
});

test('the plural of an acronym is the acronym', () => {
  assert.deepEqual(terms('GPUs APIs'), ['gpu', 'api']);
});

test('Chinese, Japanese and Korean become pairs of characters', () => {
  assert.deepEqual(terms('数据分析'), ['数据', '据分', '分析']);
  assert.deepEqual(terms('データ'), ['デー', 'ータ']);
  assert.deepEqual(terms('번역해'), ['번역', '역해']);
  assert.deepEqual(terms('用pdf工具。好'), ['用', 'pdf', '工具', '好']);
});

test('numbers are marked, and surfaces are the words as written', () => {
  const tokens = tokenize('Release 42 Notes');
  assert.deepEqual(
    tokens.map(({ surface, kind }) => [surface, kind]),
    [
      ['Release', 'word'],
      ['42', 'number'],
      ['Notes', 'word'],
    ],
  );
});

test('broken and empty text yields no terms', () => {
  for (const text of ['', '   ', '…—!?', '\ud800', '\u0000']) assert.deepEqual(terms(text), []);
});
