// Who a skill comes from, as the commands see it: signatures of ssh, keys taken back, plugins, sources that change.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Desk, makeDesk, makePack } from '../../support/install-desk.ts';
import { git, writeSkill } from '../../support/install-support.ts';
import { runCli } from '../../support/support.ts';

const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
const skillsOf = ({ cwd }: Desk) => {
  const root = path.join(cwd, '.agent', 'skills');
  return existsSync(root) ? readdirSync(root).sort() : [];
};

function sshKey(desk: Desk, name: string): string {
  const file = path.join(desk.folder, name);
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file]);
  return file;
}

function sshSign(key: string, pack: string, namespace = 'agent-skill@v1'): void {
  rmSync(`${pack}.sig`, { force: true });
  const { status, stderr } = spawnSync('ssh-keygen', ['-Y', 'sign', '-n', namespace, '-f', key, pack], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
}

test('a pack signed with ssh-keygen installs once its key is trusted, is pinned, and no other key follows', {
  skip: !hasSshKeygen,
}, async (t) => {
  const desk = makeDesk(t);
  const [alice, mallory] = [sshKey(desk, 'alice'), sshKey(desk, 'mallory')];
  const pack = await makePack(desk, 'p.zip', { name: 'alpha', version: '1.0.0' });
  sshSign(alice, pack);
  assert.equal((await desk.sw('install', pack, '--yes')).data.code, 'SIGNATURE_REFUSED');
  assert.equal((await desk.sw('keys', 'trust', `${alice}.pub`)).data.name, 'alice');
  assert.equal((await desk.sw('verify', pack, '--signed')).code, 0);
  sshSign(alice, pack, 'git');
  assert.equal((await desk.sw('verify', pack, '--signed')).data.code, 'SIGNATURE_REFUSED', 'made for something else');
  sshSign(alice, pack);
  assert.equal((await desk.sw('install', pack, '--yes')).code, 0);
  assert.equal((await desk.sw('verify', 'alpha', '--signed')).code, 0);

  await makePack(desk, 'p.zip', { name: 'alpha', version: '2.0.0' });
  await desk.sw('keys', 'trust', `${mallory}.pub`);
  sshSign(mallory, pack);
  assert.equal((await desk.sw('update', '--yes')).data.code, 'PERMISSION_DENIED', 'another key');
  rmSync(`${pack}.sig`);
  assert.equal((await desk.sw('update', '--yes')).data.code, 'PERMISSION_DENIED', 'no signature any more');
  assert.equal((await desk.sw('update', '--yes', '--replace')).code, 4, 'only a person');
  sshSign(alice, pack);
  assert.equal((await desk.sw('update', '--yes')).code, 0);
});

test('a key that was revoked is not trusted again in passing', async (t) => {
  const desk = makeDesk(t);
  const { data } = await desk.sw('keys', 'generate', 'work');
  await desk.sw('keys', 'revoke', 'work');
  assert.equal((await desk.sw('keys', 'trust', String(data.public_file))).data.code, 'PERMISSION_DENIED');
  assert.equal((await desk.sw('keys', 'trust', String(data.public_file), '--force')).code, 0);
});

test('an Agent Plugin and a marketplace install by the name of a plugin, and without stray skills', async (t) => {
  const desk = makeDesk(t);
  const plugin = path.join(desk.folder, 'plugin');
  for (const name of ['alpha', 'beta']) writeSkill(path.join(plugin, 'skills'), { name });
  writeSkill(path.join(plugin, 'test', 'fixtures'), { name: 'broken-on-purpose' });
  const $schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';
  writeFileSync(path.join(plugin, 'plugin.json'), JSON.stringify({ $schema, name: 'tools' }));
  assert.equal((await desk.sw('install', plugin, '--yes')).code, 0);
  assert.deepEqual(skillsOf(desk), ['alpha', 'beta']);

  const other = makeDesk(t);
  const repository = path.join(other.folder, 'repository');
  renameSync(plugin, path.join(mkdirIn(repository, 'plugins'), 'tools'));
  writeSkill(path.join(repository, 'plugins', 'office', 'skills'), { name: 'gamma' });
  mkdirIn(repository, '.claude-plugin');
  const plugins = ['tools', 'office'].map((name) => ({ name, source: `./plugins/${name}` }));
  writeFileSync(path.join(repository, '.claude-plugin', 'marketplace.json'), JSON.stringify({ name: 'm', plugins }));
  git(repository, 'init', '--quiet', '--initial-branch=main');
  git(repository, 'add', '--all');
  git(repository, 'commit', '--quiet', '-m', 'one');
  assert.equal((await other.sw('install', `git+${repository}`, 'office', '--yes')).code, 0);
  assert.deepEqual(skillsOf(other), ['gamma']);
  assert.equal((await other.sw('install', `git+${repository}`, '--yes')).code, 0);
  assert.deepEqual(skillsOf(other), ['alpha', 'beta', 'gamma']);
  assert.equal((await other.sw('update', '--yes')).data.unchanged.length, 3);
});

function mkdirIn(folder: string, name: string): string {
  const made = path.join(folder, name);
  mkdirSync(made, { recursive: true });
  return made;
}

test('an update never brings a skill of another name in the place of the installed one', async (t) => {
  const desk = makeDesk(t);
  const source = writeSkill(path.join(desk.folder, 'source'), { name: 'alpha', version: '1.0.0' });
  assert.equal((await desk.sw('install', source, '--yes')).code, 0);
  const file = path.join(source, 'SKILL.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace('name: alpha', 'name: git-helper'));
  assert.equal((await desk.sw('update', '--yes')).data.code, 'INTEGRITY_MISMATCH');
  assert.deepEqual(skillsOf(desk), ['alpha']);
});

test('what somebody wrote into the lock reaches no terminal as it is', async (t) => {
  const desk = makeDesk(t);
  await desk.sw('install', await makePack(desk, 'p.zip', { name: 'alpha' }), '--yes');
  const lock = path.join(desk.cwd, '.agent', 'skills.lock.json');
  const value = JSON.parse(readFileSync(lock, 'utf8'));
  value.skills[0].signer = '\u001b[2Jed25519:trusted';
  value.skills[0].source.location = '\u001b]0;x\u0007';
  writeFileSync(lock, JSON.stringify(value));
  for (const args of [['verify'], ['verify', 'alpha'], ['lock'], ['update', '--yes'], ['install', '--frozen']]) {
    const { stdout, stderr } = await runCli(args, desk);
    for (const code of ['\u0007', '\u001b']) assert.ok(!(stdout + stderr).includes(code), args.join(' '));
  }
});

test('a skill whose file is spelt skill.md is vetted, installed, packed and updated as it is listed', async (t) => {
  const desk = makeDesk(t);
  const source = path.join(desk.folder, 'source');
  for (const name of ['alpha', 'beta']) writeSkill(source, { name });
  renameSync(path.join(source, 'alpha', 'SKILL.md'), path.join(source, 'alpha', 'skill.md'));
  // Not beside other skills, and nobody asked for it.
  writeSkill(path.join(source, 'docs', 'pages'), { name: 'page' });
  renameSync(
    path.join(source, 'docs', 'pages', 'page', 'SKILL.md'),
    path.join(source, 'docs', 'pages', 'page', 'Skill.md'),
  );
  assert.equal((await desk.sw('vet', path.join(source, 'alpha'))).code, 0);
  assert.equal((await desk.sw('install', source, '--yes')).code, 0);
  assert.deepEqual(skillsOf(desk), ['alpha', 'beta']);
  const { data } = await desk.sw('list');
  assert.ok(data.skills.some(({ name }) => name === 'alpha'));
  assert.equal((await desk.sw('verify', 'alpha')).code, 0);
  const pack = path.join(desk.folder, 'p.zip');
  assert.equal((await desk.sw('pack', 'alpha', '--output', pack)).code, 0);
  const other = makeDesk(t);
  assert.equal((await other.sw('install', pack, '--yes')).code, 0);
  assert.deepEqual(skillsOf(other), ['alpha']);
  assert.deepEqual((await other.sw('update', '--yes')).data.unchanged, ['alpha']);
});

test('pack says which name nobody could install, and writes nothing', async (t) => {
  const desk = makeDesk(t);
  const skill = writeSkill(path.join(desk.folder, 'source'), { name: 'alpha', files: { 'scripts/con': 'x' } });
  const { code, data, text } = await desk.sw('pack', skill, '--output', path.join(desk.folder, 'p.zip'));
  assert.deepEqual([code !== 0, data.code], [true, 'ARCHIVE_COLLISION'], text);
  assert.match(text, /scripts\/con: a reserved name/);
  assert.equal(existsSync(path.join(desk.folder, 'p.zip')), false);
});
