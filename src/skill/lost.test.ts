import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixSkill } from './lint/fix.ts';
import { lintSkill } from './lint/lint.ts';
import { parseSkill } from './manifest.ts';
import { findBody, readFrontmatter } from './read/frontmatter.ts';

const WHERE = { path: 'a/SKILL.md', folderName: 'a' };
const FIELDS = 'name: a\ndescription: Does it.\n';

function bodyOf(text: string): string {
  return findBody(text, readFrontmatter(text, '').block).body.trim();
}

const FOUND: readonly (readonly [text: string, code: string])[] = [
  [`${FIELDS}---\n\n# T\n`, 'fence-missing'],
  [`${FIELDS}\n---\n\n# T\n`, 'fence-missing'],
  [`${FIELDS}\n# T\n`, 'fence-missing'],
  [`${FIELDS}# T\n`, 'fence-missing'],
  [`\ufeff\n${FIELDS}\n# T\n`, 'fence-missing'],
  [`${FIELDS}\nlicense: MIT\n\n# T\n`.replaceAll('\n', '\r\n'), 'fence-missing'],
  [`description: Use when: asked\nname: a\n\n# T\n`, 'fence-missing'],
  [`Here is the skill:\n\n---\n${FIELDS}---\n# T\n`, 'fence-late'],
  [`Sure.\n\`\`\`yaml\n${FIELDS}\`\`\`\n# T\n`, 'fence-late'],
  [`# Title\n\n\`\`\`yaml\n---\n${FIELDS}---\n\`\`\`\n# T\n`, 'fence-late'],
];

test('fields without fences, behind a few lines of text or in a code block are read, and said to be misplaced', () => {
  for (const [text, code] of FOUND) {
    const { manifest, diagnostics } = parseSkill(text, WHERE);
    assert.equal(manifest?.name, 'a', text);
    assert.match(manifest.description, /Does it\.|Use when: asked/);
    assert.ok(
      diagnostics.some((found) => found.code === code && found.severity === 'warning'),
      text,
    );
    assert.equal(bodyOf(text), '# T', text);
    // Only where the fields open the file it is sure that they speak for it.
    assert.equal(manifest.disableModelInvocation, code === 'fence-late', text);
    const strict = lintSkill(text, { ...WHERE, profile: 'strict', maxBodyLines: 500 });
    assert.ok(
      strict.some((found) => found.code === code && found.severity === 'error'),
      text,
    );
    assert.deepEqual(fixSkill(text, WHERE), { text, applied: [] });
  }
});

test('nothing is given by what was found so, and whatever takes something away counts, wherever it stands', () => {
  const wide = 'network: true\nsecrets: [KEY]\ncommand: ./run.sh\nentry: main.py\n';
  for (const [text] of FOUND) {
    const eol = text.includes('\r') ? '\r\n' : '\n';
    const given = text.replace('name: a', `name: a${eol}${wide.trimEnd().replaceAll('\n', eol)}`);
    const { manifest } = parseSkill(given, WHERE);
    assert.ok(manifest, given);
    assert.deepEqual(
      [manifest.network, manifest.secrets, manifest.command, manifest.entry],
      [false, undefined, undefined, undefined],
      given,
    );
    for (const [guard, key, value] of [
      ['disable-model-invocation: true', 'disableModelInvocation', true],
      ['user-invocable: false', 'userInvocable', false],
      ['allowed-tools: []', 'allowedTools', []],
    ] as const) {
      const guarded = `${text}${eol}${guard}${eol}`;
      assert.deepEqual(parseSkill(guarded, WHERE).manifest?.[key], value, guarded);
    }
  }
});

test('examples, documents and odd texts are no frontmatter', () => {
  const long = 'word '.repeat(300);
  for (const text of [
    `${long}\n---\n${FIELDS}---\n`,
    `one\ntwo\nthree\nfour\nfive\nsix\n---\n${FIELDS}---\n`,
    'name: a\n\nText.\n',
    `name: a\nname: b\ndescription: c\n\n# T\n`,
    `${FIELDS}x: &x y\nz: *x\n\n# T\n`,
    `Text\n---\nmore text\n---\n${FIELDS}`,
    `Text\n---\n${FIELDS}`,
    `title: x\n${FIELDS}\n`,
    `name: a\ndescription: ${long}${'\nx: y'.repeat(10)}`,
  ]) {
    assert.equal(readFrontmatter(text, '').values, undefined, text.slice(0, 60));
  }
});
