import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILE_LIMIT, findBody, findFrontmatter, readFrontmatter } from './frontmatter.ts';

function read(text: string) {
  const frontmatter = readFrontmatter(text, 'SKILL.md');
  return { ...frontmatter, codes: frontmatter.diagnostics.map(({ code }) => code) };
}

function bodyOf(text: string): string {
  return findBody(text, read(text).block).body;
}

test('a clean file has values, no diagnostics, and its body begins below the fence', () => {
  const text = '---\nname: a\ndescription: b\n---\n\n# Body\n';
  const { values, codes, block } = read(text);
  assert.deepEqual({ ...values }, { name: 'a', description: 'b' });
  assert.deepEqual(codes, []);
  assert.deepEqual(findBody(text, block), { body: '\n# Body\n', line: 5 });
});

test('an empty block and a block at the end of the file are found', () => {
  assert.equal(findFrontmatter('---\n---\n')?.text, '');
  assert.equal(findFrontmatter('---\nname: a\n---')?.text, 'name: a\n');
  assert.equal(findFrontmatter('# Title\n\n---\n\ntext'), undefined);
});

test('a beginning without its end says that there is more to read', () => {
  assert.equal(findFrontmatter('---\nname: a\ndescr')?.closed, false);
  for (const odd of ['  ---', '----', '...']) {
    const text = `---\nname: a\ndescription: |\n  b\n${odd}\n`;
    assert.equal(findFrontmatter(text)?.closed, false, odd);
    assert.equal(read(text).block?.closed, true, odd);
  }
});

const FENCES: [name: string, text: string, code: string][] = [
  ['byte order mark', '\ufeff---\nname: a\ndescription: b\n---\nbody\n', 'bom'],
  ['CR LF', '---\r\nname: a\r\ndescription: b\r\n---\r\nbody\n', 'line-endings'],
  ['blank lines first', '\n\n---\nname: a\ndescription: b\n---\nbody\n', 'fence-loose'],
  ['blanks after the dashes', '--- \nname: a\ndescription: b\n---\nbody\n', 'fence-loose'],
  ['indented dashes', '---\nname: a\ndescription: b\n   ---\nbody\n', 'fence-loose'],
  ['more dashes', '-----\nname: a\ndescription: b\n-----\nbody\n', 'fence-loose'],
  ['dots at the end', '---\nname: a\ndescription: b\n...\nbody\n', 'fence-loose'],
  ['comment first', '<!-- from here -->\n---\nname: a\ndescription: b\n---\nbody\n', 'fence-comment'],
  ['code fence', '```yaml\n---\nname: a\ndescription: b\n---\n```\nbody\n', 'fence-code-block'],
  ['code fence alone', '```yaml\nname: a\ndescription: b\n```\nbody\n', 'fence-code-block'],
];

for (const [name, text, code] of FENCES) {
  test(`fences: ${name} is read and reported`, () => {
    const { values, codes } = read(text);
    assert.deepEqual({ ...values }, { name: 'a', description: 'b' });
    assert.ok(codes.includes(code), codes.join());
    assert.equal(bodyOf(text), 'body\n');
  });
}

test('a missing closing fence ends before a heading that follows a blank line', () => {
  const text = '---\nname: a\ndescription: b\n\n# Title\n\nSome text: here\n';
  const { values, codes } = read(text);
  assert.deepEqual({ ...values }, { name: 'a', description: 'b' });
  assert.deepEqual(codes, ['frontmatter-unclosed']);
  assert.equal(bodyOf(text), '# Title\n\nSome text: here\n');
});

test('a rule in the body does not close a frontmatter that was left open', () => {
  const text = '---\nname: a\ndescription: b\n\n# Title\n\nSome text.\ncommand: rm\n\n---\n\nMore.\n';
  const { values, codes } = read(text);
  assert.deepEqual({ ...values }, { name: 'a', description: 'b' });
  assert.deepEqual(codes, ['frontmatter-unclosed']);
  assert.ok(bodyOf(text).startsWith('# Title'));
});

test('comments inside a valid frontmatter end nothing', () => {
  const { values, codes } = read('---\nname: a\n\n# Who it is for\ndescription: b\n---\n');
  assert.deepEqual({ ...values }, { name: 'a', description: 'b' });
  assert.deepEqual(codes, []);
});

const REQUOTED: [name: string, line: string, value: string, fixed: string][] = [
  ['a colon inside', 'description: Use when: asked', 'Use when: asked', 'description: "Use when: asked"'],
  ['brackets and text', 'description: [x] text: y', '[x] text: y', 'description: "[x] text: y"'],
  ['a leading @', 'description: @State and more', '@State and more', 'description: "@State and more"'],
  ['a leading backtick', 'description: `x` runs', '`x` runs', 'description: "`x` runs"'],
  ['quotes and text', 'description: "x" or: y', '"x" or: y', `description: '"x" or: y'`],
  ['a leading star', 'description: *bold* text', '*bold* text', 'description: "*bold* text"'],
];

for (const [name, line, value, fixed] of REQUOTED) {
  test(`quotes: ${name} is read as text, with the corrected line`, () => {
    const { values, diagnostics } = read(`---\nname: a\n${line}\n---\n`);
    assert.equal(values?.description, value);
    assert.deepEqual(
      diagnostics.map(({ code, line: at, column, fix }) => ({ code, at, column, fix })),
      [{ code: 'yaml-requoted', at: 3, column: 1, fix: fixed }],
    );
  });
}

