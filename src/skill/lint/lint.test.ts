import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Profile } from '../skill.ts';
import { type LintOptions, lintSkill } from './lint.ts';

const SECTIONS = ['Goal', 'IO Contract', 'Steps', 'Failure Modes', 'Checklist', 'Resources'];
const BODY = SECTIONS.map((name) => `## ${name}\n\nText.\n`).join('\n');

function lint(
  fields: string,
  profile: Profile,
  { body = BODY, ...options }: Partial<LintOptions> & { body?: string } = {},
) {
  const where = { path: '/nowhere/a/SKILL.md', folderName: 'a', maxBodyLines: 500, profile, ...options };
  return lintSkill(`---\n${fields}\n---\n\n${body}`, where);
}

function codes(diagnostics: ReturnType<typeof lint>, severity?: string): string[] {
  return diagnostics.filter((found) => severity === undefined || found.severity === severity).map(({ code }) => code);
}

const GOOD = 'name: a\ndescription: b';

test('a good skill passes every profile without a word', () => {
  for (const profile of ['lenient', 'spec', 'strict'] as const) assert.deepEqual(lint(GOOD, profile), []);
});

const SPEC: [fields: string, code: string][] = [
  ['name: A\ndescription: b', 'name-shape'],
  ['name: -a\ndescription: b', 'name-shape'],
  ['name: a-\ndescription: b', 'name-shape'],
  ['name: a--b\ndescription: b', 'name-shape'],
  ['name: a_b\ndescription: b', 'name-shape'],
  [`name: ${'a'.repeat(65)}\ndescription: b`, 'name-long'],
  ['name: c\ndescription: b', 'name-folder'],
  ['description: b', 'name-missing'],
  ['name: a', 'description-missing'],
  [`name: a\ndescription: ${'b'.repeat(1025)}`, 'spec-description'],
  [`${GOOD}\nversion: "1"`, 'spec-field'],
  [`${GOOD}\nlicense: [MIT]`, 'spec-license'],
  [`${GOOD}\ncompatibility: ""`, 'spec-compatibility'],
  [`${GOOD}\ncompatibility: ${'c'.repeat(501)}`, 'spec-compatibility'],
  [`${GOOD}\nmetadata: {a: 1}`, 'spec-metadata'],
  [`${GOOD}\nmetadata: {a: {b: c}}`, 'spec-metadata'],
  [`${GOOD}\nmetadata: text`, 'spec-metadata'],
  [`${GOOD}\nallowed-tools: [Read]`, 'spec-allowed-tools'],
  ['name: a\ndescription: b: c', 'yaml-requoted'],
];

for (const [fields, code] of SPEC) {
  test(`spec refuses what agentskills.io does not know: ${code} ${fields.slice(0, 40).replaceAll('\n', ', ')}`, () => {
    assert.ok(codes(lint(fields, 'spec'), 'error').includes(code), JSON.stringify(lint(fields, 'spec')));
  });
}

test('spec counts the description alone', () => {
  const fields = `name: a\ndescription: ${'b'.repeat(1024)}\nwhen_to_use: c`;
  assert.deepEqual(codes(lint(fields, 'spec')), ['spec-field']);
  assert.deepEqual(codes(lint(fields, 'lenient')), ['description-long']);
});

test('spec accepts every field at its limit', () => {
  const fields = `name: a\ndescription: ${'b'.repeat(1024)}\nlicense: MIT\ncompatibility: ${'c'.repeat(500)}\nmetadata: {a: "1"}\nallowed-tools: Read Bash(git:*)`;
  assert.deepEqual(lint(fields, 'spec'), []);
  const name = 'a'.repeat(64);
  assert.deepEqual(lint(`name: ${name}\ndescription: b`, 'spec', { folderName: name }), []);
});

test('strict refuses every < and > in the frontmatter but the sign that begins a text of several lines', () => {
  const folded = 'name: a\ndescription: >-\n  b > c';
  for (const fields of ['name: a\ndescription: a < b', `${GOOD}\nauthor: <x>`, folded]) {
    assert.deepEqual(codes(lint(fields, 'strict'), 'error'), ['strict-angle-bracket'], fields);
    assert.deepEqual(codes(lint(fields, 'lenient'), 'error'), [], fields);
  }
  assert.deepEqual(lint('name: a\ndescription: a < b', 'strict', { blockAngleBrackets: false }), []);
  for (const sign of ['>', '>-', '>+2', '|', '> # note'])
    assert.deepEqual(codes(lint(`name: a\ndescription: ${sign}\n    b`, 'strict'), 'error'), [], sign);
});

