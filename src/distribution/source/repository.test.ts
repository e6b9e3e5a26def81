import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { changed } from '../../../test/support/changed/changed-source.ts';
import { git, writeSkill } from '../../../test/support/install-support.ts';
import { temporaryFolder } from '../../../test/support/support.ts';
import { Fault } from '../../base/errors.ts';
import { openGitSource } from './repository.ts';

function makeRepository(t: TestContext): string {
  const repository = path.join(temporaryFolder(t), 'repository');
  mkdirSync(repository);
  git(repository, 'init', '--quiet', '--initial-branch=main');
  writeSkill(path.join(repository, 'skills'), {
    name: 'alpha',
    version: '1.0.0',
    files: { 'scripts/run.sh': 'echo 1' },
  });
  writeSkill(path.join(repository, 'skills'), { name: 'beta' });
  return repository;
}

function save(repository: string, message = 'change'): string {
  git(repository, 'add', '--all');
  git(repository, 'commit', '--quiet', '-m', message);
  return git(repository, 'rev-parse', 'HEAD');
}

function open(t: TestContext, source: Parameters<typeof openGitSource>[0], names: string[] = []) {
  const folder = temporaryFolder(t);
  const host = { env: { PATH: process.env.PATH }, home: folder, project: path.join(folder, 'project') };
  return openGitSource(source, { names }, path.join(folder, 'work'), host);
}

function isFault(type: string) {
  return (error: unknown) => error instanceof Fault && error.type === type;
}

test('a repository offers its skills at the commit it was at, with the executable bit', async (t) => {
  const location = makeRepository(t);
  const commit = save(location);
  const { origin, skills } = await open(t, { location });
  assert.deepEqual(origin, { kind: 'git', location, commit });
  assert.deepEqual(
    skills.map(({ folder }) => folder),
    ['skills/alpha', 'skills/beta'],
  );
  const run = skills[0]?.files.find((file) => file.path === 'scripts/run.sh');
  assert.deepEqual([run?.executable, run?.read().toString()], [true, 'echo 1']);
});

test('a tag, a branch, an earlier commit and a sub-folder can be asked for', async (t) => {
  const location = makeRepository(t);
  const first = save(location);
  git(location, 'tag', '-a', 'v1', '-m', 'one');
  writeSkill(path.join(location, 'skills'), { name: 'alpha', version: '2.0.0' });
  const second = save(location);
  assert.equal((await open(t, { location, ref: 'v1' })).origin.commit, first);
  assert.equal((await open(t, { location, ref: 'main' })).origin.commit, second);
  assert.equal((await open(t, { location, ref: first })).origin.commit, first);
  const below = await open(t, { location, path: 'skills/alpha' });
  assert.deepEqual(
    below.skills.map(({ folder }) => folder),
    ['skills/alpha'],
  );
  await assert.rejects(open(t, { location, path: 'nowhere' }), isFault('DataNotFound'));
  await assert.rejects(open(t, { location, ref: 'v9' }), isFault('ExternalServiceError'));
});

test('skills of a plugin repository are found wherever its layout puts them', async (t) => {
  const location = makeRepository(t);
  mkdirSync(path.join(location, '.claude-plugin'));
  writeFileSync(
    path.join(location, '.claude-plugin', 'marketplace.json'),
    '{"plugins":[{"source":"./plugins/tools"}]}',
  );
  writeSkill(path.join(location, 'plugins', 'tools', 'skills'), { name: 'gamma' });
  save(location);
  const { skills } = await open(t, { location }, ['gamma']);
  assert.deepEqual(
    skills.map(({ folder }) => folder),
    ['plugins/tools/skills/gamma'],
  );
});

