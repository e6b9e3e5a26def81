import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { changed } from '../../test/support/changed/changed-source.ts';
import { count } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import { removeTree } from '../base/files.ts';
import type { Digest } from '../base/value/digest.ts';
import { digestSkill } from '../skill/digest.ts';
import { runProcess } from './run.ts';
import { cleanSnapshots, takeSnapshot } from './snapshot.ts';

interface Skill {
  readonly folder: string;
  readonly store: string;
  readonly script: string;
  readonly digest: Digest;
}

function makeSkill(t: TestContext): Skill {
  const base = mkdtempSync(path.join(tmpdir(), 'skillwright-test-'));
  t.after(() => removeTree(base));
  const folder = path.join(base, 'skill');
  const script = path.join(folder, 'scripts', 'main.sh');
  mkdirSync(path.dirname(script), { recursive: true });
  writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: x\ndescription: y\n---\n');
  writeFileSync(script, 'echo approved', { mode: 0o755 });
  writeFileSync(path.join(folder, 'empty'), '');
  return { folder, store: path.join(base, 'store'), script, digest: digestSkill(folder).digest };
}

function isMismatch(error: unknown): boolean {
  return error instanceof Fault && error.type === 'IntegrityMismatch';
}

test('a snapshot holds the same files under the same digest, with modes that may be copied out, and is shared', (t) => {
  const { folder, store, digest } = makeSkill(t);
  const snapshot = takeSnapshot(folder, { store, expectedDigest: digest });
  assert.equal(snapshot.digest, digest);
  assert.equal(digestSkill(snapshot.folder).digest, digest);
  assert.equal(lstatSync(path.join(snapshot.folder, 'scripts', 'main.sh')).mode & 0o777, 0o755);
  assert.equal(lstatSync(path.join(snapshot.folder, 'SKILL.md')).mode & 0o777, 0o644);
  for (const name of ['', 'scripts']) assert.equal(lstatSync(path.join(snapshot.folder, name)).mode & 0o777, 0o755);
  assert.deepEqual(takeSnapshot(folder, { store }), snapshot);
  assert.equal(lstatSync(store).mode & 0o777, 0o700);
});

test('the closed modes of an earlier version are opened when its snapshot is used again', (t) => {
  const { folder, store, digest } = makeSkill(t);
  const { folder: kept } = takeSnapshot(folder, { store });
  const closed = { 'scripts/main.sh': 0o555, 'SKILL.md': 0o444, scripts: 0o555, '': 0o555 };
  for (const [name, mode] of Object.entries(closed)) chmodSync(path.join(kept, name), mode);
  assert.equal(takeSnapshot(folder, { store, expectedDigest: digest }).folder, kept);
  for (const [name, mode] of Object.entries(closed))
    assert.equal(lstatSync(path.join(kept, name)).mode & 0o777, mode | 0o200, name);
});

test('a changed, added or removed file is another digest, and not the approved one', (t) => {
  for (const change of [
    (skill: Skill) => writeFileSync(skill.script, 'echo approveD'),
    (skill: Skill) => writeFileSync(path.join(skill.folder, '.hidden'), ''),
    (skill: Skill) => renameSync(skill.script, `${skill.script}.bak`),
    (skill: Skill) => chmodSync(skill.script, 0o644),
  ]) {
    const skill = makeSkill(t);
    change(skill);
    assert.throws(() => takeSnapshot(skill.folder, { store: skill.store, expectedDigest: skill.digest }), isMismatch);
    assert.deepEqual(readdirSync(skill.store), []);
  }
});

test('once copied, the approved version runs whatever became of its folder', (t) => {
  const { folder, store, script, digest } = makeSkill(t);
  takeSnapshot(folder, { store, expectedDigest: digest });
  writeFileSync(script, 'echo evil');
  const again = takeSnapshot(folder, { store, expectedDigest: digest });
  assert.equal(readFileSync(path.join(again.folder, 'scripts', 'main.sh'), 'utf8'), 'echo approved');
  assert.notEqual(takeSnapshot(folder, { store }).digest, digest);
});

// Exchanges the script as fast as it can: in place, by another file, by a link.
const FLIPPER = `
  const { renameSync, symlinkSync, writeFileSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const { script, evil, running } = workerData;
  const next = evil + '.next';
  for (let turn = 0; Atomics.load(running, 0) === 1; turn++) {
    if (turn === 3) parentPort.postMessage('running');
    Atomics.wait(running, 0, 1, turn % 4);
    if (turn % 3 === 0) writeFileSync(script, 'echo evil!!!!');
    else if (turn % 3 === 1) { symlinkSync(evil, next); renameSync(next, script); }
    else { writeFileSync(next, 'echo approved', { mode: 0o755 }); renameSync(next, script); }
  }`;

