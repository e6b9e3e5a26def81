import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import type { Source } from '../skill/skill.ts';
import { discover, type Index } from './discover.ts';
import { resolveSkill } from './resolve.ts';
import type { Root } from './roots.ts';

/** Each skill as `source folder name version?`. */
function makeIndex(t: TestContext, ...skills: [Source, string, string, string?][]): Index {
  const folder = temporaryFolder(t);
  for (const [source, place, name, version] of skills) {
    mkdirSync(path.join(folder, source, place), { recursive: true });
    const extra = version ? `version: "${version}"\n` : '';
    writeFileSync(path.join(folder, source, place, 'SKILL.md'), `---\nname: ${name}\ndescription: d\n${extra}---\n`);
  }
  const roots = (['project', 'user', 'builtin'] as const).map((source): Root => {
    return { folder: path.join(folder, source), source, label: source };
  });
  return discover(roots, { blockAngleBrackets: true });
}

function find(index: Index, reference: string, source?: Source): string {
  const resolved = resolveSkill(index, reference, source ? { source } : {});
  if ('damaged' in resolved) return `damaged: ${resolved.damaged.folderName}`;
  if ('found' in resolved) return `${resolved.found.source} ${resolved.found.folderName}`;
  return `none of ${resolved.missing}: ${resolved.suggestions.join(', ')}`;
}

test('003-05 003-06 a skill answers to its folder and to its name', (t) => {
  const index = makeIndex(t, ['user', 'md-tools-v1', 'markdown-converter']);
  assert.equal(find(index, '@md-tools-v1'), 'user md-tools-v1');
  assert.equal(find(index, '@markdown-converter'), 'user md-tools-v1');
  assert.equal(find(index, 'markdown-converter'), 'user md-tools-v1');
});

test('003-07 the folder is tried before the name', (t) => {
  const index = makeIndex(t, ['project', 'a', 'b'], ['project', 'b', 'a']);
  assert.equal(find(index, '@a'), 'project a');
  assert.equal(find(index, '@b'), 'project b');
});

test('003-37 a title is found by title, slug and folder', (t) => {
  const index = makeIndex(t, ['user', 'marketing-ideas', 'Marketing Ideas Generator']);
  for (const reference of [
    'Marketing Ideas Generator',
    'marketing-ideas-generator',
    'marketing_ideas',
    'Marketing-Ideas',
  ]) {
    assert.equal(find(index, reference), 'user marketing-ideas', reference);
  }
});

test('002-41 002-47 the higher source wins; a prefix or --source picks another', (t) => {
  const index = makeIndex(t, ['project', 'x', 'x'], ['user', 'x', 'x'], ['builtin', 'x', 'x']);
  assert.equal(find(index, 'x'), 'project x');
  assert.equal(find(index, 'user:x'), 'user x');
  assert.equal(find(index, '@builtin:x'), 'builtin x');
  assert.equal(find(index, 'x', 'user'), 'user x');
  assert.equal(find(index, 'project:x', 'builtin'), 'builtin x');
  assert.match(find(makeIndex(t, ['project', 'x', 'x']), 'user:x'), /^none of x/);
});

test('a shadowed skill never takes the place of the one that shadows it, but its own folder finds it', (t) => {
  const index = makeIndex(t, ['project', 'my-pdf', 'pdf'], ['user', 'pdf', 'pdf'], ['project', 'old-pdf', 'pdf']);
  assert.equal(find(index, 'pdf'), 'project my-pdf');
  assert.equal(find(index, 'user:pdf'), 'user pdf');
  assert.equal(find(index, 'old-pdf'), 'project old-pdf');
});

test('003-07 of several skills of one name, the one whose folder has it owns it', (t) => {
  const index = makeIndex(
    t,
    ['project', 'aa', 'x'],
    ['project', 'ab', 'x'],
    ['project', 'org/x', 'x'],
    ['project', 'x', 'x'],
  );
  for (const name of ['x', '@x', 'project:x']) assert.equal(find(index, name), 'project x', name);
  assert.equal(find(index, 'x', 'project'), 'project x');
  for (const folder of ['aa', 'ab', 'org/x']) assert.equal(find(index, folder), `project ${folder}`);
  const states = index.skills.map(({ folderName, state, diagnostics }) => [
    folderName,
    state,
    diagnostics.flatMap(({ message }) => /: (\S+) is used/.exec(message)?.[1]?.slice(-2) ?? []),
  ]);
  assert.deepEqual(states, [
    ['aa', 'shadowed', ['/x']],
    ['ab', 'shadowed', ['/x']],
    ['org/x', 'shadowed', ['/x']],
    ['x', 'visible', []],
  ]);
});

test('002-48 a namespace is part of the folder, and the name alone is enough', (t) => {
  const index = makeIndex(
    t,
    ['project', 'acme/pdf', 'pdf'],
    ['project', 'other/pdf', 'pdf'],
    ['project', 'acme/x', 'Extra'],
  );
  assert.equal(find(index, 'other/pdf'), 'project other/pdf');
  assert.equal(find(index, '@acme/pdf'), 'project acme/pdf');
  assert.equal(find(index, 'pdf'), 'project acme/pdf');
  assert.equal(find(index, 'x'), 'project acme/x');
});

test('a whole skill_id is a reference', (t) => {
  const index = makeIndex(t, ['project', 'x', 'x', '2.0'], ['user', 'x', 'x', '1.0']);
  assert.equal(find(index, 'user:x@1.0'), 'user x');
  assert.equal(find(index, 'x@1.0'), 'user x');
  assert.match(find(index, 'x@3.0'), /^none/);
  for (const skill of index.skills) assert.equal(find(index, skill.skillId), `${skill.source} ${skill.folderName}`);
});

test('names with a colon of their own are names', (t) => {
  const index = makeIndex(t, ['project', 'board', 'hub:board']);
  assert.equal(find(index, 'hub:board'), 'project board');
});

test('a miss suggests what is near', (t) => {
  const index = makeIndex(t, ['project', 'pdf-tools', 'pdf-tools'], ['user', 'release-notes', 'release-notes']);
  assert.equal(find(index, 'pdf-tolos'), 'none of pdf-tolos: pdf-tools');
  assert.equal(find(index, 'notes'), 'none of notes: release-notes');
  assert.equal(find(index, '@zzz'), 'none of zzz: ');
  assert.equal(find(index, ''), 'none of : ');
  assert.equal(find(index, '../pdf-tools'), 'none of ../pdf-tools: pdf-tools');
});
