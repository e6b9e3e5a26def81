import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { changed } from '../../../test/support/changed/changed-source.ts';
import { writeSkill } from '../../../test/support/install-support.ts';
import { count, temporaryFolder } from '../../../test/support/support.ts';
import { Fault } from '../../base/errors.ts';
import { openArchive } from '../archive/archive.ts';
import { checkName, refuseCollisions } from '../archive/name.ts';
import { writeZip } from '../archive/zip-writer.ts';
import { openArchiveFile } from '../source/archive.ts';
import { readManifest } from './manifest.ts';
import { packSkills, writePack } from './pack.ts';

const OPTIONS = { blockAngleBrackets: true };
const hasPython = spawnSync('python3', ['--version']).status === 0;

function isFault(type: string) {
  return (error: unknown) => error instanceof Fault && error.type === type;
}

test('a pack holds <skill>/SKILL.md for several skills, and manifest.json with every hash', (t) => {
  const folder = temporaryFolder(t);
  const skills = ['alpha', 'beta'].map((name) =>
    writeSkill(folder, { name, version: '1.0.0', files: { 'scripts/run.sh': 'echo' } }),
  );
  const { bytes } = packSkills(skills, OPTIONS);
  const files = openArchive(bytes);
  assert.deepEqual(
    files.map(({ name }) => name),
    ['alpha/SKILL.md', 'alpha/scripts/run.sh', 'beta/SKILL.md', 'beta/scripts/run.sh', 'manifest.json'],
  );
  const manifest = JSON.parse(files.at(-1)?.read().toString() ?? '');
  assert.deepEqual([manifest.format, manifest.version, manifest.skills.length], ['skillwright-pack', 1, 2]);
  assert.deepEqual(Object.keys(manifest.skills[0].files[0]), ['path', 'size', 'mode', 'sha256']);
});

test('the same skills give the same bytes, from another folder, on another day and in another order', (t) => {
  const folder = temporaryFolder(t);
  const [a, b] = ['alpha', 'beta'].map((name) =>
    writeSkill(folder, { name, files: { 'a.txt': name, 'sub/run.sh': 'x' } }),
  );
  const first = packSkills([a ?? '', b ?? ''], OPTIONS);
  const elsewhere = path.join(temporaryFolder(t), 'copy');
  cpSync(folder, elsewhere, { recursive: true });
  for (const name of ['alpha', 'beta']) utimesSync(path.join(elsewhere, name, 'SKILL.md'), 1, 1);
  chmodSync(path.join(elsewhere, 'alpha', 'a.txt'), 0o600);
  const second = packSkills([path.join(elsewhere, 'beta'), path.join(elsewhere, 'alpha')], OPTIONS);
  assert.equal(second.digest, first.digest);
  assert.ok(second.bytes.equals(first.bytes));
});

test('a .skill file holds one skill without a list, and two skills do not fit', (t) => {
  const folder = temporaryFolder(t);
  const [a, b] = ['alpha', 'beta'].map((name) => writeSkill(folder, { name }));
  const { bytes } = packSkills([a ?? ''], { ...OPTIONS, single: true });
  assert.deepEqual(
    openArchive(bytes).map(({ name }) => name),
    ['alpha/SKILL.md'],
  );
  assert.throws(() => packSkills([a ?? '', b ?? ''], { ...OPTIONS, single: true }), isFault('Usage'));
});

