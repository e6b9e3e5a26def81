// The guard by its data: names in any spelling, places of one project, shapes of repositories.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { obeyedBelow, obeyedBy, openGuard } from './guarded-path.ts';

const NOTHING = { places: [] };
const by = { en: 'x', zh: 'x' };

test('names count at any depth and in any spelling, nested ones only together', () => {
  for (const file of [
    'a/.GIT/config',
    '.git./x',
    'b/Claude.MD',
    'A.Code-Workspace',
    'a/.yarn/plugins/x',
    '.cache/skillwright/code/x',
    '.mise.ci.toml',
  ])
    assert.ok(obeyedBy(file, NOTHING), file);
  for (const file of ['a/plugins/x', '.yarn/cache/x', 'git', 'a/bin/x', 'misery.toml', 'x/HEAD'])
    assert.equal(obeyedBy(file, NOTHING), undefined, file);
});

test('places of a project count with all below them, in any spelling; a link may not be put above one', () => {
  const guarded = { places: [{ path: 'tools/skills', by }] };
  for (const file of ['tools/skills', 'Tools/SKILLS/a/b']) assert.equal(obeyedBy(file, guarded), by, file);
  for (const file of ['tools', 'tools/skills-not/x']) assert.equal(obeyedBy(file, guarded), undefined, file);
  assert.equal(obeyedBelow('tools', guarded), by);
  assert.ok(obeyedBelow('a/.yarn', guarded));
  assert.equal(obeyedBelow('tool', guarded), undefined);
  assert.equal(obeyedBy('anything', { places: [{ path: '', by }] }), by);
});

test('a repository is recognised by what is there, by what is asked about, and by what was let through before', () => {
  const there = openGuard(NOTHING, (folder) => (folder === 'a/r' ? ['HEAD', 'objects', 'refs'] : []));
  assert.ok(there('a/r/config') && there('a/r/deep/er'));
  assert.equal(there('a/config'), undefined);
  const completed = openGuard(NOTHING, () => ['head', 'OBJECTS']);
  assert.equal(completed('config'), undefined);
  assert.ok(completed('refs/heads/x'));
  const bitByBit = openGuard(NOTHING, () => []);
  assert.deepEqual(['r/HEAD', 'r/objects/x', 'r/config'].map(bitByBit), [undefined, undefined, undefined]);
  assert.ok(bitByBit('r/refs/x'));
});
