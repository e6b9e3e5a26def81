import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { repository, temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';

import { findProject } from '../config/project-folder.ts';
import { checksum } from '../registry/index-cache.ts';
import { createRuntime } from './runtime.ts';

function makePlaces(t: TestContext): { project: string; home: string } {
  const folder = temporaryFolder(t);
  const places = { project: path.join(folder, 'home/mine/project'), home: path.join(folder, 'home') };
  mkdirSync(path.join(places.project, '.agent/skills/one'), { recursive: true });
  writeFileSync(path.join(places.project, '.agent/skills/one/SKILL.md'), '---\nname: one\ndescription: d\n---\n');
  return places;
}

test('the runtime joins settings, roots and index', async (t) => {
  const places = makePlaces(t);
  const runtime = await createRuntime({ ...places, env: { LANG: 'zh_CN.UTF-8' }, clock: { now: () => 1000 } });
  assert.equal(runtime.language, 'zh');
  assert.equal(runtime.builtin, path.join(repository, 'skills'));
  assert.ok(runtime.index().skills.some((skill) => skill.skillId === 'project:one'));
  assert.ok(existsSync(path.join(places.home, '.agent/cache/index')));
  assert.equal(existsSync(path.join(places.project, '.agent/cache')), false);
  const answering = runtime.answering('skills', 'invoke');
  assert.deepEqual(
    { ...answering, now: answering.now() },
    {
      agent: 'skills',
      surface: 'invoke',
      language: 'zh',
      startedAt: 1000,
      now: 1000,
    },
  );
});

test('a broken settings file leaves the index readable and refuses what needs the settings', async (t) => {
  const places = makePlaces(t);
  writeFileSync(path.join(places.project, '.agent/config.json'), '{');
  const runtime = await createRuntime({ ...places, env: {} });
  assert.ok(runtime.index().skills.length > 0);
  assert.equal(runtime.configDiagnostics[0]?.severity, 'error');
  assert.throws(runtime.requireConfig, (error) => error instanceof Fault && error.type === 'ConfigInvalid');
});

test('the project is the nearest folder above that is marked as one', (t) => {
  const { project, home } = makePlaces(t);
  mkdirSync(path.join(project, 'src/deep'), { recursive: true });
  assert.equal(findProject(path.join(project, 'src/deep'), home), project);
  mkdirSync(path.join(project, 'src/.git'));
  assert.equal(findProject(path.join(project, 'src/deep'), home), path.join(project, 'src'));
});

test('neither home nor a folder anyone may write to becomes the project of what lies below', (t) => {
  const { home } = makePlaces(t);
  mkdirSync(path.join(home, '.agent'), { recursive: true });
  assert.equal(findProject(path.join(home, 'mine'), home), path.join(home, 'mine'));
  assert.equal(findProject(home, home), home);
  const shared = path.join(home, 'work/shared');
  mkdirSync(path.join(shared, '.agent'), { recursive: true });
  mkdirSync(path.join(shared, 'mine'));
  assert.equal(findProject(path.join(shared, 'mine'), home), shared);
  chmodSync(shared, 0o777);
  assert.equal(findProject(path.join(shared, 'mine'), home), path.join(shared, 'mine'));
  assert.equal(findProject(shared, home), shared);
});

test('a project above that another user set up is not taken unasked; the folder one stands in may be of anybody', (t) => {
  const { project, home } = makePlaces(t);
  const below = path.join(project, 'src');
  mkdirSync(below);
  const isRoot = process.getuid?.() === 0;
  const mark = path.join(project, '.agent');
  const [owner, other] = isRoot ? [65534, 65533] : [process.getuid?.() ?? 0, 65533];
  if (isRoot) chownSync(mark, owner, owner);
  const refused = (error: unknown) =>
    error instanceof Fault && error.type === 'NotTrusted' && error.hint.en.includes(`--project ${project}`);
  assert.throws(() => findProject(below, home, other), refused);
  assert.equal(findProject(below, home, owner), project);
  assert.equal(findProject(project, home, other), project);
  if (!isRoot) return t.diagnostic('files of root and of a folder’s owner not run: only root can give files away');
  assert.throws(() => findProject(below, home), refused, 'root takes no project of somebody else');
  chownSync(mark, 0, 0);
  assert.equal(findProject(below, home, other), project, 'what root set up counts for all');
  chownSync(project, owner, owner);
  assert.throws(() => findProject(below, home), refused, 'the folder itself counts like its mark');
});

test('threat 62 blocked: an index cache planted in a project is not read', async (t) => {
  const places = makePlaces(t);
  await plantCache(places, places.project);
  const runtime = await createRuntime({ ...places, env: {} });
  assert.equal(runtime.index().skills.find((skill) => skill.name === 'one')?.description, 'd');
});

test('threat 62 control: the same cache counts where home is', async (t) => {
  const places = makePlaces(t);
  await plantCache(places, places.home);
  const runtime = await createRuntime({ ...places, env: {} });
  assert.equal(runtime.index().skills.find((skill) => skill.name === 'one')?.description, 'x');
});

/** What an attacker can do who knows where the victim's folders are: a cache with another description and a right checksum. */
async function plantCache(places: { project: string; home: string }, target: string): Promise<void> {
  (await createRuntime({ ...places, env: {} })).index();
  const folder = path.join(places.home, '.agent/cache/index');
  const [name = ''] = readdirSync(folder);
  const stored = readFileSync(path.join(folder, name), 'latin1');
  const [scope = '', check = ''] = stored.split('\n');
  const body = stored.slice(scope.length + check.length + 2).replace('\0oned', '\0onex');
  const right = checksum(Buffer.from(body, 'latin1'));
  rmSync(folder, { recursive: true });
  mkdirSync(path.join(target, '.agent/cache/index'), { recursive: true });
  writeFileSync(path.join(target, '.agent/cache/index', name), `${scope}\n${right}\n${body}`, 'latin1');
}
