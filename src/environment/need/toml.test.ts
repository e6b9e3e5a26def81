import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseToml } from './toml.ts';

const plain = (text: string): unknown => JSON.parse(JSON.stringify(parseToml(text)));

test('tables, dotted keys, lists of tables, and each kind of value', () => {
  const text = `\uFEFF# all
title = "a # no comment" # comment
'quoted key'.b."c d" = true
[one]
list = [ "a", # of it
  'b\\n',
  [1, 2.5], ]
inline = { x = 1979-05-27 07:32:00, "y" = { z = [] } }
[one.two]
text = """
first \\
   second "quoted" \\u00e9"""
raw = '''it's'''
[[many]]
name = "a"
[many.sub]
x = +1
[[many]]
name = "b"
`;
  assert.deepEqual(plain(text), {
    title: 'a # no comment',
    'quoted key': { b: { 'c d': true } },
    one: {
      list: ['a', 'b\\n', ['1', '2.5']],
      inline: { x: '1979-05-27 07:32:00', y: { z: [] } },
      two: { text: 'first second "quoted" é', raw: "it's" },
    },
    many: [{ name: 'a', sub: { x: '+1' } }, { name: 'b' }],
  });
  assert.deepEqual(plain('a = 1\r\nb = """x\r\ny"""\r\n'), { a: '1', b: 'x\r\ny' });
  assert.deepEqual(plain('x = """a""""" \n'), { x: 'a""' });
  assert.deepEqual(plain(''), {});
});

test('what is no TOML is refused at its line, and nests no deeper than it is read', () => {
  for (const [text, line] of [
    ['a = 1\nb', 2],
    ['a = "x', 1],
    ['[a\n', 1],
    ['a = [1, 2\n', 2],
    ['a = 1\na = 2', 2],
    ['a = 1\n[a]', 2],
    ['a = "\\q"', 1],
    ['a = 1 b = 2', 1],
    [`a = ${'['.repeat(10_000)}`, 1],
  ] as const)
    assert.throws(() => parseToml(text), { name: 'SyntaxError', message: `line ${line}` }, text.slice(0, 20));
});

test('no key reaches the prototype of anything', () => {
  parseToml('__proto__.polluted = true\nconstructor.prototype.polluted = true\n');
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
});
