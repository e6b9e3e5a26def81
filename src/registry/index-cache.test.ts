import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { count, diskFolder } from '../../test/support/support.ts';
import { sha256 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import { parseSkill } from '../skill/manifest.ts';
import { discover, type Index } from './discover.ts';
import { checksum, openIndexCache, READER_VERSION } from './index-cache.ts';
import type { Root } from './roots.ts';

interface Bench {
  readonly folder: string;
  readonly skills: string;
  readonly cache: string;
  add(name: string, text: string): void;
  cached(blockAngleBrackets?: boolean): Index;
  uncached(blockAngleBrackets?: boolean): Index;
}

function makeBench(t: TestContext): Bench {
  const folder = diskFolder(t);
  // So late that every file is old enough to be known by what is seen of it.
  const now = Date.now() + 3_600_000;
  const [skills, cache] = [path.join(folder, 'skills'), path.join(folder, 'cache')];
  mkdirSync(skills);
  const roots: Root[] = [{ folder: skills, source: 'user', label: 'skills' }];
  return {
    folder,
    skills,
    cache,
    add(name, text) {
      mkdirSync(path.join(skills, name), { recursive: true });
      writeFileSync(path.join(skills, name, 'SKILL.md'), text);
    },
    cached(blockAngleBrackets = true) {
      const opened = openIndexCache({ folder: cache, roots, deep: false, blockAngleBrackets, now });
      return discover(roots, { blockAngleBrackets, cache: opened });
    },
    uncached: (blockAngleBrackets = true) => discover(roots, { blockAngleBrackets }),
  };
}

function cacheFile(bench: Bench): string {
  const [name, ...more] = readdirSync(bench.cache);
  assert.ok(name);
  assert.deepEqual(more, []);
  return path.join(bench.cache, name);
}

// Odd on purpose: repairs, refusals, free fields, numbers JSON cannot hold, the same text in many folders.
const TEXTS = [
  '---\nname: a\ndescription: One.\n---\n',
  '---\nname: b\ndescription: Two: with a colon that has to be mended\n---\n',
  '---\nname: Title Case\ndescription: >-\n  folded\n  text\nversion: 1.10\n---\n',
  '---\ndescription: Nameless, so the folder gives the name.\n---\n',
  '---\nname: c\n---\n',
  '---\nname: d\ndescription: Say <b>this</b>.\n---\n',
  '---\nname: e\ndescription: x\nmetadata:\n  big: .inf\n  zero: -0.0\n  none: .nan\n  deep: {a: [1, {b: null}]}\n---\n',
  '---\nname: f\ndescription: x\nconstructor: 1\nmine: {a: b}\nuser-invokable: false\n---\n',
  '---\nname: g\ndescription: x\nallowed-tools: [Read, "Bash(git:*)"]\nparams: {x: {type: integer, default: 3}}\ncommand: run {x}\n---\n',
  '---\nname: h\ndescription: x\nallowed-tools: {a: 1}\ntimeout: .inf\n---\n',
  '---\nname: k\ndescription: x\nallowed-tools:\n  - \n- Read\n---\n',
  '# No frontmatter\n\nJust text.\n',
  '',
  '---\nname: i\ndescription: unclosed\n',
  '\ufeff---\r\nname: j\r\ndescription: Windows.\r\n---\r\n',
];

const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.record({ at: fc.nat(TEXTS.length - 1), extra: fc.stringMatching(/^[ -~]{0,20}$/) }).map(({ at, extra }) => {
    return (TEXTS[at] ?? '').replace(/\n---\n/, `\nx-extra: ${extra}\n---\n`);
  }),
);
const folder = fc.constantFrom('a', 'b', 'c', 'org/a', 'org/b', 'Title Case');
const edit = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), folder, text }),
  fc.record({ kind: fc.constant('disguise' as const), folder }),
  fc.record({ kind: fc.constant('remove' as const), folder }),
  fc.record({ kind: fc.constant('rename' as const), folder, to: folder }),
  fc.record({ kind: fc.constant('damage' as const), at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }),
);

/** With all that is read only when asked for. */
function whole(index: Index): unknown {
  const skills = index.skills.map((skill) => {
    const { skillId, source, root, folder, file, description, userInvocable, manifest } = skill;
    return { ...skill, skillId, source, root, folder, file, description, userInvocable, manifest };
  });
  return { ...index, skills };
}

test('after any edits the cached reading equals a fresh one', (t) => {
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), fc.boolean(), (edits, block) => {
      const bench = makeBench(t);
      for (const step of edits) {
        waitForClock();
        applyEdit(bench, step);
        assert.deepStrictEqual(whole(bench.cached(block)), whole(bench.uncached(block)));
      }
      assert.deepStrictEqual(whole(bench.cached(block)), whole(bench.uncached(block)));
      rmSync(bench.folder, { recursive: true });
    }),
    { numRuns: count(1000, 30) },
  );
});

function applyEdit(bench: Bench, step: typeof edit extends fc.Arbitrary<infer Step> ? Step : never): void {
  if (step.kind === 'write') bench.add(step.folder, step.text);
  else if (step.kind === 'disguise') disguise(path.join(bench.skills, step.folder, 'SKILL.md'));
  else if (step.kind === 'remove') rmSync(path.join(bench.skills, step.folder), { recursive: true, force: true });
  else if (step.kind === 'rename') rename(path.join(bench.skills, step.folder), path.join(bench.skills, step.to));
  else damage(bench, step.at, step.byte);
}