test('secrets, links, pipes and compiled code are refused; what tools leave behind is left out', async (t) => {
  const careless = await changed<typeof import('./pack.ts')>('src/distribution/publish/pack.ts', {
    from: 'refuseSecrets(held, folderName);',
    to: '',
  });
  for (const name of ['.env', 'keys/id_rsa', 'deploy.pem', '.aws/credentials']) {
    const skill = writeSkill(temporaryFolder(t), { name: 'alpha', files: { [name]: 'secret' } });
    assert.throws(() => packSkills([skill], OPTIONS), isFault('PathBlocked'), name);
    assert.ok(careless.packSkills([skill], OPTIONS).bytes.length > 0);
  }
  const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nx\n';
  const renamed = writeSkill(temporaryFolder(t), { name: 'alpha', files: { 'notes.txt': key } });
  assert.throws(() => packSkills([renamed], OPTIONS), isFault('PathBlocked'));
  const quoted = writeSkill(temporaryFolder(t), { name: 'alpha', body: `It looks like this:\n${key}` });
  assert.equal(packSkills([quoted], OPTIONS).skills.length, 1);
  const linked = writeSkill(temporaryFolder(t), { name: 'alpha' });
  symlinkSync('/etc/hostname', path.join(linked, 'outside.txt'));
  assert.throws(() => packSkills([linked], OPTIONS), isFault('ARCHIVE_LINK'));
  const compiled = writeSkill(temporaryFolder(t), { name: 'alpha', files: { 'x.so': 'x' } });
  assert.throws(() => packSkills([compiled], OPTIONS), isFault('ARCHIVE_FORMAT'));
  const littered = writeSkill(temporaryFolder(t), {
    name: 'alpha',
    files: { '__pycache__/x.pyc': 'x', '.DS_Store': 'x' },
  });
  assert.deepEqual(
    packSkills([littered], OPTIONS).skills[0]?.files.map((file) => file.path),
    ['SKILL.md'],
  );
});

test('a file that packs too well is stored, so that our own reader does not take it for a bomb', (t) => {
  const skill = writeSkill(temporaryFolder(t), { name: 'alpha', files: { 'zeros.txt': '0'.repeat(1 << 20) } });
  const { bytes } = packSkills([skill], OPTIONS);
  assert.equal(
    openArchive(bytes)
      .find(({ name }) => name.endsWith('zeros.txt'))
      ?.read().length,
    1 << 20,
  );
});

test('a manifest.json of somebody else is no list of ours, one of a later version is refused', () => {
  assert.equal(readManifest('{"name":"extension"}'), undefined);
  assert.equal(readManifest('not json'), undefined);
  assert.throws(() => readManifest('{"format":"skillwright-pack","version":2,"skills":[]}'), isFault('ARCHIVE_FORMAT'));
});

test('what we write, Python reads: names, contents and modes', { skip: !hasPython }, (t) => {
  const folder = temporaryFolder(t);
  const entries = [
    { name: 'a/技能.md', content: Buffer.from('技能\n'.repeat(500)), executable: false },
    { name: 'a/run.sh', content: Buffer.from('#!/bin/sh\n'), executable: true },
    { name: 'a/empty', content: Buffer.alloc(0), executable: false },
  ];
  const file = path.join(folder, 'x.zip');
  writeFileSync(file, writeZip(entries));
  const script = `import zipfile,json,sys
z=zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps({i.filename:[z.read(i).hex(), i.external_attr>>16] for i in z.infolist()}))`;
  const { stdout, stderr } = spawnSync('python3', ['-c', script, file], { encoding: 'utf8' });
  assert.equal(stderr, '');
  const read = JSON.parse(stdout);
  for (const { name, content, executable } of entries)
    assert.deepEqual(read[name], [content.toString('hex'), executable ? 0o100755 : 0o100644]);
});

test('what Python writes honestly, we read alike', { skip: !hasPython }, (t) => {
  const folder = temporaryFolder(t);
  const script = `import zipfile,sys,random,os,json
random.seed(int(sys.argv[2])); z=zipfile.ZipFile(sys.argv[1],'w'); out={}
for n in range(40):
    name='s%d/%s.txt'%(n%5,'文' if n%7==0 else 'f%d'%n)+('' if n%7 else str(n))
    data=bytes(random.getrandbits(8) for _ in range(random.choice([0,1,100,5000]))) if n%2 else b'abc'*random.choice([0,10,9000])
    z.writestr(zipfile.ZipInfo(name,(2020,1,1,0,0,0)),data,random.choice([zipfile.ZIP_STORED,zipfile.ZIP_DEFLATED])); out[name]=data.hex()
z.close(); print(json.dumps(out))`;
  for (let seed = 0; seed < count(50, 5); seed++) {
    const file = path.join(folder, `${seed}.zip`);
    const expected = JSON.parse(spawnSync('python3', ['-c', script, file, String(seed)], { encoding: 'utf8' }).stdout);
    const found = Object.fromEntries(
      openArchive(readFileSync(file)).map((one) => [one.name, one.read().toString('hex')]),
    );
    assert.deepEqual(found, expected);
  }
});

