// Killed at any instant, an installation leaves the old version or the new one, whole; the next command leaves no trace.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readLock } from '../../../src/distribution/lock.ts';
import { openFolder } from '../../../src/distribution/source/folder.ts';
import { recover } from '../../../src/distribution/transaction.ts';
import { listTrash } from '../../../src/distribution/trash.ts';
import { verifySkill } from '../../../src/distribution/verify.ts';
import { type Ground, install, makeGround, treeOf, writeSkill } from '../../support/install-support.ts';
import { count, repository, runCli } from '../../support/support.ts';

const CHILD = path.join(repository, 'test/support/child/install-child.ts');

interface Run {
  readonly finished: boolean;
  readonly ms: number;
}

/** Killed by itself at a change, or from outside so many milliseconds after it is ready. */
function run(ground: Ground, what: string, kill: { at?: number; afterMs?: number }): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<Run>();
  const child = spawn(process.execPath, [CHILD, ground.folder, what, String(kill.at ?? 0)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let startedAt = 0;
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (startedAt !== 0 || !output.includes('ready')) return;
    startedAt = performance.now();
    if (kill.afterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), kill.afterMs).unref();
  });
  child.on('error', reject);
  child.on('close', () => resolve({ finished: output.includes('done'), ms: performance.now() - startedAt }));
  return promise;
}

function makeVersions(t: TestContext, files: number): Ground {
  const ground = makeGround(t);
  for (const version of ['1.0.0', '2.0.0']) {
    for (const name of ['alpha', 'beta']) {
      const contents = Object.fromEntries(
        Array.from({ length: files }, (_, at) => [`f/${at}.txt`, `${version} ${at}`]),
      );
      writeSkill(path.join(ground.folder, version), { name, version, files: contents });
    }
  }
  return ground;
}

function installFirst(ground: Ground): void {
  install(ground, [openFolder(path.join(ground.folder, '1.0.0'), { names: [] })]);
}

/** Which version both skills have; anything half, mixed or unlocked fails. */
function versionOf({ place }: Ground): string {
  recover(place);
  assert.deepEqual(existsSync(place.root) ? readdirSync(place.root).filter((name) => name.startsWith('.')) : [], []);
  const journals = path.dirname(place.journal);
  const marks = existsSync(journals) ? readdirSync(journals).filter((name) => !name.startsWith('.')) : [];
  assert.deepEqual(marks, []);
  const { skills } = readLock(place.lockFile);
  const folders = existsSync(place.root) ? readdirSync(place.root).sort() : [];
  assert.deepEqual(
    skills.map(({ folder }) => folder),
    folders,
  );
  for (const skill of skills) assert.equal(verifySkill(path.join(place.root, skill.folder), skill).state, 'ok');
  const versions = [...new Set(skills.map(({ version }) => version))];
  assert.ok(versions.length <= 1, `mixed: ${versions.join(' and ')}`);
  return skills.length === 0 ? 'none' : (versions[0] ?? '');
}

test('002-85 an installation killed at each change of the file system leaves nothing or everything', async (t) => {
  const seen = new Set<string>();
  for (let at = 1; ; at += count(1, 4)) {
    const ground = makeVersions(t, 1);
    const { finished } = await run(ground, '1.0.0', { at });
    seen.add(versionOf(ground));
    rmSync(ground.folder, { recursive: true });
    if (finished) break;
  }
  assert.deepEqual([...seen].sort(), ['1.0.0', 'none']);
});

test('002-85 an update killed at each change of the file system leaves the old version or the new one', async (t) => {
  const seen = new Set<string>();
  for (let at = 1; ; at += count(1, 4)) {
    const ground = makeVersions(t, 1);
    installFirst(ground);
    const { finished } = await run(ground, '2.0.0', { at });
    const version = versionOf(ground);
    seen.add(version);
    assert.equal(listTrash(ground.place.trash).length, version === '2.0.0' ? 2 : 0);
    rmSync(ground.folder, { recursive: true });
    if (finished) break;
  }
  assert.deepEqual([...seen].sort(), ['1.0.0', '2.0.0']);
});

