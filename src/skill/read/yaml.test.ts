import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed } from '../../../test/support/changed/changed-source.ts';
import { DEPTH_LIMIT, KEY_LIMIT, parseYaml } from './yaml.ts';

function valuesOf(text: string, parse = parseYaml) {
  const parsed = parse(text);
  assert.ok('values' in parsed, JSON.stringify(parsed));
  return parsed.values;
}

function problemOf(text: string) {
  const parsed = parseYaml(text);
  assert.ok('problem' in parsed, JSON.stringify(parsed));
  return parsed.problem;
}

const BOMB = ['a: &a [x, x, x]', 'b: &b [*a, *a, *a]', 'c: &c [*b, *b, *b]', 'd: [*c, *c, *c]'].join('\n');

test('threat 23 blocked: anchors, aliases and merge keys are refused before anything is expanded', () => {
  assert.equal(problemOf(BOMB).code, 'yaml-alias');
  assert.equal(problemOf('name: &n x').code, 'yaml-alias');
  assert.equal(problemOf('a: 1\nb:\n  - &n x').line, 2);
  assert.equal(problemOf('<<: {allowed-tools: []}\nname: x').code, 'yaml-alias');
});

test('threat 23 control: without the refusal a few lines become many values', async () => {
  const change = { from: "text.includes('&') ? WATCHED : OPTIONS", to: 'OPTIONS' };
  const open = await changed<typeof import('./yaml.ts')>('src/skill/read/yaml.ts', change);
  const { d } = valuesOf(BOMB, open.parseYaml);
  assert.equal(JSON.stringify(d).split('"x"').length - 1, 81);
});

test('threat 23 blocked: foreign tags make no value', () => {
  for (const tag of ['!!js/function "function(){}"', '!!python/object:os.system x', '!mine x', '!!binary aGk=']) {
    assert.equal(problemOf(`name: ${tag}`).code, 'yaml-invalid', tag);
  }
});

test('threat 23 blocked: prototype keys are left out at every depth, and named', () => {
  const parsed = parseYaml(
    '__proto__: {polluted: 1}\nmetadata:\n  constructor: {prototype: {polluted: 1}}\n  kept: 1\n',
  );
  assert.ok('values' in parsed);
  assert.deepEqual(parsed.droppedKeys, ['__proto__', 'constructor']);
  assert.equal(Object.getPrototypeOf(parsed.values), null);
  assert.deepEqual(Object.keys(parsed.values.metadata as object), ['kept']);
  assert.equal(Object.getPrototypeOf(parsed.values.metadata), null);
  assert.equal('polluted' in {}, false);
});

test('a & that is only text is no anchor', () => {
  assert.equal(valuesOf('description: Research & development').description, 'Research & development');
  assert.equal(valuesOf('description: "&quoted"').description, '&quoted');
});

test('duplicate keys, other documents and other shapes are problems with a place', () => {
  const { code, line } = problemOf('name: a\nname: b');
  assert.deepEqual({ code, line }, { code: 'yaml-duplicate-key', line: 1 });
  assert.equal(problemOf('a: 1\n--- \nb: 2').code, 'yaml-invalid');
  assert.equal(problemOf('- a\n- b').code, 'yaml-not-a-map');
  assert.equal(problemOf('').code, 'yaml-not-a-map');
});

test('values nest as deep as the limit and no deeper', () => {
  const nested = (depth: number) => `a: ${'['.repeat(depth)}x${']'.repeat(depth)}`;
  assert.ok('values' in parseYaml(nested(DEPTH_LIMIT)));
  assert.equal(problemOf(nested(DEPTH_LIMIT + 1)).code, 'yaml-depth');
});

test('the number of fields is bounded', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: x`).join('\n');
  assert.ok('values' in parseYaml(fields(KEY_LIMIT)));
  assert.equal(problemOf(fields(KEY_LIMIT + 1)).code, 'yaml-keys');
});

test('an item left of the empty one before it is refused: parsers put it into different lists', () => {
  assert.equal(problemOf('allowed-tools:\n  - \n- Read').line, 2);
  assert.equal(problemOf('a:\n  - - # none\n\n  - b').line, 3);
  assert.deepEqual(valuesOf('a:\n  -\n  - b\nc:\n-\n  - d'), valuesOf('a: [null, b]\nc: [[d]]'));
});
