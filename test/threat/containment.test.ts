// Every way out of a skill folder that loaders have fallen for: each is refused, and each works once the guard is off.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs, { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Fault } from '../../src/base/errors.ts';
import { loadBody, type SkillPlace } from '../../src/loader/body.ts';
import { loadResource } from '../../src/loader/resource.ts';
import { carelessBodyLoader, type Guard, resourceLoader } from '../support/changed/careless-reader.ts';
import { count, temporaryFolder } from '../support/support.ts';

const CANARY = 'canary-7f3a: nobody may read this';

interface World {
  readonly root: string;
  readonly victim: string;
  /** Absolute path of the file that must not be read. */
  readonly secret: string;
}

interface Attack {
  readonly name: string;
  readonly path: string | ((world: World) => string);
  readonly prepare?: (world: World, t: TestContext) => void;
  readonly skill?: (world: World) => Partial<SkillPlace>;
  /** A path that is only a strange name is looked for, and not found. */
  readonly refusal?: 'PathBlocked' | 'DataNotFound';
}

const climbing: Attack[] = [
  '../../secret.txt',
  '../../outside/secret.txt',
  './../../secret.txt',
  '././../../secret.txt',
  'reference/../../../secret.txt',
  'reference/./../../../secret.txt',
  'reference/../../victim-evil/secret.txt',
  'reference/guide.md/../../../../secret.txt',
  'scripts/../assets/../../../secret.txt',
  'nowhere/../../../secret.txt',
  '../victim-evil/secret.txt',
  '../other/notes.md',
  '../victim/../../secret.txt',
  '../../outside/deep/../secret.txt',
  '..//..//secret.txt',
  'reference//..//..//..//secret.txt',
].map((attempt) => ({ name: `climbs with ${attempt}`, path: attempt }));

const absolute: Attack[] = [
  { name: 'absolute', path: ({ secret }) => secret },
  { name: 'absolute with two slashes', path: ({ secret }) => `/${secret}` },
  { name: 'absolute with three slashes', path: ({ secret }) => `//${secret}` },
  { name: 'absolute with a dot', path: ({ secret }) => `/.${secret}` },
  { name: 'absolute through another folder', path: ({ secret }) => `/dev/..${secret}` },
  { name: 'absolute through /proc/self/root', path: ({ secret }) => `/proc/self/root${secret}` },
  { name: 'absolute through a thread', path: ({ secret }) => `/proc/thread-self/root${secret}` },
  { name: 'climbs to the root first', path: ({ secret }) => `${'../'.repeat(20)}..${secret}` },
  { name: 'a file URL', path: ({ secret }) => `file://${secret}`, refusal: 'PathBlocked' },
  { name: 'absolute behind a blank', path: ({ secret }) => ` ${secret}`, refusal: 'DataNotFound' },
  { name: 'absolute behind a line break', path: ({ secret }) => `\n${secret}`, refusal: 'DataNotFound' },
];

const backslashes: Attack[] = [
  '..\\..\\secret.txt',
  '..\\../secret.txt',
  '.\\..\\..\\secret.txt',
  'reference\\..\\..\\..\\secret.txt',
  '..\\victim-evil\\secret.txt',
].map((attempt) => ({ name: `backslashes ${attempt}`, path: attempt }));
backslashes.push({ name: 'absolute with backslashes', path: ({ secret }) => secret.replaceAll('/', '\\') });

const encoded: Attack[] = [
  '%2e%2e/%2e%2e/secret.txt',
  '%2E%2E/%2E%2E/secret.txt',
  '.%2e/.%2e/secret.txt',
  '%2e./%2e./secret.txt',
  '..%2f..%2fsecret.txt',
  '..%2F..%2Fsecret.txt',
  '%2e%2e%2f%2e%2e%2fsecret.txt',
  'reference%2f..%2f..%2f..%2fsecret.txt',
  '..%5c..%5csecret.txt',
  '%2e%2e%5c%2e%2e%5csecret.txt',
].map((attempt) => ({ name: `encoded ${attempt}`, path: attempt, refusal: 'DataNotFound' }));
encoded.push(
  { name: 'encoded absolute', path: ({ secret }) => encodeURIComponent(secret), refusal: 'DataNotFound' },
  { name: 'encoded blank before dots', path: '%20../../secret.txt' },
);