test('threat 54 blocked: hooks, filters and attributes of a repository never run', async (t) => {
  const location = makeRepository(t);
  const canary = path.join(temporaryFolder(t), 'canary');
  for (const hook of ['post-checkout', 'post-merge', 'reference-transaction', 'pre-receive', 'post-update', 'update']) {
    writeFileSync(path.join(location, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${canary}\n`);
    chmodSync(path.join(location, '.git', 'hooks', hook), 0o755);
  }
  git(location, 'config', 'filter.evil.smudge', `touch ${canary}; cat`);
  writeFileSync(path.join(location, '.gitattributes'), '* filter=evil\n');
  git(location, 'config', 'core.hooksPath', '/dev/null');
  save(location);
  git(location, 'config', '--unset', 'core.hooksPath');
  git(location, 'config', 'core.fsmonitor', `touch ${canary}`);
  const { skills } = await open(t, { location });
  assert.equal(skills.length, 2);
  assert.equal(existsSync(canary), false);
});

test('the same repository runs its filter where it is checked out', async (t) => {
  const location = makeRepository(t);
  const canary = path.join(temporaryFolder(t), 'canary');
  writeFileSync(path.join(location, '.gitattributes'), '* filter=evil\n');
  save(location);
  git(location, 'config', 'filter.evil.smudge', `touch ${canary}; cat`);
  git(location, 'rm', '--cached', '-r', '--quiet', '.');
  git(location, 'reset', '--hard', '--quiet');
  assert.equal(existsSync(canary), true);
});

test('threat 5 blocked: a link in a repository is refused, and so is a submodule', async (t) => {
  const location = makeRepository(t);
  symlinkSync('/etc/passwd', path.join(location, 'skills', 'alpha', 'passwd'));
  save(location);
  await assert.rejects(open(t, { location }), isFault('ARCHIVE_LINK'));
  assert.equal((await open(t, { location }, ['beta'])).skills.length, 1);
  const other = makeRepository(t);
  save(other);
  git(location, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'skills/beta/inner');
  save(location);
  await assert.rejects(open(t, { location }, ['beta']), isFault('ARCHIVE_LINK'));
});

test('threat 54 blocked: locations and refs that are options, and protocols that run commands, are refused before git starts', async (t) => {
  const folder = temporaryFolder(t);
  const canary = path.join(folder, 'canary');
  for (const location of [
    `--upload-pack=touch ${canary}`,
    `ext::sh -c touch% ${canary}`,
    `ssh://-oProxyCommand=touch%20${canary}/x`,
    'git://example.com/x',
    'http://example.com/x.git',
    `-oProxyCommand=touch ${canary}@host:x`,
    `ssh://-oProxyCommand=touch%20${canary}@host/x`,
    `ssh://%2doProxyCommand=touch%20${canary}/x`,
  ])
    await assert.rejects(open(t, { location }), isFault('ParamInvalid'), location);
  const repository = makeRepository(t);
  save(repository);
  await assert.rejects(
    open(t, { location: repository, ref: `--upload-pack=touch ${canary}` }),
    isFault('ParamInvalid'),
  );
  await assert.rejects(open(t, { location: repository, path: '../..' }), isFault('ARCHIVE_PATH'));
  assert.equal(existsSync(canary), false);
});

test('threat 54 control: without the guard of locations a repository can name a command to run', async (t) => {
  const folder = temporaryFolder(t);
  const canary = path.join(folder, 'canary');
  const host = { env: { PATH: process.env.PATH }, home: folder, project: path.join(folder, 'project') };
  const location = `ext::sh -c touch% ${canary}`;
  const careless = await changed<typeof import('./repository.ts')>(
    'src/distribution/source/repository.ts',
    { from: 'checkSource(source);', to: '' },
    { from: 'protocolsOf(source.location)', to: "['ext']" },
  );
  await assert.rejects(careless.openGitSource({ location }, { names: [] }, path.join(folder, 'work'), host));
  assert.equal(existsSync(canary), true);
});

test('nothing stays of the work, whether it went well or not', async (t) => {
  const location = makeRepository(t);
  save(location);
  const folder = temporaryFolder(t);
  const work = path.join(folder, 'work');
  const host = { env: { PATH: process.env.PATH }, home: folder, project: path.join(folder, 'project') };
  await openGitSource({ location }, { names: [] }, work, host);
  await assert.rejects(openGitSource({ location, ref: 'v9' }, { names: [] }, work, host));
  assert.deepEqual(readdirSync(work), []);
});

/** Stands for a server that never stops sending; it gives up in the end, so that without the limit the test fails. */
const ENDLESS = `#!/bin/sh
for word in "$@"; do
  case "$word" in
    init) exit 0 ;;
    fetch) echo fetch >>"$HOME/fetches" ;;
  esac
done
mkdir -p "$2/objects/pack"
for round in $(seq 1 100); do
  head -c 200000 /dev/zero >>"$2/objects/pack/tmp_pack_x"
  sleep 0.05
done
touch "$HOME/was-not-ended"
exit 1
`;

test('threat 42 blocked: a fetch that takes too much of the disk is ended, and nothing of it stays', async (t) => {
  const folder = temporaryFolder(t);
  const [bin, work] = [path.join(folder, 'bin'), path.join(folder, 'work')];
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'git'), ENDLESS, { mode: 0o755 });
  const host = { env: { PATH: bin }, home: folder, project: path.join(folder, 'project'), diskLimit: 1 << 20 };
  const source = { location: path.join(folder, 'any'), ref: 'a'.repeat(40) };
  await assert.rejects(openGitSource(source, { names: [] }, work, host), isFault('ARCHIVE_LIMIT'));
  assert.deepEqual(readdirSync(work), []);
  assert.equal(existsSync(path.join(folder, 'was-not-ended')), false);
  assert.equal(readFileSync(path.join(folder, 'fetches'), 'utf8'), 'fetch\n', 'more is not fetched instead');
});

test('threat 42 control: a repository below the limit is read, the same above it is not', async (t) => {
  const location = makeRepository(t);
  writeFileSync(path.join(location, 'large.bin'), randomBytes(2 << 20));
  save(location);
  const folder = temporaryFolder(t);
  const host = { env: { PATH: process.env.PATH }, home: folder, project: path.join(folder, 'project') };
  const read = (diskLimit: number) =>
    openGitSource({ location }, { names: [] }, path.join(folder, 'work'), { ...host, diskLimit });
  // While git writes, the same bytes lie on the disk more than once.
  assert.equal((await read(16 << 20)).skills.length, 2);
  await assert.rejects(read(1 << 20), isFault('ARCHIVE_LIMIT'));
});
