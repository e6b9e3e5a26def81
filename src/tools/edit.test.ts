import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fault } from '../base/errors.ts';
import { applyEdits, type Edit } from './edit.ts';

const edit = (text: string, ...edits: Edit[]) => applyEdits(text, edits);
const faultOf = (type: string) => (error: unknown) => error instanceof Fault && error.type === type;
const plainText = fc
  .array(fc.constantFrom('alpha', 'beta', '中文', '', 'x y', '$&', '\\1'), { maxLength: 8 })
  .map((lines) => lines.join('\n'));

test('003-41 replace exchanges every exact occurrence, and nothing found is an error', async () => {
  assert.equal(await edit('a.b a.b', { op: 'replace', old: 'a.b', new: '$&' }), '$& $&');
  await assert.rejects(edit('axb', { op: 'replace', old: 'a.b', new: '' }), faultOf('DataNotFound'));
  await assert.rejects(edit('x', { op: 'replace', old: '', new: 'y' }), faultOf('ParamInvalid'));
});

test('003-42 append starts on a line of its own and keeps the last line complete', async () => {
  assert.equal(await edit('one', { op: 'append', content: 'two' }), 'one\ntwo');
  assert.equal(await edit('one\n', { op: 'append', content: 'two' }), 'one\ntwo\n');
  assert.equal(await edit('', { op: 'append', content: 'two' }), 'two');
  assert.equal(await edit('b', { op: 'prepend', content: 'a' }), 'a\nb');
});

test('003-43 insert-after puts the content behind the first marker only', async () => {
  assert.equal(await edit('# A\n# A\n', { op: 'insert-after', marker: '# A', content: 'x' }), '# A\nx\n# A\n');
  assert.equal(await edit('# A\n', { op: 'insert-before', marker: '# A', content: 'x' }), 'x\n# A\n');
  await assert.rejects(edit('x', { op: 'insert-after', marker: 'none', content: 'y' }), faultOf('DataNotFound'));
});

test('delete-between removes each pair with its markers', async () => {
  const text = 'a<!--x-->b<!--y-->c<!--open';
  assert.equal(await edit(text, { op: 'delete-between', start: '<!--', end: '-->' }), 'abc<!--open');
  await assert.rejects(edit('a<!--', { op: 'delete-between', start: '<!--', end: '-->' }), faultOf('DataNotFound'));
});

test('003-44 regex replaces with groups, line by line anchors, and refuses a bad pattern', async () => {
  assert.equal(
    await edit('v1.2\nv3.4', { op: 'regex', pattern: '^v(\\d)\\.(\\d)$', replacement: '$2.$1' }),
    '2.1\n4.3',
  );
  await assert.rejects(edit('x', { op: 'regex', pattern: '(', replacement: '' }), faultOf('ParamInvalid'));
  await assert.rejects(edit('x', { op: 'regex', pattern: 'y', replacement: '' }), faultOf('DataNotFound'));
});

test('threat 51 blocked: an evil pattern takes linear time', async () => {
  const startedAt = performance.now();
  await assert.rejects(
    edit(`${'a'.repeat(5000)}!`, { op: 'regex', pattern: '^(a+)+$', replacement: 'x' }),
    faultOf('DataNotFound'),
  );
  assert.ok(performance.now() - startedAt < 5_000, 'the pattern must not hold the host');
});

test('003-45 update-json sets a field, keeps types, indentation and the last line', async () => {
  const text = '{\n    "version": "1.0",\n    "count": 1,\n    "list": [1, 2],\n    "a.b": {}\n}\n';
  const set = async (path: string, value: string) =>
    JSON.parse(await edit(text, { op: 'update-json', path, value })) as Record<string, unknown>;
  assert.equal((await set('version', '2.0')).version, '2.0');
  assert.equal((await set('count', '2')).count, 2);
  assert.deepEqual((await set('list[1]', '9')).list, [1, 9]);
  assert.deepEqual((await set('list[2]', '9')).list, [1, 2, 9]);
  assert.deepEqual((await set('["a.b"].c', 'x'))['a.b'], { c: 'x' });
  assert.deepEqual((await set('new.deep', 'true')).new, { deep: true });
  const changed = await edit(text, { op: 'update-json', path: 'count', value: '5' });
  assert.match(changed, /^\{\n {4}"version"/);
  assert.ok(changed.endsWith('}\n'));
});

test('threat 52 blocked: prototype fields are no path', async () => {
  for (const path of ['__proto__.x', 'constructor.prototype.x', 'a["__proto__"].x', 'prototype']) {
    await assert.rejects(edit('{"a":{}}', { op: 'update-json', path, value: '1' }), faultOf('ParamInvalid'));
  }
  assert.equal(({} as { x?: number }).x, undefined);
});

test('line endings stay as they are', async () => {
  assert.equal(await edit('a\r\nb\r\n', { op: 'append', content: 'c\nd' }), 'a\r\nb\r\nc\r\nd\r\n');
  assert.equal(await edit('a\r\nb\r\n', { op: 'replace', old: 'a\nb', new: 'x' }), 'x\r\n');
  assert.equal(await edit('a\r\nb\n', { op: 'replace', old: 'b', new: 'c' }), 'a\r\nc\n');
});

test('several edits are applied together or not at all', async () => {
  assert.equal(await edit('a', { op: 'replace', old: 'a', new: 'b' }, { op: 'replace', old: 'b', new: 'c' }), 'c');
  await assert.rejects(edit('a', { op: 'replace', old: 'a', new: 'b' }, { op: 'replace', old: 'zz', new: 'c' }));
});

test('an edit followed by its inverse gives the text back', async () => {
  await fc.assert(
    fc.asyncProperty(plainText, plainText, async (text, content) => {
      const unique = '§unique§';
      const inserted = await edit(`${text}${unique}`, { op: 'replace', old: unique, new: `${unique}${content}¶` });
      assert.equal(
        await edit(inserted, { op: 'replace', old: `${unique}${content}¶`, new: unique }),
        `${text}${unique}`,
      );
      const marked = await edit(`${text}${unique}`, { op: 'insert-before', marker: unique, content: `«${content}»` });
      assert.equal(await edit(marked, { op: 'replace', old: `«${content}»\n`, new: '' }), `${text}${unique}`);
    }),
  );
});