const withNul: Attack[] = [
  { name: 'NUL at the end', path: '../../secret.txt\0' },
  { name: 'NUL before an innocent ending', path: '../../secret.txt\0.md' },
  { name: 'NUL in an absolute path', path: ({ secret }) => `${secret}\0/reference/guide.md` },
  { name: 'NUL after encoded dots', path: '%2e%2e/%2e%2e/secret.txt\0guide.md' },
  { name: 'encoded NUL', path: '..%2f..%2fsecret.txt%00.md', refusal: 'DataNotFound' },
];

const disguised: Attack[] = [
  { name: 'full-width dots', path: '\uff0e\uff0e/\uff0e\uff0e/secret.txt', refusal: 'DataNotFound' },
  { name: 'full-width slashes', path: '..\uff0f..\uff0fsecret.txt', refusal: 'DataNotFound' },
  { name: 'full-width backslashes', path: '..\uff3c..\uff3csecret.txt', refusal: 'DataNotFound' },
  { name: 'two-dot leaders', path: '\u2025/\u2025/secret.txt', refusal: 'DataNotFound' },
  { name: 'zero-width spaces between dots', path: '.\u200b./.\u200b./secret.txt', refusal: 'DataNotFound' },
  { name: 'tag characters between dots', path: '.\u{e0041}./.\u{e0041}./secret.txt', refusal: 'DataNotFound' },
  { name: 'a byte order mark first', path: ({ secret }) => `\ufeff${secret}`, refusal: 'DataNotFound' },
  { name: 'a direction mark first', path: ({ secret }) => `\u202e${secret}`, refusal: 'DataNotFound' },
];

const links: Attack[] = [
  link('a link to an absolute path', 'notes.md', ({ secret }) => secret),
  link('a link to a relative path', 'notes.md', () => '../../secret.txt'),
  link('a link in a folder', 'reference/more.md', () => '../../../secret.txt'),
  link('a link as a script', 'scripts/tool.py', ({ secret }) => secret),
  link('a link to a sibling skill', 'notes.md', () => '../other/notes.md'),
  link('a link without an ending', 'README', ({ secret }) => secret),
  link('a link with a hidden name', '.env', ({ secret }) => secret),
  link('a link to the parents', 'up', () => '../..', 'up/secret.txt'),
  link('a link to a folder outside', 'out', ({ root }) => `${root}/outside`, 'out/secret.txt'),
  link('a link in the place of references', 'references', () => '../../outside/reference', 'references/guide.md'),
  link('a link in the middle', 'reference/deep', () => '../../../outside/deep', 'reference/deep/er/secret.txt'),
  link(
    'a link through /proc',
    'all',
    () => '/proc/self/root',
    ({ secret }) => `all${secret}`,
  ),
  {
    name: 'a chain of links',
    path: 'one.md',
    prepare: ({ victim, secret }) => {
      symlinkSync('two.md', path.join(victim, 'one.md'));
      symlinkSync(secret, path.join(victim, 'two.md'));
    },
  },
  {
    name: 'a link through a link',
    path: 'first/second/secret.txt',
    prepare: ({ victim, root }) => {
      mkdirSync(path.join(victim, 'real'));
      symlinkSync('real', path.join(victim, 'first'));
      symlinkSync(path.join(root, 'outside'), path.join(victim, 'real', 'second'));
    },
  },
  {
    name: 'SKILL.md itself is a link',
    path: 'SKILL.md',
    prepare: ({ victim, secret }) => {
      fs.rmSync(path.join(victim, 'SKILL.md'));
      symlinkSync(secret, path.join(victim, 'SKILL.md'));
    },
  },
  {
    name: 'the skill folder itself is a link',
    path: 'secret.txt',
    prepare: ({ root }) => symlinkSync(path.join(root, 'outside'), path.join(root, 'skills', 'linked')),
    skill: ({ root }) => ({ folder: path.join(root, 'skills', 'linked') }),
  },
  {
    name: 'a pipe that somebody fills',
    path: 'reference/pipe.md',
    prepare: ({ victim }, t) => fillPipe(path.join(victim, 'reference', 'pipe.md'), t),
  },
];

