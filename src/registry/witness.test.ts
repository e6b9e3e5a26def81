// When a SKILL.md is opened again, and when what was read of it counts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { diskFolder, temporaryFolder } from '../../test/support/support.ts';
import { discover } from './discover.ts';
import { checksum, openIndexCache } from './index-cache.ts';
import { CLOCK_STEP_MS, isSettled, trustedFolder, witnessOf } from './witness.ts';

const TMPFS = 0x01021994;
/** Longer than the clock of files stands still. */
const TICK_MS = 20;

/** Skills in a folder, and what a scan at some time says of them and opens. */
function makeBench(folder: string) {
  const [skills, cache] = [path.join(folder, 'skills'), path.join(folder, 'cache')];
  const fileOf = (name: string) => path.join(skills, name, 'SKILL.md');
  const write = (name: string, word: string) => {
    mkdirSync(path.join(skills, name), { recursive: true });
    writeFileSync(fileOf(name), `---\nname: ${path.basename(name)}\ndescription: ${word}\n---\n`);
  };
  const scan = (now: number) => {
    const roots = [{ folder: skills, source: 'user' as const, label: 'skills' }];
    const opened = new Set<string>();
    const index = discover(roots, {
      blockAngleBrackets: true,
      cache: openIndexCache({ folder: cache, roots, deep: false, blockAngleBrackets: true, now }),
      onRead: (file) => opened.add(path.relative(skills, path.dirname(file))),
    });
    const said = index.skills.map(({ folderName, description }) => `${folderName}: ${description}`);
    return { said, opened: [...opened] };
  };
  mkdirSync(skills);
  return { skills, cache, fileOf, write, scan };
}

/** Undefined where this machine has no file system to try it on. */
function onDisk(t: TestContext) {
  const folder = diskFolder(t);
  if (trustedFolder(folder) !== undefined) return makeBench(folder);
  t.diagnostic('not run: no file system here keeps change times that are trusted');
  return undefined;
}

const later = () => Date.now() + 2 * CLOCK_STEP_MS;

test('what has not changed is not opened again, and each change opens its own file alone', async (t) => {
  const bench = onDisk(t);
  if (!bench) return;
  for (const name of ['a', 'b', 'c', 'org/d']) bench.write(name, 'One.');
  const first = bench.scan(later());
  assert.deepEqual(first.opened, ['a', 'b', 'c', 'org/d']);
  assert.deepEqual(bench.scan(later()), { said: first.said, opened: [] });
  await sleep(TICK_MS);
  bench.write('b', 'Two.');
  rmSync(path.join(bench.skills, 'a'), { recursive: true });
  bench.write('bb', 'New.');
  const said = ['b: Two.', 'bb: New.', 'c: One.', 'org/d: One.'];
  assert.deepEqual(bench.scan(later()), { said, opened: ['b', 'bb'] });
  assert.deepEqual(bench.scan(later()), { said, opened: [] });
  renameSync(path.join(bench.skills, 'c'), path.join(bench.skills, 'e'));
  const renamed = bench.scan(later());
  // The file is unchanged, but the name of its folder belongs to what was read.
  assert.deepEqual(renamed.opened, ['e']);
  assert.deepEqual(renamed.said, ['b: Two.', 'bb: New.', 'e: One.', 'org/d: One.']);
});

test('a file that was changed as recently as the clock of files may stand still is opened each time', (t) => {
  const bench = onDisk(t);
  if (!bench) return;
  bench.write('a', 'One.');
  const { ctimeMs } = lstatSync(bench.fileOf('a'));
  for (const age of [-60_000, 0, 1, CLOCK_STEP_MS]) {
    for (const _ of [1, 2]) assert.deepEqual(bench.scan(Math.floor(ctimeMs) + age).opened, ['a'], `${age} ms`);
  }
  // Only what was read at such a time is believed later.
  const settled = Math.ceil(ctimeMs) + CLOCK_STEP_MS + 1;
  assert.deepEqual(bench.scan(settled).opened, ['a']);
  assert.deepEqual(bench.scan(settled).opened, []);
});

