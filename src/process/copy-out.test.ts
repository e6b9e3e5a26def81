import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { changed } from '../../test/support/changed/changed-source.ts';
import { temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import { copyOut, makeTarget } from './copy-out.ts';

interface Places {
  readonly from: string;
  readonly root: string;
  readonly to: string;
  readonly secret: string;
}

function places(t: TestContext): Places {
  const folder = temporaryFolder(t);
  const from = path.join(folder, 'staged');
  const root = path.join(folder, 'project');
  const secret = path.join(folder, 'secret');
  mkdirSync(from);
  mkdirSync(root);
  writeFileSync(secret, 'canary');
  return { from, root, to: path.join(root, 'mybox', 'output'), secret };
}

test('files and folders arrive, new ones and in the place of old ones', (t) => {
  const { from, root, to } = places(t);
  mkdirSync(path.join(from, 'deep', 'er'), { recursive: true });
  mkdirSync(to, { recursive: true });
  writeFileSync(path.join(from, 'deep', 'er', 'a.txt'), 'a');
  writeFileSync(path.join(from, 'b.bin'), Buffer.alloc(200_000, 7), { mode: 0o4777 });
  writeFileSync(path.join(to, 'b.bin'), 'old');
  const report = copyOut({ from, root, to });
  assert.deepEqual(report, {
    copied: [
      { path: 'b.bin', size: 200_000 },
      { path: 'deep/er/a.txt', size: 1 },
    ],
    refused: [],
  });
  assert.deepEqual(readFileSync(path.join(to, 'b.bin')), Buffer.alloc(200_000, 7));
  assert.equal(lstatSync(path.join(to, 'b.bin')).mode & 0o7133, 0);
  assert.deepEqual(readdirSync(to).sort(), ['b.bin', 'deep']);
});

test('what lay there before is left where it is unless it changed, whatever its folder leads to by now', (t) => {
  const { from, root, to } = places(t);
  mkdirSync(path.join(from, 'sub'));
  for (const name of ['same', 'changed', 'sub/same']) writeFileSync(path.join(from, name), 'old');
  const before = new Map(['same', 'changed', 'sub/same'].map((name) => [name, statSync(path.join(from, name))]));
  writeFileSync(path.join(from, 'changed'), 'new, and longer');
  assert.deepEqual(copyOut({ from, root, to, before }).copied, [{ path: 'changed', size: 15 }]);
  const theirs = temporaryFolder(t);
  writeFileSync(path.join(theirs, 'same'), 'of the user');
  renameSync(path.join(from, 'sub'), path.join(from, 'moved'));
  symlinkSync(theirs, path.join(from, 'sub'));
  assert.deepEqual(copyOut({ from, root, to, before }).refused, [{ path: 'sub', why: 'link' }]);
  assert.equal(readFileSync(path.join(theirs, 'same'), 'utf8'), 'of the user');
});

test('a staging folder that was never made gives nothing', (t) => {
  const { from, root, to } = places(t);
  assert.deepEqual(copyOut({ from: `${from}-none`, root, to }), { copied: [], refused: [] });
});

test('only the named outputs are taken along', (t) => {
  const { from, root, to } = places(t);
  mkdirSync(path.join(from, 'sub'));
  for (const name of ['a', 'ab', 'sub/c', 'sub/d']) writeFileSync(path.join(from, name), name);
  const report = copyOut({ from, root, to, only: ['a', 'sub/d'] });
  assert.deepEqual(
    report.copied.map((file) => file.path),
    ['a', 'sub/d'],
  );
});

test('what is guarded is held back and told, and leaves no empty folder', (t) => {
  const { from, root, to } = places(t);
  mkdirSync(path.join(from, 'sub'));
  for (const name of ['a', 'sub/c']) writeFileSync(path.join(from, name), name);
  const { copied, refused } = copyOut({ from, root, to, isGuarded: (file) => file === 'sub/c' });
  assert.deepEqual(copied, [{ path: 'a', size: 1 }]);
  assert.deepEqual(refused, [{ path: 'sub/c', why: 'guarded' }]);
  assert.equal(existsSync(path.join(to, 'sub')), false);
});

function plantLinks({ from, secret }: Places): void {
  symlinkSync(secret, path.join(from, 'result.txt'));
}

test('threat 56 blocked: an output that is a link to a secret is not copied', (t) => {
  const all = places(t);
  plantLinks(all);
  symlinkSync(path.dirname(all.secret), path.join(all.from, 'folder'));
  const report = copyOut(all);
  assert.deepEqual(report.refused, [
    { path: 'folder', why: 'link' },
    { path: 'result.txt', why: 'link' },
  ]);
  assert.deepEqual(readdirSync(all.to), []);
});

test('threat 56 control: where links are followed the secret comes along', async (t) => {
  const following = await changed<typeof import('./copy-out.ts')>(
    'src/process/copy-out.ts',
    { from: 'return lstatSync(file', to: 'return statSync(file' },
    { from: 'constants.O_NONBLOCK | constants.O_NOFOLLOW', to: 'constants.O_NONBLOCK' },
  );
  const all = places(t);
  plantLinks(all);
  following.copyOut(all);
  assert.equal(readFileSync(path.join(all.to, 'result.txt'), 'utf8'), 'canary');
});

test('a hard link, a pipe and a name with hidden characters are refused', (t) => {
  const all = places(t);
  linkSync(all.secret, path.join(all.from, 'hard'));
  execFileSync('mkfifo', [path.join(all.from, 'pipe')]);
  writeFileSync(path.join(all.from, 'a\u202egnp.exe'), '');
  writeFileSync(path.join(all.from, 'two\nlines'), '');
  assert.deepEqual(
    copyOut(all)
      .refused.map(({ why }) => why)
      .sort(),
    ['hard-link', 'name', 'name', 'special'],
  );
  assert.deepEqual(readdirSync(all.to), []);
});

test('a link planted at the destination is not followed', (t) => {
  const all = places(t);
  mkdirSync(all.to, { recursive: true });
  symlinkSync(all.secret, path.join(all.to, 'a'));
  symlinkSync(path.dirname(all.secret), path.join(all.to, 'sub'));
  mkdirSync(path.join(all.from, 'sub'));
  writeFileSync(path.join(all.from, 'a'), 'evil');
  writeFileSync(path.join(all.from, 'sub', 'secret'), 'evil');
  const report = copyOut(all);
  assert.deepEqual(report, {
    copied: [],
    refused: [
      { path: 'a', why: 'destination' },
      { path: 'sub', why: 'destination' },
    ],
  });
  assert.equal(readFileSync(all.secret, 'utf8'), 'canary');
});

test('an output folder that is reached through a link, or lies outside its root, is blocked', (t) => {
  const all = places(t);
  const elsewhere = temporaryFolder(t);
  symlinkSync(elsewhere, path.join(all.root, 'mybox'));
  writeFileSync(path.join(all.from, 'a'), 'evil');
  const isBlocked = (error: unknown) => error instanceof Fault && error.type === 'PathBlocked';
  assert.throws(() => copyOut(all), isBlocked);
  assert.throws(() => copyOut({ ...all, to: `${all.root}-evil` }), isBlocked);
  assert.deepEqual(readdirSync(elsewhere), []);
  assert.ok(!existsSync(`${all.root}-evil`));
});

test('a folder that another call takes away while it is made is made again', async (t) => {
  const root = temporaryFolder(t);
  const [upper, lower] = [path.join(root, 'mybox'), path.join(root, 'mybox/output')];
  const remove = `const { rmdirSync } = require('node:fs');
    process.stdout.write('x');
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (;; Atomics.wait(pause, 0, 0, 0.2)) {
      for (const folder of ${JSON.stringify([lower, upper])}) try { rmdirSync(folder); } catch {}
    }`;
  const other = spawn(process.execPath, ['-e', remove], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(other, 'exit');
  try {
    await once(other.stdout, 'data');
    for (let round = 0; round < 500; round++) makeTarget(root, lower);
  } finally {
    // Gone before the folder is removed: two that remove one tree disturb each other.
    other.kill('SIGKILL');
    await gone;
  }
});

test('a huge sparse file, too many files and too deep folders are refused', (t) => {
  const all = places(t);
  writeFileSync(path.join(all.from, 'sparse'), '');
  truncateSync(path.join(all.from, 'sparse'), 2 ** 40);
  assert.deepEqual(copyOut(all), { copied: [], refused: [{ path: 'sparse', why: 'limit' }] });
  const limits = { files: 1, bytes: 2 ** 41, depth: 1 };
  const other = places(t);
  mkdirSync(path.join(other.from, 'd', 'e'), { recursive: true });
  for (const name of ['a', 'b', 'd/e/f']) writeFileSync(path.join(other.from, name), '');
  const report = copyOut({ ...other, limits });
  assert.deepEqual(report, { copied: [{ path: 'a', size: 0 }], refused: [{ path: 'b', why: 'limit' }] });
});