const attacks = [...climbing, ...absolute, ...backslashes, ...encoded, ...withNul, ...disguised, ...links];

for (const attack of attacks) {
  test(`threat 33 blocked: ${attack.name}`, async (t) => {
    for (const guard of ['descriptor', 'path'] as const) {
      const refusal = await attempt(t, attack, guard);
      assert.ok(refusal instanceof Fault, `${guard}: ${String(refusal)}`);
      assert.equal(refusal.type, attack.refusal ?? 'PathBlocked', guard);
      assert.ok(!JSON.stringify([refusal.message, refusal.details]).includes(CANARY));
    }
  });

  test(`threat 33 control: ${attack.name}`, async (t) => {
    assert.equal(await attempt(t, attack, 'off'), CANARY);
  });
}

test('threat 33 blocked: there are at least 60 path attacks, all different', () => {
  assert.ok(attacks.length >= 60, `${attacks.length}`);
  assert.equal(new Set(attacks.map(({ name }) => name)).size, attacks.length);
});

test('what is no readable text file of the skill is refused with its reason', async (t) => {
  const loadCarelessly = await resourceLoader('off');
  const { victim } = makeWorld(t);
  const skill = placeOf(victim);
  writeFileSync(path.join(victim, 'assets', 'large.md'), 'x'.repeat(1024 * 1024 + 1));
  writeFileSync(path.join(victim, 'assets', 'image.md'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]));
  writeFileSync(path.join(victim, 'assets', 'nul.md'), 'a\0b');
  symlinkSync('guide.md', path.join(victim, 'reference', 'inside.md'));
  symlinkSync('loop.md', path.join(victim, 'loop.md'));
  const cases: [request: string, type: string, control: boolean][] = [
    ['assets/large.md', 'LIMIT_FILE_SIZE', true],
    ['assets/image.md', 'ParamInvalid', true],
    ['assets/nul.md', 'ParamInvalid', true],
    ['reference/inside.md', 'PathBlocked', true],
    ['loop.md', 'PathBlocked', false],
    ['reference', 'PathBlocked', false],
    ['reference/', 'PathBlocked', false],
    ['.', 'PathBlocked', false],
    ['', 'PathBlocked', false],
    ['C:\\secret.txt', 'PathBlocked', false],
    ['C:/secret.txt', 'PathBlocked', false],
    ['\\\\server\\share\\secret.txt', 'PathBlocked', false],
    ['reference/guide.md/deeper', 'PathBlocked', false],
    ['a/'.repeat(40), 'PathBlocked', false],
    ['x'.repeat(300), 'PathBlocked', false],
    ['reference/gide.md', 'DataNotFound', false],
  ];
  for (const [request, type, control] of cases) {
    assert.throws(
      () => loadResource(skill, request),
      (error) => error instanceof Fault && error.type === type,
      request,
    );
    if (control) assert.notEqual(loadCarelessly(skill, request).text, '', request);
  }
  assert.equal(loadResource(skill, './reference/guide.md').text, 'the guide');
  assert.deepEqual(suggestionsFor(skill, 'reference/gide.md'), ['reference/guide.md']);
});

