import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readActions, readParams } from './param.ts';

function params(value: unknown) {
  const complaints: string[] = [];
  const read = readParams(value, ({ en }) => complaints.push(en));
  return { read, complaints };
}

test('a map and a list say the same', () => {
  const body = { type: 'int', required: true, enum: [1, 2], description: 'how many', 'allow-dash': true };
  const expected = {
    name: 'x',
    type: 'integer',
    required: true,
    enum: [1, 2],
    description: 'how many',
    allowDash: true,
  };
  assert.deepEqual(params({ x: body }).read, [expected]);
  assert.deepEqual(params([{ name: 'x', ...body }]).read, [expected]);
  assert.deepEqual(params([{ x: body }]).read, [expected]);
});

test('short forms', () => {
  const plain = { type: 'string', required: false };
  assert.deepEqual(params(['x']).read, [{ name: 'x', ...plain }]);
  assert.deepEqual(params({ x: null }).read, [{ name: 'x', ...plain }]);
  assert.deepEqual(params({ x: 'file' }).read, [{ name: 'x', type: 'file', required: false }]);
  assert.deepEqual(params({ x: 'the input' }).read, [{ name: 'x', ...plain, description: 'the input' }]);
  assert.deepEqual(params({ x: { default: 3 } }).read, [{ name: 'x', ...plain, default: 3 }]);
});

test('what is unclear is named, and asked for rather than guessed', () => {
  assert.equal(params({ x: { required: 'maybe' } }).read?.[0]?.required, true);
  assert.equal(params({ x: { type: 'constructor' } }).read?.[0]?.type, 'string');
  assert.equal(params({ x: { required: 'maybe', type: 'date' } }).complaints.length, 2);
  assert.deepEqual(
    params([1, 'a b', 'x', 'x']).read?.map(({ name }) => name),
    ['x'],
  );
  assert.equal(params('x').read, undefined);
});

test('actions as map, list or words', () => {
  const complain = () => assert.fail();
  assert.deepEqual(readActions(['fetch'], complain), [{ name: 'fetch', params: [] }]);
  assert.deepEqual(readActions({ fetch: 'Gets it' }, complain), [
    { name: 'fetch', description: 'Gets it', params: [] },
  ]);
  const [action] = readActions([{ name: 'fetch', params: { url: { type: 'url' } } }], complain) ?? [];
  assert.equal(action?.params[0]?.type, 'url');
});
