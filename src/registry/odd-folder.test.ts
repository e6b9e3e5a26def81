// Folders that work against their reader: whatever one of them does, the others are in the index and it is named.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { parseSkill } from '../skill/manifest.ts';
import type { ScannedSkill } from '../store/store.ts';
import { allDiagnostics, type DiscoverOptions, discover, type Index } from './discover.ts';
import type { IndexCache } from './index-cache.ts';
import { scan } from './scan.ts';

interface Place {
  readonly skills: string;
  add(name: string, text?: string): string;
  index(options?: Partial<DiscoverOptions>): Index;
}

function makePlace(t: TestContext): Place {
  const skills = path.join(temporaryFolder(t), 'skills');
  mkdirSync(skills);
  const place: Place = {
    skills,
    add(name, text = `---\nname: ${name}\ndescription: Does the work of ${name}.\n---\n`) {
      mkdirSync(path.join(skills, name), { recursive: true });
      const file = path.join(skills, name, 'SKILL.md');
      writeFileSync(file, text);
      return file;
    },
    index: (options = {}) =>
      discover([{ folder: skills, source: 'user', label: 'skills' }], { blockAngleBrackets: true, ...options }),
  };
  for (const name of ['aaa', 'zzz']) place.add(name);
  return place;
}

const names = ({ skills }: Index) => skills.map(({ name }) => name);

function codesOf(index: Index, file: string): string[] {
  return allDiagnostics(index)
    .filter((found) => found.path === file)
    .map(({ code }) => code);
}

test('a reader that fails for one file names it, and the others are listed', (t) => {
  const place = makePlace(t);
  const file = place.add('bad');
  const cache: IndexCache = {
    entriesOf: (_folder, _stats, list) => list(),
    recall: () => undefined,
    find({ place: { name } }) {
      if (name === 'bad') throw new TypeError('Cannot convert object to primitive value');
      return undefined;
    },
    add: (_, parsed) => parsed,
    save() {},
  };
  const index = place.index({ cache });
  assert.deepEqual(names(index), ['aaa', 'zzz']);
  assert.deepEqual(codesOf(index, file), ['internal']);
  assert.match(index.invalid[0]?.diagnostics[0]?.message ?? '', /Cannot convert object/);
});

test('reading never throws, whatever its surroundings do', () => {
  const where = {
    path: '/a/SKILL.md',
    get folderName(): string {
      throw new Error('boom');
    },
  };
  const { manifest, diagnostics } = parseSkill('---\nname: a\ndescription: b\n---\n', where);
  assert.equal(manifest, undefined);
  assert.deepEqual([diagnostics[0]?.code, diagnostics[0]?.path], ['internal', '/a/SKILL.md']);
});

test('a SKILL.md that is a pipe, a socket, a folder, a device or endless is refused by name', async (t) => {
  const place = makePlace(t);
  const at = (name: string) => {
    mkdirSync(path.join(place.skills, name));
    return path.join(place.skills, name, 'SKILL.md');
  };
  const odd = ['folder', 'pipe', 'socket', 'zeros'];
  const [folder = '', pipe = '', socket = '', zeros = ''] = odd.map(at);
  mkdirSync(folder);
  spawnSync('mkfifo', [pipe]);
  const server = createServer().listen(path.relative(process.cwd(), socket));
  await new Promise((done) => server.once('listening', done));
  t.after(() => server.close());
  writeFileSync(zeros, '');
  truncateSync(zeros, 3 * 1024 ** 3);
  if (process.getuid?.() === 0 && spawnSync('mknod', [at('device'), 'c', '1', '5']).status === 0) odd.push('device');
  const index = place.index();
  assert.deepEqual(names(index), ['aaa', 'zzz']);
  assert.deepEqual(index.invalid.map(({ folderName }) => folderName).sort(), odd.sort());
  for (const { diagnostics, file } of index.invalid) {
    assert.ok(
      diagnostics.some(({ severity, path: named }) => severity === 'error' && named === file),
      file,
    );
    assert.ok(!codesOf(index, file).includes('internal'), file);
  }
  assert.deepEqual(codesOf(index, pipe), ['unreadable']);
});