test('a file that grows after it was measured is still bounded', (t) => {
  const { victim } = makeWorld(t);
  const growing = path.join(victim, 'reference', 'guide.md');
  const files = {
    ...fs,
    readSync: ((descriptor: number, buffer: Uint8Array) => {
      fs.appendFileSync(growing, 'x'.repeat(600_000));
      return fs.readSync(descriptor, buffer);
    }) as typeof fs.readSync,
  };
  assert.throws(
    () => loadResource(placeOf(victim), 'reference/guide.md', { files }),
    (error) => error instanceof Fault && error.type === 'LIMIT_FILE_SIZE',
  );
});

test('threat 33 blocked: a file or folder swapped for a link before any single open reads nothing outside', async (t) => {
  for (const swap of [swapFile, swapFolder]) {
    for (const step of [0, 1, 2]) {
      const world = makeWorld(t);
      const text = await loadWhileSwapping(world, 'descriptor', step, swap);
      assert.ok(text === undefined || text === 'the guide', `${swap.name} at step ${step}: ${text}`);
    }
  }
});

test('threat 33 control: where steps are looked at and then opened, a folder swapped in between wins', async (t) => {
  assert.equal(await loadWhileSwapping(makeWorld(t), 'path', 0, swapFolder), CANARY);
  assert.equal(await loadWhileSwapping(makeWorld(t), 'off', 0, swapFile), CANARY);
});

for (const what of ['file', 'folder'] as const) {
  test(`threat 33 blocked: a ${what} that is swapped for a link all the time`, async (t) => {
    const seen = await race(t, what, 'descriptor');
    assert.ok(seen.good > 0 && seen.refused > 0, JSON.stringify(seen));
    assert.equal(seen.leaked, 0);
  });

  test(`threat 33 control: a ${what} that is swapped for a link all the time`, async (t) => {
    const seen = await race(t, what, 'off');
    assert.ok(seen.leaked > 0, JSON.stringify(seen));
  });
}

test('threat 33 blocked: a body is guarded like a resource', (t) => {
  const { victim, secret } = makeWorld(t);
  fs.rmSync(path.join(victim, 'SKILL.md'));
  symlinkSync(secret, path.join(victim, 'SKILL.md'));
  assert.throws(
    () => loadBody(placeOf(victim)),
    (error) => error instanceof Fault && error.type === 'PathBlocked',
  );
});

test('threat 33 control: without the guard the body of a linked SKILL.md comes from outside', async (t) => {
  const loadCarelessly = await carelessBodyLoader();
  const { victim, secret } = makeWorld(t);
  fs.rmSync(path.join(victim, 'SKILL.md'));
  symlinkSync(secret, path.join(victim, 'SKILL.md'));
  assert.equal(loadCarelessly(placeOf(victim)).text, CANARY);
});

function link(name: string, at: string, target: (world: World) => string, request: Attack['path'] = at): Attack {
  return { name, path: request, prepare: (world) => symlinkSync(target(world), path.join(world.victim, at)) };
}

/** The text that came back, or why none did. */
async function attempt(t: TestContext, attack: Attack, guard: Guard): Promise<unknown> {
  const load = await resourceLoader(guard);
  const world = makeWorld(t);
  attack.prepare?.(world, t);
  const request = typeof attack.path === 'string' ? attack.path : attack.path(world);
  try {
    return load({ ...placeOf(world.victim), ...attack.skill?.(world) }, request).text;
  } catch (error) {
    return error;
  }
}