/** Other words, but the same size and modification time. */
function disguise(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return;
  writeFileSync(file, readFileSync(file, 'latin1').replaceAll('x', 'q').replaceAll('One', 'Two'), 'latin1');
  utimesSync(file, stats.atime, stats.mtime);
}

/** Until files get another time; `now` promises more than that. */
function waitForClock(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 11);
}

function rename(from: string, to: string): void {
  if (from === to || !statSync(from, { throwIfNoEntry: false })) return;
  rmSync(to, { recursive: true, force: true });
  mkdirSync(path.dirname(to), { recursive: true });
  renameSync(from, to);
}

function damage(bench: Bench, at: number, byte: number): void {
  if (!statSync(bench.cache, { throwIfNoEntry: false })) return;
  for (const name of readdirSync(bench.cache)) {
    const content = readFileSync(path.join(bench.cache, name));
    content[at % content.length] = byte;
    writeFileSync(path.join(bench.cache, name), content);
  }
}

test('a warm scan writes only when something changed', (t) => {
  const bench = makeBench(t);
  for (const [at, content] of TEXTS.entries()) bench.add(`s${at}`, content);
  bench.cached();
  const file = cacheFile(bench);
  const before = statSync(file).ino;
  bench.cached();
  assert.equal(statSync(file).ino, before);
  bench.add('more', '---\nname: more\ndescription: x\n---\n');
  bench.cached();
  assert.notEqual(statSync(file).ino, before);
});

test('what is stored is used: a changed entry would show', (t) => {
  const bench = makeBench(t);
  bench.add('a', '---\nname: a\ndescription: Truth.\n---\n');
  bench.cached();
  const file = cacheFile(bench);
  const stored = readFileSync(file, 'latin1');
  const [scope = '', check = ''] = stored.split('\n');
  const body = stored.slice(scope.length + check.length + 2).replace(/Truth\.$/, 'Other.');
  const mended = checksum(Buffer.from(body, 'latin1'));
  writeFileSync(file, `${scope}\n${mended}\n${body}`, 'latin1');
  const [skill] = bench.cached().skills;
  assert.equal(skill?.description, 'Other.');
  // The manifest is read from the bytes of the file itself.
  assert.equal(skill?.manifest.description, 'Truth.');
});

test('an entry that is none is parsed again', (t) => {
  const bench = makeBench(t);
  bench.add('a', '---\nname: bee\ndescription: Truth.\n---\n');
  bench.add('b', '---\nname: cee\ndescription: More.\n---\n');
  bench.cached();
  const file = cacheFile(bench);
  const stored = readFileSync(file, 'latin1');
  const [scope = '', check = ''] = stored.split('\n');
  // The flag of the first becomes a text of the same length.
  const body = stored.slice(scope.length + check.length + 2).replace('"network":false', '"network":"no!"');
  assert.notEqual(body, stored.slice(scope.length + check.length + 2));
  writeFileSync(file, `${scope}\n${checksum(Buffer.from(body, 'latin1'))}\n${body}`, 'latin1');
  assert.equal(canonicalJson(bench.cached()), canonicalJson(bench.uncached()));
  assert.match(readFileSync(file, 'latin1'), /"network":false[\s\S]*"network":false/);
});

test('the cache forgets what is gone, and is rewritten when foreign or damaged', (t) => {
  const bench = makeBench(t);
  bench.add('a', '---\nname: a\ndescription: x\n---\n');
  bench.add('b', '---\nname: bee\ndescription: x\n---\n');
  bench.cached();
  const file = cacheFile(bench);
  assert.match(readFileSync(file, 'utf8'), /bee/);
  rmSync(path.join(bench.skills, 'b'), { recursive: true });
  bench.cached();
  assert.doesNotMatch(readFileSync(file, 'utf8'), /bee/);
  const good = readFileSync(file, 'utf8');
  for (const bad of ['', 'x', '[]', '{}', `${'0'.repeat(64)} ${'0'.repeat(64)}\n[]`, good.slice(0, -1), `${good} `]) {
    writeFileSync(file, bad);
    assert.deepStrictEqual(whole(bench.cached()), whole(bench.uncached()));
    assert.equal(readFileSync(file, 'utf8'), good);
  }
});

test('settings that change the reading have their own cache', (t) => {
  const bench = makeBench(t);
  bench.add('d', '---\nname: d\ndescription: Say <system>this</b>.\n---\n');
  assert.equal(bench.cached(true).skills.length, 0);
  assert.equal(bench.cached(false).skills.length, 1);
  assert.equal(bench.cached(true).skills.length, 0);
});

test('a home that cannot be written is no error', (t) => {
  const bench = makeBench(t);
  bench.add('a', '---\nname: a\ndescription: x\n---\n');
  writeFileSync(bench.cache, 'a file where the folder should be');
  assert.equal(bench.cached().skills.length, 1);
  rmSync(bench.cache);
  mkdirSync(bench.cache);
  chmodSync(bench.cache, 0o500);
  assert.equal(bench.cached().skills.length, 1);
  chmodSync(bench.cache, 0o700);
});

test('the version of the reader is raised when the same text is read differently', () => {
  const readings = TEXTS.map((content) => {
    const { manifest = null, diagnostics } = parseSkill(content, { path: 'SKILL.md', folderName: 'x' });
    return [manifest, diagnostics.map(({ code, line }) => [code, line])];
  });
  const reading = { version: READER_VERSION, digest: sha256(canonicalJson(readings)).slice(0, 16) };
  assert.deepEqual(
    reading,
    { version: 8, digest: '18c95a41ae14101d' },
    'raise READER_VERSION and note the new digest here',
  );
});
