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

test('a key that stands twice in one object is refused, in two objects it is not', () => {
  assert.throws(() => parseJson('{"a": 1, "b": {"a": 1}, "a" : 2}'), /stands twice/);
  assert.doesNotThrow(() => parseJson('{"a": {"a": 1}, "b": [{"a": "a"}, {"a": ":"}]}'));
});

test('what JSON.stringify writes reads back the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(JSON.stringify(parseJson(JSON.stringify(value))), JSON.stringify(value));
    }),
  );
});

test('equal values have equal canonical text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const shuffled = Object.fromEntries(Object.entries(value).reverse());
      assert.equal(canonicalJson(shuffled), canonicalJson(value));
    }),
  );
});