test('a pipe that somebody writes a skill into is no skill', (t) => {
  const place = makePlace(t);
  mkdirSync(path.join(place.skills, 'pipe'));
  const file = path.join(place.skills, 'pipe', 'SKILL.md');
  // Open for both ways, so that nobody waits for the other.
  const script = `mkfifo "$1" && exec 3<>"$1" && printf -- '---\\nname: pipe\\ndescription: d\\n---\\n' >&3 && exec node -e "$2" "$1"`;
  const child = `
    const { discover } = await import(${JSON.stringify(path.join(import.meta.dirname, 'discover.ts'))});
    const roots = [{ folder: ${JSON.stringify(place.skills)}, source: 'user', label: 's' }];
    const { skills, invalid } = discover(roots, { blockAngleBrackets: true });
    console.log(JSON.stringify([skills.map(({ name }) => name), invalid.map(({ diagnostics }) => diagnostics[0].code)]));`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script.replace('node', process.execPath), 'sh', file, child]);
  assert.deepEqual(JSON.parse(stdout.toString() || 'null'), [['aaa', 'zzz'], ['unreadable']], stderr.toString());
});

test('folders that vanish or close while they are walked end nothing', (t) => {
  const place = makePlace(t);
  for (const name of ['bbb', 'ccc', 'org/one', 'org/two']) {
    const own = path.basename(name);
    place.add(name, `---\nname: ${own}\ndescription: Does the work of ${own}.\n---\n`);
  }
  // The first file that is read takes its neighbours away.
  const onRead = () => {
    rmSync(path.join(place.skills, 'bbb'), { recursive: true, force: true });
    rmSync(path.join(place.skills, 'org', 'one'), { recursive: true, force: true });
  };
  const index = place.index({ onRead });
  assert.deepEqual(names(index), ['aaa', 'ccc', 'two', 'zzz']);
  assert.deepEqual(
    allDiagnostics(index).filter(({ severity }) => severity !== 'info'),
    [],
  );
});

test('a scan hashes the others where one folder cannot be looked at', (t) => {
  const place = makePlace(t);
  const bad = place.add('bad');
  const { skills } = place.index();
  const entries = skills.map((skill) => {
    const { skillId, name, folderName, source, folder, file } = skill;
    const entry = { skillId, name, folderName, source, folder, file };
    return file === bad ? Object.defineProperty(entry, 'realFolder', { get: () => assert.fail('boom') }) : entry;
  });
  const store = {
    scanned: {
      all: () => new Map(),
      reconcile: <Value>(decide: (known: ReadonlyMap<string, ScannedSkill>) => { result: Value }) => decide(new Map()),
    },
  };
  const result = scan({ skills: entries }, store as never);
  assert.equal(result.total, 3);
  assert.deepEqual(
    result.diagnostics.map(({ code, path: file }) => [code, file]),
    [['internal', bad]],
  );
});

test('links in circles, to themselves, to devices and out of the root are told and followed nowhere', (t) => {
  const place = makePlace(t);
  const link = (target: string, name: string) => symlinkSync(target, path.join(place.skills, name));
  link('self', 'self');
  link('../..', 'above');
  link('/dev', 'devices');
  link('/proc/self', 'process');
  mkdirSync(path.join(place.skills, 'linked'));
  symlinkSync('/dev/zero', path.join(place.skills, 'linked', 'SKILL.md'));
  const index = place.index();
  assert.deepEqual(names(index), ['aaa', 'zzz']);
  const told = allDiagnostics(index).map(({ code }) => code);
  for (const code of ['link-broken', 'link-outside', 'link-circular']) assert.ok(told.includes(code), code);
});
