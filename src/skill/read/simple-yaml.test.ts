import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { CORE_SCHEMA, load } from 'js-yaml';
import { count, dataFolder } from '../../../test/support/support.ts';
import { findFrontmatter } from './frontmatter.ts';
import { readSimpleYaml } from './simple-yaml.ts';

/** What the parser makes of it; undefined where that is no set of fields. */
function parse(text: string): unknown {
  try {
    const document = load(text, {
      schema: CORE_SCHEMA,
      onWarning: (warning) => {
        throw warning;
      },
    });
    return typeof document === 'object' && document !== null && !Array.isArray(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/** Where it answers, it answers like the parser. Says whether it did. */
function assertAgreement(text: string): boolean {
  const values = readSimpleYaml(text);
  if (values === undefined) return false;
  const parsed = parse(text);
  assert.deepEqual(Object.keys(values), Object.keys(parsed ?? {}), JSON.stringify(text));
  assert.equal(JSON.stringify(values), JSON.stringify(parsed), JSON.stringify(text));
  for (const value of [values, ...Object.values(values)]) {
    if (typeof value === 'object' && !Array.isArray(value)) assert.equal(Object.getPrototypeOf(value), null);
  }
  return true;
}

test('the shapes it knows', () => {
  const text = [
    'name: pdf-tools',
    'description: >-',
    '  Folded, with: a colon',
    '  and # no comment.',
    'license: "Apache: 2.0"',
    "author: 'O Brien'",
    'version: 1.10.0',
    'note: |',
    '  kept',
    '  as it is',
    'user-invocable: false',
    'allowed-tools:',
    '  - Read',
    '  - Bash(git:*)',
    'metadata:',
    '  标题: no',
    '',
  ].join('\n');
  assert.equal(readSimpleYaml(text), undefined);
  const known = text.replace('标题', 'title').replace('no\n', '中文 — 说明\n');
  assert.deepEqual(JSON.parse(JSON.stringify(readSimpleYaml(known))), {
    name: 'pdf-tools',
    description: 'Folded, with: a colon and # no comment.',
    license: 'Apache: 2.0',
    author: 'O Brien',
    version: '1.10.0',
    note: 'kept\nas it is\n',
    'user-invocable': false,
    'allowed-tools': ['Read', 'Bash(git:*)'],
    metadata: { title: '中文 — 说明' },
  });
  assert.ok(assertAgreement(known));
});

// Each could be misread by somebody in a hurry.
const ODD = [
  ...['', 'x', 'x:\n', 'x: \n', 'x:y\n', 'x: y', 'x: 1\n', 'x: 1.5\n', 'x: True\n', 'x: null\n', 'x: ~\n', 'x: a: b\n'],
  ...['x: a:\n', 'x: a #b\n', 'x: a\n  b\n', 'x: "a\\n"\n', "x: 'a''b'\n", 'x: "a" # b\n', 'x: [a]\n', 'x: {a: b}\n'],
  ...['x: &a b\n', 'x: *a\n', 'x: !t b\n', 'x: a\nx: b\n', '__proto__: a\n', 'constructor: a\n', 'true: a\n', '- a\n'],
  ...[
    'x: a\n\ny: b\n',
    '# a\nx: b\n',
    'x: a\n---\n',
    'x: >-\n',
    'x: >-\n  a\n\n  b\n',
    'x: >-\n  a\n    b\n',
    'x: |+\n  a\n',
  ],
  ...[
    'x: >-\n  a\n b\n',
    'x: >-\n  a \n',
    'x:\n- a\n',
    'x:\n  - a: b\n',
    'x:\n  a: b\n   c: d\n',
    'x:\n  a:\n    b: c\n',
  ],
  ...['x: a\r\n', 'x:\ta\n', 'x: a\tb\n', 'x: a\u0085b\n', 'x: \ufeffa\n', ' x: a\n', 'x: a \n', 'x:  a\n', '"x": a\n'],
];

test('any other shape is left to the parser', () => {
  for (const text of ODD) assert.equal(readSimpleYaml(text), undefined, JSON.stringify(text));
});

const ODD_WORD = fc.constantFrom(
  ...[
    'true',
    'False',
    'null',
    'yes',
    '1',
    '1.0.0',
    '0x1f',
    '"q"',
    "'s'",
    '"',
    "'",
    '"\\n"',
    '#',
    'x#',
    ':',
    'a:',
    ':b',
  ],
  ...[
    '-',
    '- a',
    '[a]',
    '{',
    '}',
    ',',
    '&a',
    '*a',
    '!a',
    '|',
    '>',
    '>-',
    '@',
    '`',
    '%',
    '?',
    '~',
    '=',
    '',
    '\\',
    '...',
  ],
  ...['中文', '—', '“x”', '\u00a0', '\u2028', '\u0085', '\ufeff', '\t', '---', '😀', '__proto__'],
);
const TAME_WORD = fc.constantFrom('a', 'Word', 'a:b', 'x#', '(b)', '100%', "it's", '说明');
const WORD = fc.oneof({ weight: 7, arbitrary: TAME_WORD }, { weight: 1, arbitrary: ODD_WORD });
const VALUE = fc.array(WORD, { maxLength: 4 }).map((words) => words.join(' '));
const ODD_KEY = fc.constantFrom('true', 'Null', 'constructor', 'a b', '"k"', '-', '', '__proto__', '说明');
const TAME_KEY = fc.constantFrom('name', 'description', 'a-b', 'x', 'X_1', 'Title', 'k9');
const KEY = fc.oneof({ weight: 9, arbitrary: TAME_KEY }, { weight: 1, arbitrary: ODD_KEY });
const FIELD = fc
  .tuple(KEY, fc.constantFrom(...Array<string>(20).fill(': '), ':', ':  ', ' : '), VALUE)
  .map((parts) => parts.join(''));
const BELOW = fc
  .tuple(fc.constantFrom('x: >-', 'x: >', 'x: |', 'x: |-', 'x:'), fc.array(fc.oneof(VALUE, FIELD), { maxLength: 3 }))
  .chain(([mark, lines]) =>
    fc.tuple(fc.constantFrom('  ', '  ', ' ', '    '), fc.constantFrom('', '', '- ')).map(([indent, dash]) => {
      return [mark, ...lines.map((line) => `${indent}${dash}${line}`)].join('\n');
    }),
  );
const DOCUMENT = fc
  .tuple(
    fc.array(fc.oneof(FIELD, BELOW), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('\n', '\n', '\n', '', '\n\n'),
  )
  .map(([lines, end]) => lines.join('\n') + end);

test('where it answers, it says what the parser would, whatever the text', () => {
  let answered = 0;
  const runs = count(1_000_000, 50_000);
  fc.assert(
    fc.property(DOCUMENT, (text) => {
      if (assertAgreement(text)) answered++;
    }),
    { numRuns: runs },
  );
  assert.ok(answered > runs / 20, `answered ${answered} of ${runs}`);
});

test('it answers for most real files, and as the parser would', (t) => {
  const folder = dataFolder(t);
  if (folder === undefined) return;
  const lines = readFileSync(path.join(folder, 'skill-files/skills.jsonl'), 'utf8').split('\n').filter(Boolean);
  const blocks = lines.flatMap((line) => findFrontmatter((JSON.parse(line) as { text: string }).text)?.text ?? []);
  const answered = blocks.filter(assertAgreement).length;
  assert.ok(answered > blocks.length / 2, `answered ${answered} of ${blocks.length}`);
});
