import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { writeSkill } from '../../../test/support/install-support.ts';
import { count, temporaryFolder } from '../../../test/support/support.ts';
import { Fault } from '../../base/errors.ts';
import { openArchiveBytes } from '../source/archive.ts';
import { openTar } from './tar.ts';
import { ARCHIVE_LIMITS } from './type.ts';

const LONG = `${'long'.repeat(15)}/${'name'.repeat(15)}.md`;

function isFault(type: string) {
  return (error: unknown) => error instanceof Fault && error.type === type;
}

function tar(cwd: string, ...args: string[]): Buffer {
  const { status, stdout, stderr } = spawnSync('tar', ['-czf', '-', ...args], { cwd, maxBuffer: 1 << 28 });
  assert.equal(status, 0, String(stderr));
  return stdout;
}

const open = (bytes: Buffer) => openTar(bytes, ARCHIVE_LIMITS);

function makeSkill(t: TestContext): string {
  return writeSkill(temporaryFolder(t), {
    name: 'alpha',
    files: { 'scripts/run.sh': 'echo', '技能.md': 'x', [LONG]: 'y' },
  });
}

test('what tar writes is read, in its common forms, from outside and from inside the folder', (t) => {
  const skill = makeSkill(t);
  for (const format of ['gnu', 'ustar', 'pax']) {
    // GNU has a way of its own for long names, which is not read.
    const words = format === 'gnu' ? ['--exclude=long*'] : [];
    const inside = open(tar(skill, `--format=${format}`, ...words, '.'));
    const outside = open(tar(path.dirname(skill), `--format=${format}`, ...words, 'alpha'));
    assert.ok(
      inside.some(({ name, executable }) => name === 'scripts/run.sh' && executable),
      format,
    );
    assert.equal(
      outside
        .find(({ name }) => name === 'alpha/技能.md')
        ?.read()
        .toString(),
      'x',
      format,
    );
    if (format !== 'gnu')
      assert.ok(
        inside.some(({ name }) => name === LONG),
        format,
      );
  }
  const { skills } = openArchiveBytes(
    tar(path.dirname(skill), '--format=ustar', 'alpha'),
    { kind: 'index', location: 'https://x' },
    { names: [] },
  );
  assert.deepEqual(
    skills.map(({ folder, files }) => [folder, files.length]),
    [['alpha', 4]],
  );
});

test('threat 6 blocked: links, pipes and set-user-id files in a tar are refused', (t) => {
  for (const make of [
    (folder: string) => symlinkSync('/etc/passwd', path.join(folder, 'x')),
    (folder: string) => linkSync(path.join(folder, 'SKILL.md'), path.join(folder, 'x')),
    (folder: string) => spawnSync('mkfifo', [path.join(folder, 'x')]),
    (folder: string) => chmodSync(path.join(folder, 'scripts', 'run.sh'), 0o4755),
  ]) {
    const skill = makeSkill(t);
    make(skill);
    assert.throws(() => open(tar(path.dirname(skill), '--format=pax', 'alpha')), isFault('ARCHIVE_LINK'));
  }
});

test('threat 1 blocked: paths that leave, absolute paths and doubles in a tar are refused', (t) => {
  const skill = makeSkill(t);
  const file = path.join(skill, 'SKILL.md');
  assert.throws(
    () => open(tar(skill, '-P', '--format=ustar', '--transform=s,SKILL,../../evil,', 'SKILL.md')),
    isFault('ARCHIVE_PATH'),
  );
  assert.throws(() => open(tar(skill, '-P', '--format=ustar', file)), isFault('ARCHIVE_PATH'));
  assert.throws(
    () => open(tar(skill, '--format=ustar', '--hard-dereference', 'SKILL.md', 'SKILL.md')),
    isFault('ARCHIVE_DUPLICATE'),
  );
});

test('threat 12 blocked: a bomb in a tar is refused', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'a'));
  writeFileSync(path.join(folder, 'a', 'zeros'), Buffer.alloc(9 << 20));
  assert.throws(() => open(tar(folder, '--format=ustar', 'a')), isFault('ARCHIVE_LIMIT'));
  assert.throws(() => open(gzipSync(Buffer.alloc(200 << 20))), isFault('ARCHIVE_LIMIT'));
});

test('threat 14 blocked: mutated tars end in a typed fault or in files, never in a crash', (t) => {
  const folder = temporaryFolder(t);
  const skill = writeSkill(folder, { name: 'alpha', files: { 'a.txt': 'x' } });
  const file = path.join(folder, 'x.tar');
  spawnSync('tar', ['--format=pax', '-cf', file, '-C', path.dirname(skill), 'alpha']);
  const honest = readFileSync(file);
  const change = fc.record({ at: fc.nat(Math.min(honest.length, 6000) - 1), to: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const bytes = Buffer.from(honest);
      for (const { at, to } of changes) bytes[at] = to;
      try {
        for (const one of open(gzipSync(bytes, { level: 1 }))) one.read();
      } catch (error) {
        assert.ok(error instanceof Fault && error.type.startsWith('ARCHIVE_'), String(error));
      }
    }),
    { numRuns: count(5_000, 300) },
  );
});

test('threat 14 blocked: nothing hides behind the padding of a packed tar', (t) => {
  const skill = makeSkill(t);
  const honest = tar(path.dirname(skill), '--format=ustar', 'alpha');
  const padding = Buffer.alloc(64);
  assert.equal(open(Buffer.concat([honest, padding])).length, 4);
  assert.throws(() => open(Buffer.concat([honest, padding, Buffer.from('hidden')])), isFault('ARCHIVE_FORMAT'));
});