test('strict refuses nesting except in params and actions', () => {
  assert.deepEqual(codes(lint(`${GOOD}\nmetadata: {a: b}`, 'strict')), ['strict-nesting']);
  assert.ok(codes(lint(`${GOOD}\nhooks: [{a: b}]`, 'strict'), 'error').includes('strict-nesting'));
  assert.deepEqual(
    lint(`${GOOD}\nparams: {x: {required: true}}\nactions: {run: {params: [x]}}\nrequires: [b]`, 'strict'),
    [],
  );
});

test('strict refuses names outside a-z, 0-9 and -', () => {
  assert.ok(codes(lint('name: a_b\ndescription: b', 'strict'), 'error').includes('strict-name'));
  assert.deepEqual(codes(lint('name: a--b\ndescription: b', 'strict'), 'error'), []);
});

test('a body of 501 lines is a warning, and an error for those who publish (002-67)', () => {
  const body = (lines: number) => `${BODY}${'x\n'.repeat(lines - BODY.trim().split('\n').length)}`;
  assert.deepEqual(lint(GOOD, 'strict', { body: body(500) }), []);
  assert.deepEqual(codes(lint(GOOD, 'lenient', { body: body(501) }), 'warning'), ['body-long']);
  assert.deepEqual(codes(lint(GOOD, 'strict', { body: body(501) }), 'error'), ['body-long']);
  assert.deepEqual(codes(lint(GOOD, 'lenient', { body: body(30), maxBodyLines: 10 })), ['body-long']);
});

test('002-63 strict reports each missing section, in either language', () => {
  const missing = lint(GOOD, 'strict', { body: '# Title\n' });
  assert.deepEqual(
    missing.map(({ message }) => message),
    [`Add sections: ${SECTIONS.join(', ')}.`],
  );
  assert.deepEqual(codes(missing, 'error'), []);
  const two = lint(GOOD, 'strict', {
    body: SECTIONS.slice(2)
      .map((name) => `## ${name}\n`)
      .join('\n'),
  });
  assert.deepEqual(
    two.map(({ message }) => message),
    ['Add sections: Goal, IO Contract.'],
  );
  const chinese = ['目标', '输入输出', '步骤', '失败处理', '自检/验收', '资源索引']
    .map((name) => `## ${name}\n`)
    .join('\n');
  assert.deepEqual(lint(GOOD, 'strict', { body: chinese }), []);
  assert.deepEqual(
    lint(GOOD, 'strict', { body: SECTIONS.map((name, at) => `### ${at + 1}. ${name}\n`).join('\n') }),
    [],
  );
});

test('threat 24 blocked: hidden characters in the body are reported with their place, those that mislead as errors', () => {
  const cases: [number, string][] = [
    [0x202e, 'error'],
    [0x2066, 'error'],
    [0xe0041, 'error'],
    [0x200b, 'warning'],
    [0x1b, 'warning'],
  ];
  for (const [codePoint, severity] of cases) {
    const found = lint(GOOD, 'lenient', { body: `line\nab${String.fromCodePoint(codePoint)}c\n` });
    assert.deepEqual(
      found.map(({ code, line, column }) => [code, line, column]),
      [['body-hidden', 7, 3]],
    );
    assert.equal(found[0]?.severity, severity);
  }
});

test('missing references are information, never an error', () => {
  const body =
    '[a](references/a.md#x) [b](https://x.org/b.md) [c](c.md) `scripts/run.py` [d](scripts/) [e](../up.md)\n';
  const found = lint(GOOD, 'lenient', { body, files: ['references/a.md', 'scripts/other.py'] });
  assert.deepEqual(
    found.map(({ code, severity }) => [code, severity]),
    [
      ['reference-missing', 'info'],
      ['reference-missing', 'info'],
    ],
  );
  assert.match(found.map(({ message }) => message).join(), /c\.md.*scripts\/run\.py/);
});

test('a label as command is named', () => {
  assert.deepEqual(codes(lint(`${GOOD}\ncommand: /hub:board`, 'lenient')), ['command-label']);
});

test('a file without frontmatter passes only leniently', () => {
  const options = { path: 'a/SKILL.md', folderName: 'a', maxBodyLines: 500 };
  assert.deepEqual(codes(lintSkill('# T\n\nText.\n', { ...options, profile: 'lenient' }), 'error'), []);
  assert.deepEqual(codes(lintSkill('# T\n\nText.\n', { ...options, profile: 'spec' }), 'error'), [
    'frontmatter-missing',
  ]);
});

test('spec: a field of ours is not advised into metadata, where it would do nothing', () => {
  const said = (field: string) =>
    lint(`${GOOD}\n${field}: x`, 'spec').find(({ code }) => code === 'spec-field')?.message ?? '';
  assert.match(said('entry'), /no field entry; keep it for Skillwright/);
  assert.match(said('colour'), /no field colour; move it into metadata/);
});
