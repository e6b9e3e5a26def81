import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mirrorsFairly } from './mirrored-header.ts';

const named = (header: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': header });
const of = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

test('arguments may be mirrored into headers of names of their own, at any depth of properties', () => {
  for (const fair of [
    {},
    of({ a: { type: 'string' } }),
    of({ a: named('Region'), b: named('Count', 'integer'), c: named('Deep-er', 'boolean') }),
    of({ a: of({ b: named('Region') }) }),
    of({ 'x-mcp-header': { type: 'string' } }),
  ])
    assert.ok(mirrorsFairly(fair), JSON.stringify(fair));
});

test('a header without a proper name, of a name used twice, of no plain value or of none that is sure to be there is refused', () => {
  for (const unfair of [
    named('Region'),
    of({ a: named('') }),
    of({ a: named(5) }),
    of({ a: named('My Region') }),
    of({ a: named('A\r\nHost: evil') }),
    of({ a: named('Région') }),
    of({ a: named('Region', 'object') }),
    of({ a: named('Region', 'number') }),
    of({ a: named('Region', null) }),
    of({ a: named('Region'), b: named('region') }),
    of({ a: { type: 'array', items: of({ b: named('Region') }) } }),
    of({}, { anyOf: [of({ a: named('Region') })] }),
    of({}, { $defs: { one: named('Region') } }),
  ])
    assert.ok(!mirrorsFairly(unfair), JSON.stringify(unfair));
});
