import assert from 'node:assert/strict';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { listTree } from '../skill/tree.ts';
import { openStore } from '../store/sqlite/store.ts';
import type { Store } from '../store/store.ts';
import { fingerprint } from './fingerprint.ts';
import { describeScan, type ScanEntry, scan } from './scan.ts';

/** Long after every file was written, so that fingerprints are trusted. */
const LATER = Date.now() + 3_600_000;

test('001-28 two new and three edited skills: names, total and the sentence', (t) => {
  const world = makeWorld(t);
  for (const name of ['a', 'b', 'c', 'd']) world.write(name, 'one');
  world.scan();
  for (const name of ['a', 'b', 'c']) world.write(name, 'two');
  for (const name of ['x', 'y']) world.write(name, 'new');
  const result = world.scan();
  assert.deepEqual(result, { added: ['x', 'y'], updated: ['a', 'b', 'c'], removed: [], total: 6, diagnostics: [] });
  assert.equal(describeScan(result).zh, '扫描完成: 新增 2 个, 更新 3 个');
  assert.equal(describeScan(result).en, 'scan finished: 2 added, 3 updated');
});

test('what left the disk leaves the store, and a second scan finds nothing', (t) => {
  const world = makeWorld(t);
  for (const name of ['a', 'b']) world.write(name, 'one');
  world.scan();
  rmSync(path.join(world.root, 'b'), { recursive: true });
  const result = world.scan();
  assert.deepEqual(result, { added: [], updated: [], removed: ['b'], total: 1, diagnostics: [] });
  assert.equal(describeScan(result).zh, '扫描完成: 新增 0 个, 更新 0 个, 移除 1 个');
  assert.deepEqual(world.scan(), { added: [], updated: [], removed: [], total: 1, diagnostics: [] });
  assert.equal(world.store.scanned.all().size, 1);
});

test('any file of the skill counts, a new time alone does not', (t) => {
  const world = makeWorld(t);
  world.write('a', 'one');
  world.scan();
  const file = path.join(world.root, 'a', 'SKILL.md');
  utimesSync(file, 1000, 1000);
  assert.deepEqual(world.scan().updated, []);
  mkdirSync(path.join(world.root, 'a', 'scripts'));
  writeFileSync(path.join(world.root, 'a', 'scripts', 'x.py'), 'print()');
  assert.deepEqual(world.scan().updated, ['a']);
});

test('an edit that keeps size and modification time is seen', (t) => {
  const world = makeWorld(t);
  world.write('a', 'one');
  world.scan();
  const file = path.join(world.root, 'a', 'SKILL.md');
  const { atime, mtime } = statSync(file);
  writeFileSync(file, readFileSync(file, 'utf8').replace('one', 'two'));
  utimesSync(file, atime, mtime);
  assert.deepEqual(world.scan().updated, ['a']);
});

test('files that were changed a moment ago are hashed again, because their times prove nothing yet', (t) => {
  const world = makeWorld(t);
  world.write('a', 'one');
  const folder = path.join(world.root, 'a');
  const tree = listTree(folder);
  assert.equal(fingerprint(tree, Date.now()), '');
  assert.match(fingerprint(tree, LATER), /^[0-9a-f]{32}$/);
});

test('an unchanged skill is not hashed again', (t) => {
  const world = makeWorld(t);
  world.write('a', 'one');
  world.scan();
  const [row] = world.store.scanned.all().values();
  assert.ok(row);
  world.store.scanned.reconcile(() => ({ put: [{ ...row, digest: 'as remembered' }], removeFolders: [] }));
  assert.deepEqual(world.scan().updated, []);
  assert.equal(world.store.scanned.all().get(row.folder)?.digest, 'as remembered');
});

test('a skill that cannot be hashed stays in the list and says why, until it is mended', (t) => {
  const world = makeWorld(t);
  world.write('a', 'one');
  const link = path.join(world.root, 'a', 'out');
  symlinkSync('/', link);
  const { added, diagnostics } = world.scan();
  assert.deepEqual(added, ['a']);
  assert.match(diagnostics[0]?.message ?? '', /out/);
  assert.equal(world.scan().diagnostics.length, 1);
  rmSync(link);
  assert.deepEqual(world.scan(), { added: [], updated: ['a'], removed: [], total: 1, diagnostics: [] });
});

test('a moved skill is one removed and one added', (t) => {
  const world = makeWorld(t);
  world.write('a', 'one');
  world.scan();
  renameSync(path.join(world.root, 'a'), path.join(world.root, 'b'));
  const { added, removed } = world.scan();
  assert.deepEqual({ added, removed }, { added: ['b'], removed: ['a'] });
});

test('a scan that overlaps a newer one neither removes its finds nor brings back what it dropped', (t) => {
  const world = makeWorld(t);
  for (const name of ['keep', 'goes', 'edited']) world.write(name, 'one');
  world.scan();
  const oldIndex = world.index();
  const result = scan(
    oldIndex,
    during(world.store, () => {
      world.write('new', 'one');
      world.write('edited', 'two');
      rmSync(path.join(world.root, 'goes'), { recursive: true });
      world.scan();
    }),
    LATER,
  );
  assert.deepEqual(result, { added: [], updated: [], removed: [], total: 2, diagnostics: [] });
  assert.deepEqual(names(world.store), ['edited', 'keep', 'new']);
  assert.deepEqual(world.scan(), { added: [], updated: [], removed: [], total: 3, diagnostics: [] });
});

/** Something else happens after this scan has looked and before it writes. */
function during(store: Store, happens: () => void): Pick<Store, 'scanned'> {
  const { scanned } = store;
  return {
    scanned: {
      all: () => scanned.all(),
      reconcile(decide) {
        happens();
        return scanned.reconcile(decide);
      },
    },
  };
}

function names(store: Store): string[] {
  return [...store.scanned.all().values()].map(({ name }) => name).sort();
}

function makeWorld(t: TestContext) {
  const root = path.join(temporaryFolder(t), 'skills');
  mkdirSync(root);
  const store = openStore({ home: temporaryFolder(t), project: root });
  t.after(() => store.close());
  const index = () => ({ skills: readdirSync(root).map((name) => entryOf(path.join(root, name))) });
  const write = (name: string, text: string) => {
    mkdirSync(path.join(root, name), { recursive: true });
    writeFileSync(path.join(root, name, 'SKILL.md'), `---\nname: ${name}\ndescription: ${text}\n---\n`);
  };
  const scanNow = () => {
    waitForFileClock();
    return scan(index(), store, LATER);
  };
  return { root, store, index, write, scan: scanNow };
}

function entryOf(folder: string): ScanEntry {
  const name = path.basename(folder);
  const file = path.join(folder, 'SKILL.md');
  return { skillId: `project:${name}`, name, folderName: name, source: 'project', folder, file };
}

// File times move in steps of some milliseconds; what is edited after a scan must not share its step.
function waitForFileClock(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
}
