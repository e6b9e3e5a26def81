import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { findRoots } from './roots.ts';

function makePlaces(t: TestContext): { project: string; home: string; builtin: string } {
  const folder = temporaryFolder(t);
  const places = { project: path.join(folder, 'home/project'), home: path.join(folder, 'home'), builtin: '/shipped' };
  mkdirSync(places.project, { recursive: true });
  return places;
}

test('002-44 002-46 003-11 roots in order: three of the project, the same three of the user, builtin', (t) => {
  const places = makePlaces(t);
  const roots = findRoots({ ...places, config: {} });
  assert.deepEqual(
    roots.map((root) => `${root.source} ${root.label}`),
    [
      'project .agent/skills',
      'project .agents/skills',
      'project .claude/skills',
      'user ~/.agent/skills',
      'user ~/.agents/skills',
      'user ~/.claude/skills',
      'builtin builtin',
    ],
  );
  assert.equal(roots[2]?.folder, path.join(places.project, '.claude/skills'));
  assert.equal(roots[3]?.folder, path.join(places.home, '.agent/skills'));
});

test('skill_roots replaces project and user roots, in order, and keeps builtin', (t) => {
  const places = makePlaces(t);
  const skillRoots = ['~/mine', '.agent/skills', '/opt/skills', 'lib/../more'];
  const roots = findRoots({ ...places, config: { skillRoots } });
  assert.deepEqual(
    roots.map((root) => [root.source, root.folder]),
    [
      ['user', path.join(places.home, 'mine')],
      ['project', path.join(places.project, '.agent/skills')],
      ['project', '/opt/skills'],
      ['project', path.join(places.project, 'more')],
      ['builtin', '/shipped'],
    ],
  );
  assert.deepEqual(
    findRoots({ ...places, config: { skillRoots: [] } }).map((root) => root.source),
    ['builtin'],
  );
});

test('in the home folder every skill is the user’s own', (t) => {
  const { home, builtin } = makePlaces(t);
  const sources = (skillRoots?: string[]) =>
    findRoots({ project: home, home, builtin, config: skillRoots ? { skillRoots } : {} }).map((root) => root.source);
  assert.deepEqual(sources(), ['user', 'user', 'user', 'builtin']);
  assert.deepEqual(sources(['.agent/skills']), ['user', 'builtin']);
});