function makeWorld(t: TestContext): World {
  const root = fs.realpathSync(temporaryFolder(t));
  const files: Record<string, string> = {
    'secret.txt': CANARY,
    'outside/secret.txt': CANARY,
    'outside/reference/guide.md': CANARY,
    'outside/deep/er/secret.txt': CANARY,
    'skills/other/notes.md': CANARY,
    'skills/victim-evil/secret.txt': CANARY,
    'skills/victim/SKILL.md': '---\nname: victim\ndescription: A skill.\n---\nthe body\n',
    'skills/victim/reference/guide.md': 'the guide',
    'skills/victim/scripts/run.py': 'print()',
    'skills/victim/assets/logo.txt': 'logo',
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return { root, victim: path.join(root, 'skills/victim'), secret: path.join(root, 'secret.txt') };
}

function placeOf(folder: string): SkillPlace {
  return { name: 'victim', source: 'project', folder, file: path.join(folder, 'SKILL.md') };
}

function suggestionsFor(skill: SkillPlace, request: string): unknown {
  try {
    return loadResource(skill, request);
  } catch (error) {
    return error instanceof Fault ? error.details?.suggestions : error;
  }
}

function fillPipe(pipe: string, t: TestContext): void {
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', 'printf %s "$0" > "$1"', CANARY, pipe], { stdio: 'ignore' });
  t.after(() => writer.kill('SIGKILL'));
}

function swapFile({ victim, secret }: World): void {
  const guide = path.join(victim, 'reference', 'guide.md');
  fs.rmSync(guide, { force: true });
  symlinkSync(secret, guide);
}

function swapFolder({ victim, root }: World): void {
  renameSync(path.join(victim, 'reference'), path.join(root, 'parked'));
  symlinkSync(path.join(root, 'outside', 'reference'), path.join(victim, 'reference'));
}

/** Swaps just before the open with that number, after everything that was looked at before it. */
async function loadWhileSwapping(world: World, guard: Guard, step: number, swap: (world: World) => void) {
  const load = await resourceLoader(guard);
  let opened = 0;
  const openSync: typeof fs.openSync = (...given) => {
    if (opened++ === step) swap(world);
    return fs.openSync(...given);
  };
  try {
    return load(placeOf(world.victim), 'reference/guide.md', { files: { ...fs, openSync } }).text;
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return undefined;
  }
}

const FLIPPER = `
  const fs = require('node:fs');
  const { workerData: { flips, place, link, parked } } = require('node:worker_threads');
  const counter = new Int32Array(flips);
  while (Atomics.load(counter, 1) === 0) {
    fs.renameSync(place, parked); fs.renameSync(link, place);
    Atomics.add(counter, 0, 1);
    fs.renameSync(place, link); fs.renameSync(parked, place);
    Atomics.add(counter, 0, 1);
  }`;

/** Loads again and again while another thread swaps; at least so many swaps, and until each guard has shown its way. */
async function race(t: TestContext, what: 'file' | 'folder', guard: Guard) {
  const load = await resourceLoader(guard);
  const world = makeWorld(t);
  const place = path.join(world.victim, what === 'file' ? 'reference/guide.md' : 'reference');
  const spare = path.join(world.root, 'link');
  symlinkSync(path.join(world.root, 'outside/reference', what === 'file' ? 'guide.md' : ''), spare);
  const flips = new SharedArrayBuffer(8);
  const counter = new Int32Array(flips);
  const workerData = { flips, place, link: spare, parked: path.join(world.root, 'parked') };
  const worker = new Worker(FLIPPER, { eval: true, workerData });
  const seen = { good: 0, refused: 0, leaked: 0 };
  const ended = new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
  await new Promise((resolve) => worker.once('online', resolve));
  const isDone = () => (guard === 'off' ? seen.leaked > 0 : seen.good > 0 && seen.refused > 0);
  const deadline = Date.now() + 30_000;
  while ((Atomics.load(counter, 0) < count(1000, 100) || !isDone()) && Date.now() < deadline) {
    loadOnce(world, load, seen);
    if (Atomics.load(counter, 0) === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  Atomics.store(counter, 1, 1);
  await ended;
  return seen;
}

function loadOnce(
  world: World,
  load: typeof loadResource,
  seen: { good: number; refused: number; leaked: number },
): void {
  try {
    const { text } = load(placeOf(world.victim), 'reference/guide.md');
    if (text === 'the guide') seen.good++;
    else if (text.includes('canary')) seen.leaked++;
  } catch {
    seen.refused++;
  }
}
