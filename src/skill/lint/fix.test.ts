import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSkill } from '../manifest.ts';
import { fixSkill } from './fix.ts';

const WHERE = { path: 'SKILL.md', folderName: 'a' };
const CLEAN = '---\nname: a\ndescription: b\n---\nbody\n';

const CASES: [name: string, text: string, fixed: string][] = [
  ['nothing to do', CLEAN, CLEAN],
  ['byte order mark', `\ufeff${CLEAN}`, CLEAN],
  ['line endings', CLEAN.replaceAll('\n', '\r\n'), CLEAN],
  ['loose fences', '\n--- \nname: a\ndescription: b\n----\nbody\n', CLEAN],
  ['a comment first', `<!-- c -->\n${CLEAN}`, '---\nname: a\ndescription: b\n---\n<!-- c -->\nbody\n'],
  ['a code fence around the frontmatter', '```yaml\n---\nname: a\ndescription: b\n---\n```\nbody\n', CLEAN],
  ['a code fence around the file', '```markdown\n---\nname: a\ndescription: b\n---\nbody\n```\n', CLEAN],
  ['an open end', '---\nname: a\ndescription: b\n\n# T\n', '---\nname: a\ndescription: b\n---\n# T\n'],
  [
    'quotes',
    '---\nname: a\ndescription: b: c\n  and d\nversion: 1.10\n---\nbody\n',
    '---\nname: a\ndescription: "b: c and d"\nversion: "1.10"\n---\nbody\n',
  ],
  [
    'spelling',
    '---\nname: a\ndescription: b\nuser_invocable: false\nargument-hint: [x]\n---\nbody\n',
    '---\nname: a\ndescription: b\nuser-invocable: false\nargument-hint: "[x]"\n---\nbody\n',
  ],
];

for (const [name, text, fixed] of CASES) {
  test(`fix: ${name}`, () => {
    const result = fixSkill(text, WHERE);
    assert.equal(result.text, fixed);
    assert.equal(result.applied.length > 0, text !== fixed);
    assert.deepEqual(parseSkill(result.text, WHERE).diagnostics, []);
    assert.deepEqual(fixSkill(result.text, WHERE), { text: fixed, applied: [] });
  });
}

test('what only the author can decide is left alone', () => {
  for (const fields of [
    'commands: ./run.sh',
    'allowed-tools: [',
    'metadata: {"a": ',
    'description: c',
    'network_: true',
  ]) {
    const text = `---\nname: a\ndescription: b\n${fields}\n---\n`;
    assert.equal(fixSkill(text, WHERE).text, text, fields);
  }
  assert.equal(fixSkill('# Title\n', WHERE).text, '# Title\n');
});

test('a fix changes no value that was read', () => {
  for (const [, text] of CASES) {
    const before = parseSkill(text, WHERE).manifest;
    const after = parseSkill(fixSkill(text, WHERE).text, WHERE).manifest;
    assert.deepEqual({ ...after, unknown: undefined }, { ...before, unknown: undefined });
  }
});
