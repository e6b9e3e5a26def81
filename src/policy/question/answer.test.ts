import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTyped } from './answer.ts';

const ALL = { run: true, always: true, effects: true, file: true, diff: true };
const NOTHING = { run: false, always: false, effects: false, file: false, diff: false };

test('Enter means no, and so does everything but a clear yes', () => {
  for (const typed of ['', '\n', ' ', 'n', 'no', 'ja', 'ye', 'yess', '1', 'true', '否', '\u001b', 'y y', 'yes!', 'x'])
    assert.deepEqual(readTyped(typed, ALL), { answer: 'no' }, JSON.stringify(typed));
  for (const typed of ['y', 'YES', ' y\n', 'approve', '是', '批准'])
    assert.deepEqual(readTyped(typed, NOTHING), { answer: 'once' });
});

test('what is not offered is no answer', () => {
  const typed = [
    ['r', { answer: 'run' }],
    ['a', { answer: 'always' }],
    ['e', { answer: 'effects' }],
    ['v', { show: 'file' }],
    ['d', { show: 'diff' }],
  ] as const;
  for (const [key, meaning] of typed) {
    assert.deepEqual(readTyped(key, ALL), meaning);
    assert.deepEqual(readTyped(key, NOTHING), { answer: 'no' });
  }
  for (const key of ['?', '？', 'help']) assert.deepEqual(readTyped(key, NOTHING), { show: 'help' });
});

test('a reason stands behind the no, is bounded, and nothing in it steers a terminal or a model', () => {
  assert.deepEqual(readTyped('n use b.txt instead', ALL), { answer: { no: 'use b.txt instead' } });
  assert.deepEqual(readTyped('No: not now', ALL), { answer: { no: 'not now' } });
  assert.deepEqual(readTyped('否，请用另一个文件', ALL), { answer: { no: '请用另一个文件' } });
  assert.deepEqual(readTyped('n \u001b[2Jx', ALL), { answer: { no: '\\u{1b}[2Jx' } });
  const { answer } = readTyped(`n ${'x'.repeat(9000)}`, ALL) as { answer: { no: string } };
  assert.equal(answer.no.length, 500);
  for (const typed of ['n ', 'nothing', 'now y', 'n,'])
    assert.deepEqual(readTyped(typed, ALL), { answer: 'no' }, typed);
});
