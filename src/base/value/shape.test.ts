import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isEither,
  isFlag,
  isListOf,
  isMapOf,
  isNull,
  isNumber,
  isObject,
  isOptional,
  isText,
  isWord,
} from './shape.ts';

interface Sample {
  readonly name: string;
  readonly note?: string;
  readonly kind: 'a' | 'b';
  readonly sizes: readonly number[];
  readonly flags: Readonly<Record<string, boolean>>;
  readonly owner: string | null;
}

const isSample = isObject<Sample>({
  name: isText,
  note: isOptional(isText),
  kind: isWord(['a', 'b']),
  sizes: isListOf(isNumber),
  flags: isMapOf(isFlag),
  owner: isEither(isText, isNull),
});

const GOOD = { name: 'x', kind: 'a', sizes: [1], flags: { on: true }, owner: null };

test('a value with every field is one, with or without the optional and with more than is known', () => {
  for (const more of [{}, { note: 'n' }, { later: 1 }, { owner: 'me', sizes: [], flags: {} }])
    assert.ok(isSample({ ...GOOD, ...more }), JSON.stringify(more));
  assert.ok(isSample(Object.assign(Object.create(null), GOOD)));
});

test('a value with one wrong or missing field is none', () => {
  const wrong = [
    { name: 1 },
    { name: undefined },
    { note: 1 },
    { note: null },
    { kind: 'c' },
    { sizes: ['1'] },
    { sizes: { 0: 1 } },
    { flags: { on: 1 } },
    { flags: [] },
    { owner: undefined },
  ];
  for (const more of wrong) assert.ok(!isSample({ ...GOOD, ...more }), JSON.stringify(more));
  for (const value of [null, undefined, [], 'x', 1, {}]) assert.ok(!isSample(value), JSON.stringify(value));
});
