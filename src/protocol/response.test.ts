import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { count } from '../../test/support/support.ts';
import { judgeResponse } from './response.ts';

const judge = (text: string | Uint8Array, exit: number | null = 0) =>
  judgeResponse(typeof text === 'string' ? Buffer.from(text) : text, 'analyze', exit);
const reasonOf = (text: string | Uint8Array, exit: number | null = 0) => {
  const judged = judge(text, exit);
  return judged.ok ? undefined : judged.reason.en;
};

test('a success with data, message and metadata is honoured', () => {
  const judged = judge(
    '{"success":true,"action":"analyze","data":{"a":1},"message":"done","metadata":{"execution_time_ms":12,"items_count":3}}',
  );
  assert.ok(judged.ok && judged.response.success);
  assert.equal(JSON.stringify(judged.response.data), '{"a":1}');
  assert.equal(judged.response.message, 'done');
  assert.deepEqual({ ...judged.response.metadata }, { execution_time_ms: 12, items_count: 3 });
  assert.deepEqual(judged.response.mended, []);
});

test('a well-formed failure is honoured whatever the exit code', () => {
  for (const exit of [0, 1, 139, null]) {
    const judged = judge(
      '{"success":false,"action":"analyze","error":{"code":"DATA_NOT_FOUND","message":"none","details":{"q":1}}}',
      exit,
    );
    assert.ok(judged.ok && !judged.response.success);
    assert.equal(judged.response.error.code, 'DATA_NOT_FOUND');
    assert.equal(judged.response.error.details?.q, 1);
  }
});

test('supported_actions beside the code is kept in the details', () => {
  const judged = judge(
    '{"success":false,"error":{"code":"UNKNOWN_ACTION","message":"Unknown action: x","supported_actions":["a"]}}',
  );
  assert.ok(judged.ok && !judged.response.success);
  assert.deepEqual(judged.response.error.details, { supported_actions: ['a'] });
});

test('a missing action is filled in; another action is refused', () => {
  const judged = judge('{"success":true,"data":{}}');
  assert.ok(judged.ok);
  assert.equal(judged.response.action, 'analyze');
  assert.match(reasonOf('{"success":true,"action":"other","data":{}}') ?? '', /asked was "analyze"/);
});

test('indented JSON with Chinese text is read', () => {
  const judged = judge(JSON.stringify({ success: true, data: { 名称: '技能' } }, null, 2));
  assert.ok(judged.ok && judged.response.success);
  assert.match(JSON.stringify(judged.response.data), /技能/);
});

test('threat 46 wrong answers each give a reason', () => {
  const wrong: [string | Uint8Array, RegExp][] = [
    ['', /empty/],
    ['hello', /not one JSON document/],
    ['{"success":true}{"success":false}', /not one JSON document/],
    ['{"success":true,"data":NaN}', /not one JSON document/],
    ['['.repeat(100_000), /nested deeper/],
    [Uint8Array.of(0x7b, 0xff, 0x7d), /not UTF-8/],
    ['{"success":true,"success":false}', /stands twice/],
    ['{"success":true,"data":["\\ud800"]}', /lone surrogate/],
    ['[1]', /not an object/],
    ['null', /not an object/],
    ['{"success":"yes"}', /"success"/],
    ['{"success":false}', /"error"/],
    ['{"success":false,"error":{"code":1,"message":"x"}}', /"error"/],
  ];
  for (const [text, pattern] of wrong) assert.match(reasonOf(text) ?? 'accepted', pattern);
  assert.match(reasonOf('{"success":true,"data":{}}', 1) ?? '', /exit code 1/);
  assert.match(reasonOf('{"success":true,"data":{}}', null) ?? '', /signal/);
});

test('a prototype key is data, not a prototype', () => {
  const judged = judge('{"success":true,"data":{"__proto__":{"polluted":1}}}');
  assert.ok(judged.ok);
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

test('old shapes pass through the shim, which says so', () => {
  const text = judge('{"success":false,"error":"no database"}');
  assert.ok(text.ok && !text.response.success);
  assert.equal(text.response.error.message, 'no database');
  const loose = judge('{"average":3,"trend":"up"}');
  assert.ok(loose.ok && loose.response.success);
  assert.equal(JSON.stringify(loose.response.data), '{"average":3,"trend":"up"}');
  assert.equal(loose.response.mended.length, 2);
});

test('whatever a skill prints, the judge answers', () => {
  const mutated = fc
    .tuple(fc.constantFrom('{"success":true,"data":{}}', '{"success":false,"error":{}}'), fc.nat(30), fc.string())
    .map(([base, at, extra]) => Buffer.from(base.slice(0, at) + extra + base.slice(at)));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), mutated), fc.constantFrom(0, 1, null), (bytes, exit) => {
      const judged = judgeResponse(bytes, 'analyze', exit);
      assert.equal(typeof judged.ok, 'boolean');
    }),
    { numRuns: count(10_000, 500) },
  );
});
