import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson, parseJson } from './json.ts';

test('objects have no prototype and cannot change one', () => {
  const value = parseJson('{"__proto__": {"polluted": true}, "a": [{"constructor": 1}]}') as Record<string, unknown>;
  assert.equal(Object.getPrototypeOf(value), null);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('a hundred thousand brackets are refused, brackets in strings are not', () => {
  assert.throws(() => parseJson('['.repeat(100_000)), /nested deeper/);
  assert.deepEqual(parseJson(`["${'['.repeat(1000)}\\"["]`), [`${'['.repeat(1000)}"[`]);
});

test('two documents, NaN and comments are syntax errors', () => {
  for (const text of ['{} {}', '{"a": NaN}', '{/* */}', '', '{"a":1,}'])
    assert.throws(() => parseJson(text), SyntaxError);
});

test('equal values have equal canonical text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const shuffled = Object.fromEntries(Object.entries(value).reverse());
      assert.equal(canonicalJson(shuffled), canonicalJson(value));
    }),
  );
});