test('an edit within the same tick as the indexing is seen', (t) => {
  const bench = makeBench(diskFolder(t));
  for (let round = 0; round < 100; round++) {
    // Of the same length, so that nothing but the time could tell.
    const word = String(round).padStart(4, '0');
    bench.write('a', word);
    assert.deepEqual(bench.scan(Date.now()).said, [`a: ${word}`]);
  }
});

test('after the clock was set back nothing is believed that was seen before', (t) => {
  const bench = onDisk(t);
  if (!bench) return;
  bench.write('a', 'One.');
  const time = later() + 3_600_000;
  bench.scan(time);
  assert.deepEqual(bench.scan(time).opened, []);
  assert.deepEqual(bench.scan(time - 1).opened, ['a']);
  // From there on the earlier time counts.
  assert.deepEqual(bench.scan(time - 1).opened, []);
});

test('nothing is believed of another start of the system or another user', (t) => {
  const bench = onDisk(t);
  if (!bench) return;
  bench.write('a', 'One.');
  bench.scan(later());
  const [name = ''] = readdirSync(bench.cache);
  const file = path.join(bench.cache, name);
  const [scope = '', , age = '', ...rest] = readFileSync(file, 'latin1').split('\n');
  const records = [age.replace(/^\w{32}/, 'f'.repeat(32)), ...rest].join('\n');
  writeFileSync(file, [scope, checksum(Buffer.from(records, 'latin1')), records].join('\n'), 'latin1');
  assert.deepEqual(bench.scan(later()), { said: ['a: One.'], opened: ['a'] });
  assert.deepEqual(bench.scan(later()).opened, []);
});

test('where change times cannot be trusted, every file is opened each time', (t) => {
  const folder = ['/dev/shm', temporaryFolder(t)].find((one) => existsSync(one) && statfsSync(one).type === TMPFS);
  if (folder === undefined) return t.diagnostic('not run: no tmpfs here');
  assert.equal(trustedFolder(folder), undefined);
  if (spawnSync('python3', ['-c', '']).status !== 0) return t.diagnostic('not run: no python3 here');
  const bench = makeBench(temporaryFolder(t));
  if (trustedFolder(bench.skills) !== undefined) return t.diagnostic('not run: temporary files are on a disk');
  bench.write('a', 'One.');
  bench.scan(later());
  // On tmpfs no time tells of it.
  const edit = `
import mmap, sys
with open(sys.argv[1], 'r+b') as file:
    with mmap.mmap(file.fileno(), 0) as mapped:
        at = mapped.find(b'One.')
        mapped[at:at + 4] = b'Two.'`;
  assert.equal(spawnSync('python3', ['-c', edit, bench.fileOf('a')]).status, 0);
  assert.deepEqual(bench.scan(later()), { said: ['a: Two.'], opened: ['a'] });
});

test('a file on another device than its root is no witness', (t) => {
  const file = path.join(diskFolder(t), 'file');
  writeFileSync(file, 'text');
  const stats = lstatSync(file);
  assert.equal(witnessOf({ stats, device: stats.dev }, later()), stats);
  assert.equal(witnessOf({ stats, device: stats.dev + 1 }, later()), undefined);
  assert.equal(witnessOf({ stats, device: undefined }, later()), undefined);
  assert.equal(trustedFolder('/proc'), undefined);
  assert.equal(trustedFolder(path.join(file, 'nowhere')), undefined);
});

test('a time is settled when it is older than the coarsest step', () => {
  assert.ok(!isSettled({ ctimeMs: 10_000 }, 10_000 + CLOCK_STEP_MS));
  assert.ok(isSettled({ ctimeMs: 10_000 }, 10_001 + CLOCK_STEP_MS));
});
