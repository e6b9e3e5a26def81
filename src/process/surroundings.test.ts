import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../test/support/support.ts';
import { takeSnapshot } from './snapshot.ts';
import { standAmong } from './surroundings.ts';
import { openWorkFolder, othersRun } from './work-folder.ts';

function open(t: TestContext) {
  const folder = realpathSync(temporaryFolder(t));
  const project = path.join(folder, 'project');
  const skill = path.join(project, 'roles/one/skills/own');
  mkdirSync(path.join(skill, 'scripts'), { recursive: true });
  writeFileSync(path.join(skill, 'scripts/run.py'), 'print(1)\n');
  symlinkSync('scripts/run.py', path.join(skill, 'start'));
  mkdirSync(path.join(project, 'roles/one/skills/other'));
  writeFileSync(path.join(project, 'roles/one/role.yaml'), 'name: one\n');
  const snapshot = takeSnapshot(skill, { store: path.join(folder, 'snapshots') }).folder;
  const parent = path.join(folder, 'work');
  const work = openWorkFolder(parent);
  t.after(() => work.close());
  return { project, skill, snapshot, work: work.folder, parent };
}

test('the copy has what the snapshot has, and around it every name of the project leads to the project', async (t) => {
  const { project, skill, snapshot, work, parent } = open(t);
  using around = standAmong({ project, skill, snapshot }, work);
  assert.ok(around);
  assert.equal(path.relative(around.root, around.skill), 'roles/one/skills/own');
  assert.equal(path.basename(around.root), 'project');
  assert.equal(readFileSync(path.join(around.skill, 'start'), 'utf8'), 'print(1)\n');
  assert.equal(readlinkSync(path.join(around.skill, 'start')), 'scripts/run.py');
  assert.deepEqual(readdirSync(path.join(around.root, 'roles/one')).sort(), ['role.yaml', 'skills']);
  assert.equal(readlinkSync(path.join(around.skill, '../other')), path.join(path.dirname(skill), 'other'));
  assert.equal(readFileSync(path.join(around.root, 'roles/one/role.yaml'), 'utf8'), 'name: one\n');
  assert.equal(othersRun(work), false, 'it does not pass for another call');
  around[Symbol.dispose]();
  assert.equal(existsSync(around.root), false);
  while (readdirSync(parent).length > 1) await sleep(1);
  assert.deepEqual(readdirSync(parent), [path.basename(work)]);
});

test('a folder with very many names shows the way to the skill only', (t) => {
  const { project, skill, snapshot, work } = open(t);
  for (let number = 0; number < 1000; number++) writeFileSync(path.join(path.dirname(skill), `n${number}`), '');
  using around = standAmong({ project, skill, snapshot }, work);
  assert.ok(around);
  assert.deepEqual(readdirSync(path.dirname(around.skill)), ['own']);
  assert.deepEqual(readdirSync(path.join(around.root, 'roles/one')).sort(), ['role.yaml', 'skills']);
});

test('a module keeps the time nobody could foresee, so that no compiled one passes for it', (t) => {
  const { project, skill, snapshot, work } = open(t);
  using around = standAmong({ project, skill, snapshot }, work);
  const [copied, approved] = [around?.skill ?? '', snapshot].map((folder) =>
    statSync(path.join(folder, 'scripts/run.py')),
  );
  assert.deepEqual([copied?.mtimeMs, copied?.mode], [approved?.mtimeMs, approved?.mode]);
});

test('a skill that lies outside the project, also behind a link, has no neighbours to show', (t) => {
  const { project, skill, snapshot, work, parent } = open(t);
  const linked = path.join(project, 'linked');
  symlinkSync(path.dirname(snapshot), linked);
  for (const outside of [snapshot, path.join(linked, path.basename(snapshot)), project])
    assert.equal(standAmong({ project, skill: outside, snapshot }, work), undefined);
  assert.equal(standAmong({ project, skill: path.join(skill, 'gone'), snapshot }, work), undefined);
  assert.deepEqual(readdirSync(parent), [path.basename(work)]);
});
