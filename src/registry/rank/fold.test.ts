import assert from 'node:assert/strict';
import test from 'node:test';
import { foldText } from './fold.ts';

test('traditional characters become simplified ones', () => {
  assert.equal(foldText('資料庫備份與還原'), '资料库备份与还原');
  assert.equal(foldText('繁體中文說明'), '繁体中文说明');
});

test('width and accents are folded, case is kept', () => {
  assert.equal(foldText('ＰＤＦ　Ｔｏｏｌｓ'), 'PDF Tools');
  assert.equal(foldText('Résumé naïve Ünïcode'), 'Resume naive Unicode');
});

test('Korean, Japanese and plain text stay as they are', () => {
  for (const text of ['한국어 번역', 'データ分析', 'plain words', '']) assert.equal(foldText(text), text);
});
