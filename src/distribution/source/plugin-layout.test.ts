import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fault } from '../../base/errors.ts';
import { groupSkills } from './offer.ts';

function offerOf(files: Record<string, string | object>) {
  return Object.entries(files).map(([path, content]) => {
    const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
    return { path, executable: false, size: bytes.length, read: () => bytes };
  });
}

const choose = (files: Record<string, string | object>, ...names: string[]) =>
  groupSkills(offerOf(files), { names }).map(({ folder }) => folder);

const SKILLS = { 'skills/a/SKILL.md': '', 'skills/b/SKILL.md': '', 'test/fixture/SKILL.md': '', 'docs/c/SKILL.md': '' };
const SCHEMA = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';

test('without a manifest every SKILL.md counts', () => {
  assert.deepEqual(choose(SKILLS), ['docs/c', 'skills/a', 'skills/b', 'test/fixture']);
  assert.equal(choose({ ...SKILLS, 'plugin.json': { name: 'of-something-else' } }).length, 4);
  assert.equal(choose({ ...SKILLS, '.claude-plugin/plugin.json': '{' }).length, 4);
});

test('an Agent Plugin offers the skills right below its folder; others by name', () => {
  const files = { ...SKILLS, 'skills/deep/er/SKILL.md': '', 'plugin.json': { $schema: SCHEMA, name: 'tools' } };
  assert.deepEqual(choose(files), ['skills/a', 'skills/b']);
  assert.deepEqual(choose(files, 'tools'), ['skills/a', 'skills/b']);
  assert.deepEqual(choose(files, 'fixture'), ['test/fixture']);
  assert.throws(() => choose(files, 'nothing'), Fault);
});

test('a plugin of Claude Code offers its folder and what it lists on top', () => {
  const files = { ...SKILLS, '.claude-plugin/plugin.json': { name: 'tools', skills: ['./docs', '../outside'] } };
  assert.deepEqual(choose(files), ['skills/a', 'skills/b', 'docs/c']);
});

test('a marketplace names its plugins, each with the skills it lists or has; what lies elsewhere is left out', () => {
  const marketplace = {
    plugins: [
      { name: 'office', source: './', skills: ['./skills/a', './nowhere'] },
      { name: 'tools', source: './plugins/tools' },
      { name: 'remote', source: { source: 'github', repo: 'x/y' } },
      { name: 'up', source: '../..' },
    ],
  };
  for (const path of ['.claude-plugin/marketplace.json', '.agents/plugins/marketplace.json']) {
    const files = { ...SKILLS, 'plugins/tools/skills/d/SKILL.md': '', [path]: marketplace };
    assert.deepEqual(choose(files), ['skills/a', 'plugins/tools/skills/d']);
    assert.deepEqual(choose(files, 'tools'), ['plugins/tools/skills/d']);
    assert.deepEqual(choose(files, 'office', 'b'), ['skills/a', 'skills/b']);
  }
});

test('no manifest makes it fail, or offers what is not there', () => {
  const value = fc.oneof(fc.string(), fc.json(), fc.constantFrom('./', '..', 'skills', '/'));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('name', 'skills', 'source', 'plugins'), value), (entry) => {
      const files = { ...SKILLS, '.claude-plugin/marketplace.json': { plugins: [entry] } };
      for (const folder of choose(files)) assert.ok(`${folder}/SKILL.md` in SKILLS);
    }),
  );
});
