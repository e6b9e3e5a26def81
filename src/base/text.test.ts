import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  displayWidth,
  findHidden,
  fit,
  nearest,
  padEnd,
  removeHidden,
  truncate,
  visible,
  visibleLines,
  visibleOnOneLine,
} from './text.ts';

const HIDDEN_SAMPLES = [
  0x00, 0x07, 0x1b, 0x7f, 0x85, 0x9b, 0x200b, 0x200e, 0x202e, 0x2066, 0x2028, 0xfeff, 0xe0001, 0xe0041, 0xe007f,
];

test('every hidden character is found and shown escaped at start, middle and end', () => {
  for (const code of HIDDEN_SAMPLES) {
    const hidden = String.fromCodePoint(code);
    for (const text of [`${hidden}ab`, `a${hidden}b`, `ab${hidden}`]) {
      assert.equal(findHidden(text)[0]?.codePoint, code);
      assert.ok(visible(text).includes(`\\u{${code.toString(16)}}`));
      assert.ok(!visible(text).includes(hidden));
      assert.equal(removeHidden(text), 'ab');
    }
  }
});

test('a run of variation selectors is hidden text, a single one is an emoji', () => {
  assert.equal(findHidden('⏭️').length, 0);
  assert.equal(findHidden('a\ufe00\ufe01\ufe02b')[0]?.kind, 'selector-run');
});

test('visible text never holds a raw control character, whatever goes in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.doesNotMatch(visible(text), /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      assert.doesNotMatch(visibleLines(text).replace(/[\n\t]/g, ''), /\p{Cc}/u);
    }),
  );
});

test('Chinese characters and emoji take two columns', () => {
  assert.equal(displayWidth('技能'), 4);
  assert.equal(displayWidth('✅ ok'), 5);
  assert.equal(displayWidth('⏭️'), 2);
  assert.equal(displayWidth('é'.normalize('NFD')), 1);
  assert.equal(displayWidth('한국어'), 6);
  assert.equal(padEnd('技能', 6), '技能  ');
  assert.equal(truncate('技能列表', 5), '技能…');
  assert.equal(truncate('short', 5), 'short');
});

test('text is fitted to a number of columns', () => {
  assert.equal(fit('abc', 5), 'abc  ');
  assert.equal(fit('abcdef', 5), 'abcd…');
  assert.equal(fit('技能', 5), '技能 ');
  assert.equal(fit('技能列表', 5), '技能…');
  for (const text of ['', 'a', 'a b ', '技能列', '✅ ok', '\u001b']) assert.equal(displayWidth(fit(text, 4)), 4, text);
});

test('on one line nothing breaks it, whatever was there', () => {
  assert.equal(visibleOnOneLine('as  it is'), 'as  it is');
  assert.equal(visibleOnOneLine('a  b\n c\td\r\n\u00a0e\u202e'), 'a b c d e\\u{202e}');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = visibleOnOneLine(text);
      assert.doesNotMatch(shown, /[^\S ]/);
      assert.deepEqual(findHidden(shown), []);
    }),
  );
});

test('near words are found, far ones are not', () => {
  assert.deepEqual(nearest('lsit', ['list', 'inspect', 'init']), ['list']);
  assert.deepEqual(nearest('user-invokable', ['user-invocable', 'name']), ['user-invocable']);
  assert.deepEqual(nearest('zebra', ['list', 'inspect']), []);
  assert.deepEqual(nearest('val', ['validate']), ['validate']);
});