test('text that goes on over several lines is quoted as a whole', () => {
  const { values, codes } = read('---\nname: a\ndescription: Use when: asked\n  and also: here\nlicense: MIT\n---\n');
  assert.equal(values?.description, 'Use when: asked and also: here');
  assert.equal(values?.license, 'MIT');
  assert.deepEqual(codes, ['yaml-requoted']);
});

test('a broken field keeps its text and the others their values', () => {
  const { values, codes } = read('---\nname: a\nmetadata: {"a": {"b": 1}\ndescription: b\n---\n');
  assert.equal(values?.metadata, '{"a": {"b": 1}');
  assert.equal(values?.description, 'b');
  assert.deepEqual(codes, ['yaml-salvaged']);
});

test('of two equal fields the first one counts', () => {
  const { values, codes } = read('---\nname: a\ndescription: b\ndescription: c\n---\n');
  assert.equal(values?.description, 'b');
  assert.deepEqual(codes, ['yaml-duplicate-key']);
});

const RESTRICTED: [name: string, lines: string, field: string, value: unknown][] = [
  ['tools that do not parse', 'allowed-tools: [Read, Write', 'allowed-tools', []],
  ['a bare star', 'allowed-tools: *', 'allowed-tools', []],
  ['tools said twice', 'allowed-tools: Read\nallowed-tools: Bash', 'allowed-tools', []],
  ['a flag that does not parse', 'disable-model-invocation: "false', 'disable-model-invocation', true],
  ['a flag said twice', 'user-invocable: true\nuser-invocable: true', 'user-invocable', false],
  ['network that does not parse', 'network: {true', 'network', false],
  ['a command that does not parse', 'command: ./run.sh: {x', 'command', undefined],
  ['an entry that does not parse', 'entry: [x', 'entry', undefined],
];

for (const [name, lines, field, value] of RESTRICTED) {
  test(`a guard is never salvaged: ${name}`, () => {
    const { values, diagnostics } = read(`---\nname: a\ndescription: b\n${lines}\n---\n`);
    assert.deepEqual(values?.[field], value);
    assert.ok(diagnostics.some(({ code, message }) => code === 'field-restricted' && message.includes(field)));
  });
}

const HIDDEN_GUARDS: [name: string, text: string, field: string, value: unknown][] = [
  ['inside broken text', 'name: a\ndescription: "b\n  allowed-tools: Read', 'allowed-tools', []],
  [
    'below a heading that ended the block',
    'name: a\ndescription: b: c\n\n# Tools\nallowed-tools: Read',
    'allowed-tools',
    [],
  ],
  ['as a continuation of text', 'name: a\ndescription: b: c\n  user_invocable: false', 'user-invocable', false],
  ['in a broken map', 'name: a\ndescription: b\nx: {disable-model-invocation: true', 'disable-model-invocation', true],
];

for (const [name, text, field, value] of HIDDEN_GUARDS) {
  test(`a mended frontmatter hides no guard: ${name}`, () => {
    const { values } = read(`---\n${text}\n---\n`);
    assert.deepEqual(values?.[field], value);
  });
}

test('what gives a skill something is not believed once a field could not be read', () => {
  for (const end of ['', '\nx: c"']) {
    const { values } = read(
      `---\nname: a\ndescription: "b\nnetwork: true\nsecrets: [KEY]\ncommand: ./run.sh${end}\n---\n`,
    );
    assert.equal(values?.network, false);
    assert.equal(values && ('command' in values || 'secrets' in values), false);
  }
});

test('added quotes alone leave the other fields believed', () => {
  const { values } = read('---\nname: a\ndescription: b: c\nnetwork: true\nallowed-tools: Read\n---\n');
  assert.equal(values?.network, true);
  assert.equal(values?.['allowed-tools'], 'Read');
});

test('threat 23 blocked: a frontmatter over 64 KiB and a file over 1 MiB are refused', () => {
  const large = `---\nname: a\ndescription: ${'x'.repeat(64 * 1024)}\n---\n`;
  assert.deepEqual(read(large).codes, ['frontmatter-too-large']);
  const wide = `---\nname: a\ndescription: ${'中'.repeat(22 * 1024)}\n---\n`;
  assert.deepEqual(read(wide).codes, ['frontmatter-too-large']);
  const long = `---\nname: a\ndescription: b\n---\n${'x'.repeat(FILE_LIMIT)}`;
  assert.deepEqual(read(long).codes, ['file-too-large']);
});

test('an anchor is refused with its line (decided: full YAML without aliases instead of a subset)', () => {
  const { values, diagnostics } = read('---\nname: a\ndescription: b\nx: &x y\nz: *x\n---\n');
  assert.equal(values, undefined);
  assert.deepEqual(
    diagnostics.map(({ code, line, severity }) => ({ code, line, severity })),
    [{ code: 'yaml-alias', line: 4, severity: 'error' }],
  );
});

test('what cannot be read at all is one error with a place', () => {
  for (const text of ['---\n[[[\n---\n', '---\njust text\n---\n', '---\n', 'text', '']) {
    const { values, diagnostics } = read(text);
    assert.equal(values, undefined);
    assert.equal(diagnostics.filter(({ severity }) => severity === 'error').length, 1, text);
    assert.ok(diagnostics[0]?.line !== undefined);
  }
});
