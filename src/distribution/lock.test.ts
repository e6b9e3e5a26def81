import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import { digestFiles } from '../skill/digest.ts';
import { changeLock, type LockedSkill, readLock } from './lock.ts';
import { foreignHash, readForeignLock } from './source/foreign-lock.ts';
import { compareVersions } from './version.ts';

const FILES = [{ path: 'SKILL.md', size: 1, mode: 'file' as const, sha256: 'a'.repeat(64) }];

function locked(name: string): LockedSkill {
  const source = { kind: 'git' as const, location: 'https://example.com/x', commit: 'c'.repeat(40) };
  return {
    name,
    folder: name,
    version: '1.0.0',
    digest: digestFiles(FILES),
    source,
    files: FILES,
    installed: '2026-01-01T00:00:00.000Z',
  };
}

test('the order of installations does not show in the lock', (t) => {
  const folder = temporaryFolder(t);
  const [a, b] = [path.join(folder, 'a.json'), path.join(folder, 'b.json')];
  for (const name of ['x', 'a', '__proto__'])
    changeLock(a, [{ name, set: locked(name === '__proto__' ? '_proto' : name) }]);
  changeLock(
    b,
    ['_proto', 'a', 'x'].map((name) => ({ name, set: locked(name) })),
  );
  assert.equal(readFileSync(a, 'utf8'), readFileSync(b, 'utf8'));
  changeLock(b, [{ name: 'x' }]);
  assert.deepEqual(
    readLock(b).skills.map(({ name }) => name),
    ['_proto', 'a'],
  );
});

test('fields of a later version are kept, at the top and in an entry', (t) => {
  const file = path.join(temporaryFolder(t), 'lock.json');
  changeLock(file, [{ name: 'a', set: locked('a') }]);
  const value = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(
    file,
    JSON.stringify({ ...value, later: 1, skills: [{ ...value.skills[0], provenance: { by: 'x' } }] }),
  );
  changeLock(file, [{ name: 'b', set: locked('b') }]);
  const after = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual([after.later, after.skills[0].provenance, after.skills.length], [1, { by: 'x' }, 2]);
});

/** A hash that is no hash, and a digest that fits it. */
function forged(text: string): string {
  const files = FILES.map((file) => ({ ...file, sha256: '\u001b[2J' }));
  return text.replace('a'.repeat(64), '\\u001b[2J').replace(digestFiles(FILES), digestFiles(files));
}

test('a damaged lock is a fault, never an empty lock', (t) => {
  const file = path.join(temporaryFolder(t), 'lock.json');
  changeLock(file, [{ name: 'a', set: locked('a') }]);
  const text = readFileSync(file, 'utf8');
  for (const bad of [
    text.slice(0, 50),
    text.replace('"version": 1,', '"version": 2,'),
    text.replace('"folder": "a"', '"folder": "../a"'),
    text.replace('aaaa', 'bbbb'),
    text.replace('"kind": "git"', '"kind": "magic"'),
    forged(text),
    '[]',
  ]) {
    writeFileSync(file, bad);
    assert.throws(
      () => readLock(file),
      (error) => error instanceof Fault && error.type === 'StateUnusable',
      bad.slice(0, 80),
    );
  }
});

test('skills-lock.json of the skills tool is read: source, ref, path and hash', (t) => {
  const project = temporaryFolder(t);
  assert.deepEqual(readForeignLock(project), []);
  const skills = {
    pdf: {
      source: 'anthropics/skills',
      sourceType: 'github',
      skillPath: 'skills/pdf/SKILL.md',
      ref: 'd'.repeat(40),
      computedHash: 'e',
    },
    local: { source: './here', sourceType: 'local' },
  };
  writeFileSync(path.join(project, 'skills-lock.json'), JSON.stringify({ version: 1, skills }));
  assert.deepEqual(readForeignLock(project), [
    {
      name: 'pdf',
      origin: {
        kind: 'git',
        location: 'https://github.com/anthropics/skills',
        ref: 'd'.repeat(40),
        commit: 'd'.repeat(40),
        path: 'skills/pdf',
      },
      hash: 'e',
    },
  ]);
  const file = (name: string) => ({ path: name, executable: false, size: 1, read: () => Buffer.from(name) });
  assert.equal(foreignHash([file('b'), file('a')]), foreignHash([file('a'), file('b')]));
});

test('versions are compared as far as they can be', () => {
  const before: [string, string][] = [
    ['1.0.0', '1.0.1'],
    ['1.9', '1.10'],
    ['1.0.0-rc.1', '1.0.0'],
    ['1.0.0-rc.2', '1.0.0-rc.10'],
    ['1.0.0-alpha', '1.0.0-beta'],
    ['v1', '2'],
  ];
  for (const [a, b] of before) {
    assert.ok((compareVersions(a, b) ?? 0) < 0, `${a} < ${b}`);
    assert.ok((compareVersions(b, a) ?? 0) > 0, `${b} > ${a}`);
  }
  assert.equal(compareVersions('1.0', '1.0.0+build'), 0);
  for (const odd of ['latest', '', undefined, '1.x', '1.2.3.4.5'])
    assert.equal(compareVersions(odd, '1.0.0'), undefined);
});