// Until it has been seen to work, at least for as many turns as were promised.
async function race(t: TestContext, approve: boolean): Promise<{ texts: Set<string>; refused: number }> {
  const { folder, store, script, digest } = makeSkill(t);
  const evil = path.join(store, '..', 'evil');
  writeFileSync(evil, 'echo evil!!!!');
  const running = new Int32Array(new SharedArrayBuffer(4)).fill(1);
  const worker = new Worker(FLIPPER, { eval: true, workerData: { script, evil, running } });
  await once(worker, 'message');
  const texts = new Set<string>();
  let refused = 0;
  const isUndecided = () => (approve ? refused === 0 : !texts.has('echo evil!!!!'));
  for (let turn = 0; turn < count(1000, 100) || (turn < 20_000 && isUndecided()); turn++) {
    try {
      const fresh = path.join(store, String(turn));
      const snapshot = takeSnapshot(folder, { store: fresh, ...(approve && { expectedDigest: digest }) });
      texts.add(readFileSync(path.join(snapshot.folder, 'scripts', 'main.sh'), 'utf8'));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      refused++;
    }
  }
  Atomics.store(running, 0, 0);
  await worker.terminate();
  return { texts, refused };
}

test('threat 18 blocked: while a file is exchanged, what runs is what was approved, or nothing', async (t) => {
  const { texts, refused } = await race(t, true);
  assert.ok(refused > 0);
  texts.delete('echo approved');
  assert.deepEqual([...texts], []);
});

test('threat 18 control: without the approved digest the exchanged file runs', async (t) => {
  assert.ok((await race(t, false)).texts.has('echo evil!!!!'));
});

function tamper(folder: string): void {
  const script = path.join(folder, 'scripts', 'main.sh');
  const { atime, mtime } = lstatSync(script);
  writeFileSync(script, 'echo tampered');
  utimesSync(script, atime, mtime);
}

test('threat 55 blocked: a script that changed its own snapshot does not persist', (t) => {
  const { folder, store, digest } = makeSkill(t);
  tamper(takeSnapshot(folder, { store, expectedDigest: digest }).folder);
  const again = takeSnapshot(folder, { store, expectedDigest: digest });
  assert.equal(readFileSync(path.join(again.folder, 'scripts', 'main.sh'), 'utf8'), 'echo approved');
  assert.equal(digestSkill(folder).digest, digest);
});

test('threat 55 control: without the check it would', async (t) => {
  const trusting = await changed<typeof import('./snapshot.ts')>('src/process/snapshot.ts', {
    from: 'if (found.digest !== digest) {',
    to: 'if (false) {',
  });
  const { folder, store, digest } = makeSkill(t);
  tamper(takeSnapshot(folder, { store, expectedDigest: digest }).folder);
  const again = trusting.takeSnapshot(folder, { store, expectedDigest: digest });
  assert.equal(readFileSync(path.join(again.folder, 'scripts', 'main.sh'), 'utf8'), 'echo tampered');
});

test('a tampered snapshot whose source is gone is refused', (t) => {
  const { folder, store, script, digest } = makeSkill(t);
  tamper(takeSnapshot(folder, { store, expectedDigest: digest }).folder);
  writeFileSync(script, 'echo other');
  assert.throws(() => takeSnapshot(folder, { store, expectedDigest: digest }), isMismatch);
});

test('a file added to a snapshot is found', (t) => {
  const { folder, store, digest } = makeSkill(t);
  const first = takeSnapshot(folder, { store });
  writeFileSync(path.join(first.folder, 'scripts', 'extra.py'), '');
  const again = takeSnapshot(folder, { store, expectedDigest: digest });
  assert.deepEqual(readdirSync(path.join(again.folder, 'scripts')), ['main.sh']);
});

test('several processes take the same snapshot at once', async (t) => {
  const { folder, store, digest } = makeSkill(t);
  const code = `
    import { workerData, parentPort } from 'node:worker_threads';
    const { takeSnapshot } = await import(workerData.module);
    parentPort.postMessage(takeSnapshot(workerData.folder, { store: workerData.store }).digest);`;
  const take = () => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const module = import.meta.resolve('./snapshot.ts');
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
      workerData: { module, folder, store },
    });
    worker.once('message', resolve).once('error', reject);
    return promise;
  };
  assert.deepEqual(await Promise.all(Array.from({ length: 4 }, take)), Array(4).fill(digest));
  assert.deepEqual(
    readdirSync(store).filter((name) => /^(?:new|old)-/.test(name)),
    [],
  );
});