test('the next command, whatever it is, finishes or undoes what was killed', async (t) => {
  const seen = new Set<string>();
  for (const at of [2, 8, 14, 20, 26, 32]) {
    const ground = makeVersions(t, 1);
    installFirst(ground);
    await run(ground, '2.0.0', { at });
    const { stdout } = await runCli(['list', '--json'], { cwd: ground.project, home: ground.home });
    const listed = JSON.parse(stdout).data.skills.filter(({ source }: { source: string }) => source === 'project');
    assert.deepEqual(
      listed.map(({ name }: { name: string }) => name),
      ['alpha', 'beta'],
    );
    seen.add(listed[0].version);
    assert.equal(new Set(listed.map(({ version }: { version: string }) => version)).size, 1);
    assert.deepEqual(readdirSync(ground.place.root).sort(), ['alpha', 'beta']);
    assert.equal(existsSync(ground.place.journal), false);
  }
  assert.equal(seen.size, 2);
});

test('an uninstallation killed at each change leaves the skill in its place or in the trash', async (t) => {
  for (let at = 1; ; at += count(1, 3)) {
    const ground = makeVersions(t, 1);
    installFirst(ground);
    const before = treeOf(path.join(ground.place.root, 'alpha'));
    const { finished } = await run(ground, 'uninstall', { at });
    versionOf(ground);
    const [kept] = listTrash(ground.place.trash);
    const where = kept ? path.join(ground.place.trash, kept.id, 'files') : path.join(ground.place.root, 'alpha');
    assert.equal(treeOf(where), before);
    assert.equal(existsSync(path.join(ground.place.root, 'alpha')), kept === undefined);
    rmSync(ground.folder, { recursive: true });
    if (finished) break;
  }
});

/** As a person would go on: whatever the next command is, it leaves no trace of the killed one. */
async function goOn(ground: Ground): Promise<void> {
  const { code, stdout } = await runCli(['verify', '--scope', 'project', '--json'], {
    cwd: ground.project,
    home: ground.home,
  });
  assert.equal(code, 0, stdout);
  const { root, journal } = ground.place;
  const left = [root, path.dirname(journal)].flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
  assert.deepEqual(
    left.filter((name) => name.includes('.staging-') || name.endsWith('.json')),
    [],
  );
}

test('002-85 installations killed at random instants leave nothing or everything', async (t) => {
  const ground = makeVersions(t, 60);
  const { ms } = await run(ground, '1.0.0', {});
  const seen = new Map<string, number>();
  for (let round = 0; round < count(100, 6); round++) {
    for (const made of [ground.place.root, ground.place.lockFile, path.join(ground.home, '.agent')])
      rmSync(made, { recursive: true, force: true });
    await run(ground, '1.0.0', { afterMs: Math.random() * ms });
    await goOn(ground);
    const found = versionOf(ground);
    assert.ok(found === 'none' || found === '1.0.0', found);
    seen.set(found, (seen.get(found) ?? 0) + 1);
  }
  t.diagnostic([...seen].map(([found, times]) => `${found}: ${times}`).join(', '));
});

test('002-85 updates killed at random instants leave the old version or the new one', async (t) => {
  const ground = makeVersions(t, 60);
  installFirst(ground);
  const { ms } = await run(ground, '2.0.0', {});
  let last = '2.0.0';
  let changed = 0;
  for (let round = 0; round < count(100, 6); round++) {
    const next = last === '2.0.0' ? '1.0.0' : '2.0.0';
    // Versions go back and forth, so the order of versions is not the matter here.
    await run(ground, next, { afterMs: Math.random() * ms });
    await goOn(ground);
    const found = versionOf(ground);
    assert.ok(found === last || found === next, found);
    if (found === next) changed++;
    last = found;
  }
  t.diagnostic(`the new version: ${changed}`);
});

test('two installations at once both arrive', async (t) => {
  const ground = makeVersions(t, 20);
  const both = await Promise.all([run(ground, '1.0.0', {}), run(ground, '1.0.0/alpha', {})]);
  assert.ok(both.some(({ finished }) => finished));
  assert.equal(versionOf(ground), '1.0.0');
});