test('whatever is packed reads back as it was, and what our reader refuses is not packed', () => {
  const plain = fc.stringMatching(/^[a-zA-Z][a-z0-9]{0,8}$/);
  const odd = fc.constantFrom(
    'con',
    'NUL',
    'aux.txt',
    'com1',
    'a.',
    'a ',
    'a:b',
    'a\\b',
    '..',
    '/a',
    'a//b',
    'é',
    'e\u0301',
  );
  const name = fc.oneof(
    { arbitrary: plain, weight: 8 },
    odd,
    fc.tuple(plain, odd).map(([one, other]) => `${one}/${other}`),
  );
  const entry = fc.record({ name, content: fc.uint8Array({ maxLength: 2000 }), executable: fc.boolean() });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
      const refusal = refusalOf(() =>
        refuseCollisions(entries.map((one) => ({ ...one, segments: checkName(one.name) }))),
      );
      assert.equal(
        refusalOf(() => writeZip(entries)),
        refusal,
      );
      if (refusal !== undefined) return;
      const read = openArchive(writeZip(entries));
      assert.equal(read.length, entries.length);
      for (const file of read) {
        const written = entries.find((one) => one.name === file.name);
        assert.ok(written && file.read().equals(written.content) && file.executable === written.executable);
      }
    }),
    { numRuns: count(2_000, 200) },
  );
});

function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error.type;
  }
}

test('pack refuses each name that nobody can install, and every skill it packs can be installed', (t) => {
  const refused = ['con', 'a.', 'sub/NUL.txt', 'a:b', 'a\\b', 'x'.repeat(250), 'x/'.repeat(16).concat('y')];
  for (const name of refused) {
    const skill = writeSkill(temporaryFolder(t), { name: 'alpha', files: { [name]: 'x' } });
    assert.match(refusalOf(() => packSkills([skill], OPTIONS)) ?? '', /^ARCHIVE_/, name);
  }
  const twins = writeSkill(temporaryFolder(t), { name: 'alpha', files: { 'Read.md': '1', 'read.md': '2' } });
  assert.throws(() => packSkills([twins], OPTIONS), isFault('ARCHIVE_COLLISION'));
  const odd = writeSkill(temporaryFolder(t), {
    name: 'alpha',
    files: { 'con-verse.md': '1', 'sub/读.md': '2', '.x': '3' },
  });
  const file = path.join(temporaryFolder(t), 'p.zip');
  writePack(file, packSkills([odd], OPTIONS));
  assert.equal(openArchiveFile(file, { names: [] }).skills[0]?.files.length, 4);
});

test('a pack on disk offers its skills, all or by name', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'skills'));
  const skills = ['alpha', 'beta'].map((name) => writeSkill(path.join(folder, 'skills'), { name }));
  const file = path.join(folder, 'out', 'pack.zip');
  writePack(file, packSkills(skills, OPTIONS));
  assert.deepEqual(
    openArchiveFile(file, { names: [] }).skills.map((skill) => skill.folder),
    ['alpha', 'beta'],
  );
  assert.deepEqual(
    openArchiveFile(file, { names: ['beta'] }).skills.map((skill) => skill.folder),
    ['beta'],
  );
  assert.throws(() => openArchiveFile(file, { names: ['gamma'] }), isFault('SkillNotFound'));
});