test('snapshots are cleaned by age, but not while they are held', (t) => {
  const { folder, store, script, digest } = makeSkill(t);
  const now = Date.now();
  const first = takeSnapshot(folder, { store, now });
  writeFileSync(script, 'echo second');
  const second = takeSnapshot(folder, { store, now, holdMs: 100_000 });
  mkdirSync(path.join(store, 'new-0123456789abcdef'));
  assert.equal(cleanSnapshots({ store, olderThanMs: 1000, now: now + 500 }), 0);
  assert.equal(cleanSnapshots({ store, olderThanMs: 1000, now: now + 50_000 }), 1);
  assert.deepEqual([existsSync(first.folder), existsSync(second.folder)], [false, true]);
  // A shorter use does not shorten a longer one.
  takeSnapshot(folder, { store, now, holdMs: 10 });
  assert.equal(cleanSnapshots({ store, olderThanMs: 1000, now: now + 100_500 }), 0);
  assert.equal(cleanSnapshots({ store, olderThanMs: 1000, now: now + 4_000_000 }), 2);
  assert.deepEqual(readdirSync(store), []);
  assert.equal(cleanSnapshots({ store: path.join(store, 'none'), olderThanMs: 0 }), 0);
  writeFileSync(script, 'echo approved');
  assert.equal(takeSnapshot(folder, { store, expectedDigest: digest }).digest, digest);
});

test('a new snapshot takes the place of those nobody used for a month', (t) => {
  const { folder, store, script } = makeSkill(t);
  const day = 24 * 3_600_000;
  const now = Date.now();
  const first = takeSnapshot(folder, { store, now });
  for (const [days, text, isKept] of [
    [20, 'second', true],
    [40, 'third', false],
  ] as const) {
    writeFileSync(script, `echo ${text}`);
    const latest = takeSnapshot(folder, { store, now: now + days * day });
    assert.deepEqual([existsSync(first.folder), existsSync(latest.folder)], [isKept, true]);
  }
  assert.equal(readdirSync(store).filter((name) => !name.endsWith('.lease')).length, 2);
});

test('a link inside the skill stays a link; one that leads out, or names the folder itself, is refused', (t) => {
  const { folder, store, script } = makeSkill(t);
  symlinkSync('scripts/main.sh', path.join(folder, 'run'));
  const snapshot = takeSnapshot(folder, { store });
  assert.equal(
    realpathSync(path.join(snapshot.folder, 'run')),
    realpathSync(path.join(snapshot.folder, 'scripts', 'main.sh')),
  );
  for (const target of [path.join(store, '..'), script]) {
    symlinkSync(target, path.join(folder, 'out'));
    assert.throws(
      () => takeSnapshot(folder, { store }),
      (error) => error instanceof Fault && error.type === 'PathBlocked',
    );
    rmSync(path.join(folder, 'out'));
  }
});

test('a compiled module that matches its source by time and size is not used', async (t) => {
  const { folder, store } = makeSkill(t);
  const python = (script: string, cwd: string) => {
    const launch = {
      file: '/usr/bin/env',
      args: ['python3', '-B', '-c', script],
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
    };
    const run = runProcess(
      { ...launch, descriptors: [], tier: 'S0', notEnforced: [], endsTree: false, release() {} },
      { timeoutMs: 60_000 },
    );
    return run.then((ended) => Buffer.from(ended.stdout).toString());
  };
  const scripts = path.join(folder, 'scripts');
  writeFileSync(path.join(scripts, 'helper.py'), 'word = "poisoned"');
  await python('import py_compile; py_compile.compile("helper.py")', scripts);
  const { atime, mtime } = lstatSync(path.join(scripts, 'helper.py'));
  writeFileSync(path.join(scripts, 'helper.py'), 'word = "  honest"');
  utimesSync(path.join(scripts, 'helper.py'), atime, mtime);
  const look = 'import helper; print(helper.word.strip())';
  assert.equal(await python(look, scripts), 'poisoned\n');
  assert.equal(await python(look, path.join(takeSnapshot(folder, { store }).folder, 'scripts')), 'honest\n');
});
