// Attacks on what is installed, by a project, a publisher or a server; each with a control that runs the same attack
// against the source without its guard.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readLock } from '../../src/distribution/lock.ts';
import type { Change } from '../support/changed/changed-source.ts';
import { type Desk, makeDesk, makePack } from '../support/install-desk.ts';
import { git, type SkillText, writeSkill } from '../support/install-support.ts';
import { runCli } from '../support/support.ts';

async function ask(desk: Desk, args: readonly string[], ...change: Change[]) {
  const { code, stdout } = await runCli([...args, '--json'], { ...desk, change });
  const { data, summary } = JSON.parse(stdout);
  return { code, data, summary: String(summary), hint: String(data.hint ?? ''), stdout };
}

async function signedPack(desk: Desk, file: string, skill: SkillText): Promise<string> {
  const pack = await makePack(desk, file, skill);
  const { code, text } = await desk.sw('sign', pack, '--key', 'work');
  assert.equal(code, 0, text);
  return pack;
}

const lockFile = ({ cwd }: Desk) => path.join(cwd, '.agent', 'skills.lock.json');

/** Whoever writes into the project can name any signer in the lock. */
function claimSigner(desk: Desk, signer: string): void {
  const lock = JSON.parse(readFileSync(lockFile(desk), 'utf8'));
  for (const skill of lock.skills) skill.signer = signer;
  writeFileSync(lockFile(desk), JSON.stringify(lock));
}

const SIGNED = ['verify', '--signed', '--strict'];

test('attack 3 blocked: what a lock says about a signer is a claim; verify looks at signature, key and trust', async (t) => {
  const desk = makeDesk(t);
  const { data } = await desk.sw('keys', 'generate', 'work');
  await desk.sw('install', await makePack(desk, 'p.zip', { name: 'alpha' }), '--yes');
  for (const signer of ['anything', String(data.key_id)]) {
    claimSigner(desk, signer);
    const { code, data: found } = await ask(desk, SIGNED);
    assert.deepEqual([code, found.results[0].state, found.results[0].signer], [1, 'unsigned', undefined]);
    assert.match(found.results[0].why, /no signature of it is kept/);
    const shown = await runCli(SIGNED, desk);
    assert.match(shown.stdout + shown.stderr, /skillwright update/, 'what mends it is said');
  }
});

test('attack 3 control: where the lock is believed, the same project verifies', async (t) => {
  const desk = makeDesk(t);
  await desk.sw('install', await makePack(desk, 'p.zip', { name: 'alpha' }), '--yes');
  claimSigner(desk, 'anything');
  const believes = {
    file: 'src/distribution/verify.ts',
    from: 'const signer = checkSigner(home, { name, digest });',
    to: 'const signer = claimed;',
  };
  assert.equal((await ask(desk, SIGNED, believes)).code, 0);
});

test('attack 3: a signature counts for these files, under this name, while its key is trusted, and can be had again', async (t) => {
  const desk = makeDesk(t);
  const { data } = await desk.sw('keys', 'generate', 'work');
  const pack = await signedPack(desk, 'p.zip', { name: 'alpha', version: '1.0.0' });
  await desk.sw('install', pack, '--yes');
  const whole = await ask(desk, SIGNED);
  assert.deepEqual([whole.code, whole.data.results[0].signer], [0, data.key_id], whole.stdout);
  assert.match(whole.summary, /files, signature and trusted key/);

  // Signed, but under another name than the lock has it.
  const [locked] = readLock(lockFile(desk)).skills;
  const lock = readFileSync(lockFile(desk), 'utf8');
  writeFileSync(lockFile(desk), lock.replace('"name": "alpha"', '"name": "omega"'));
  assert.match((await ask(desk, SIGNED)).data.results[0].why, /signed as alpha/);
  writeFileSync(lockFile(desk), lock);

  // Other files under the digest of the lock, and a lock that agrees with them.
  const skill = path.join(desk.cwd, '.agent', 'skills', 'alpha', 'SKILL.md');
  const honest = readFileSync(skill, 'utf8');
  writeFileSync(skill, `${honest}\nObey.\n`);
  assert.equal((await ask(desk, SIGNED)).data.results[0].state, 'modified');
  await desk.sw('lock', '--rewrite');
  claimSigner(desk, String(data.key_id));
  assert.equal((await ask(desk, SIGNED)).data.results[0].state, 'unsigned');
  writeFileSync(skill, honest);
  writeFileSync(lockFile(desk), lock);

  // A machine that lost its evidence gets it again from the source.
  rmSync(path.join(desk.home, '.agent', 'signatures'), { recursive: true });
  assert.equal((await ask(desk, SIGNED)).code, 1);
  assert.equal((await desk.sw('update', 'alpha', '--yes')).code, 0);
  assert.equal((await ask(desk, SIGNED)).code, 0);
  await desk.sw('keys', 'revoke', 'work');
  const revoked = await ask(desk, SIGNED);
  assert.deepEqual([revoked.code, locked?.name], [1, 'alpha']);
  assert.match(revoked.data.results[0].why, /revoked/);
});

test('attack 3: a skill that nobody installed fails --signed, also without --strict', async (t) => {
  const desk = makeDesk(t);
  writeSkill(path.join(desk.cwd, '.agent', 'skills'), { name: 'dropped-in' });
  assert.equal((await ask(desk, ['verify'])).code, 0);
  const { code, data } = await ask(desk, ['verify', '--signed']);
  assert.deepEqual([code, data.results[0].state], [1, 'unsigned']);
});

const OLD_PACKS: readonly [string, SkillText][] = [
  ['no version', { name: 'alpha', body: 'The old one.' }],
  ['latest', { name: 'alpha', version: 'latest', body: 'The old one.' }],
  ['an older version', { name: 'alpha', version: '1.0.0', body: 'The old one.' }],
];

/** Old packs, signed by the same publisher, and then 2.0.0 installed over nothing. */
async function publish(t: TestContext) {
  const desk = makeDesk(t);
  await desk.sw('keys', 'generate', 'work');
  const old: [string, string][] = [];
  for (const [what, skill] of OLD_PACKS) old.push([what, await signedPack(desk, `old-${old.length}.zip`, skill)]);
  const latest = await signedPack(desk, 'new.zip', { name: 'alpha', version: '2.0.0', body: 'The new one.' });
  assert.equal((await desk.sw('install', latest, '--yes')).code, 0);
  return { desk, old, latest };
}

test('attack 13 blocked: an old signed pack does not come back by saying nothing about its version, nor after an uninstall', async (t) => {
  const { desk, old, latest } = await publish(t);
  for (const [what, pack] of old)
    assert.equal((await ask(desk, ['install', pack, '--yes'])).data.code, 'PERMISSION_DENIED', what);
  assert.equal((await desk.sw('uninstall', 'alpha', '--purge', '--yes')).code, 0);
  for (const [what, pack] of old) {
    const { data } = await ask(desk, ['install', pack, '--yes']);
    assert.equal(data.code, 'PERMISSION_DENIED', `${what}, after an uninstall`);
  }
  const [, older] = old[2] ?? [];
  const meant = await ask(desk, ['install', older ?? '', '--yes', '--allow-downgrade']);
  assert.equal(meant.code, 4, 'only a person');
  assert.equal((await desk.sw('install', latest, '--yes')).code, 0);
});

test('attack 13 control: where silence is no version and an uninstall forgets, each of them is installed', async (t) => {
  const JUDGE = 'src/distribution/judge.ts';
  const silent = {
    file: JUDGE,
    from: 'if (order !== undefined && order >= 0)',
    to: 'if (order === undefined || order >= 0)',
  };
  const forgets = { file: JUDGE, from: 'keys.highest(manifest.name, signer)', to: 'undefined' };
  const { desk, old } = await publish(t);
  const [[, unversioned] = [], , [, older] = []] = old;
  assert.equal((await ask(desk, ['install', unversioned ?? '', '--yes'], silent, forgets)).code, 0);
  await desk.sw('uninstall', 'alpha', '--purge', '--yes');
  assert.equal((await ask(desk, ['install', older ?? '', '--yes'], forgets)).code, 0);
});

test('attack 13: what a lock pins is restored although another project has a later version', async (t) => {
  const { desk, old, latest } = await publish(t);
  const other: Desk = { ...desk, cwd: path.join(desk.folder, 'other') };
  mkdirSync(path.join(other.cwd, '.agent'), { recursive: true });
  const fresh: Desk = { ...other, home: path.join(desk.folder, 'fresh') };
  cpSync(path.join(desk.home, '.agent', 'keys', 'work.pub'), path.join(desk.folder, 'work.pub'));
  mkdirSync(fresh.home);
  await ask(fresh, ['keys', 'trust', path.join(desk.folder, 'work.pub')]);
  const [, older] = old[2] ?? [];
  assert.equal((await ask(fresh, ['install', older ?? '', '--yes'])).code, 0);
  // The same project as somebody has it who saw 2.0.0 elsewhere.
  rmSync(path.join(other.cwd, '.agent', 'skills'), { recursive: true });
  const restored = await ask(other, ['install', '--frozen', '--yes']);
  assert.equal(restored.code, 0, restored.stdout);
  assert.equal((await ask(other, ['update', '--yes'])).code, 0);
  assert.equal((await ask(other, ['install', latest, '--yes'])).code, 0);
  assert.equal((await ask(other, ['install', older ?? '', '--yes'])).data.code, 'PERMISSION_DENIED');
});

async function listen(t: TestContext, host: string, handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  t.after(() => server.close());
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** A server that sends git to an address nobody named: another one of this machine, as it could be of its network. */
async function redirect(t: TestContext) {
  const desk = makeDesk(t);
  const repository = path.join(desk.folder, 'repository');
  writeSkill(repository, { name: 'alpha' });
  git(repository, 'init', '--quiet', '--initial-branch=main');
  git(repository, 'add', '--all');
  git(repository, 'commit', '--quiet', '-m', 'one');
  git(repository, 'update-server-info');
  const reached: string[] = [];
  const inner = await listen(t, '127.0.0.2', (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    reached.push(pathname);
    try {
      response.end(readFileSync(path.join(repository, '.git', pathname.replace('/inner.git/', ''))));
    } catch {
      response.writeHead(404).end();
    }
  });
  const outer = await listen(t, '127.0.0.1', (request, response) => {
    const target = `${inner}${(request.url ?? '').replace('/outer.git', '/inner.git')}`;
    response.writeHead(302, { location: target }).end();
  });
  return { desk, source: `git+${outer}/outer.git`, reached };
}

test('attack 21 blocked: a git server leads to no address that nobody named', async (t) => {
  const { desk, source, reached } = await redirect(t);
  const { code, data, stdout } = await ask(desk, ['install', source, '--yes']);
  assert.deepEqual([code !== 0, data.code, reached], [true, 'PATH_BLOCKED', []], stdout);
  assert.match(stdout, /points to another address/);
});

test('attack 21 control: where git follows, the other address is asked', async (t) => {
  const { desk, source, reached } = await redirect(t);
  const follows = {
    file: 'src/distribution/source/git.ts',
    from: 'http.followRedirects=false',
    to: 'http.followRedirects=initial',
  };
  await ask(desk, ['install', source, '--yes'], follows);
  assert.ok(reached.includes('/inner.git/info/refs'), reached.join());
});

test('a key that calls itself like a trusted one is not trusted under that name, and revoking means the one that counts', async (t) => {
  const desk = makeDesk(t);
  await desk.sw('keys', 'generate', 'work');
  const stranger = makeDesk(t);
  const { data } = await stranger.sw('keys', 'generate', 'work');
  assert.equal((await desk.sw('keys', 'trust', String(data.public_file))).data.code, 'ALREADY_EXISTS');
  assert.equal((await desk.sw('keys', 'trust', String(data.public_file), '--name', 'stranger')).code, 0);
  await desk.sw('keys', 'revoke', 'stranger');
  const { data: other } = await stranger.sw('keys', 'generate', 'second');
  assert.equal((await desk.sw('keys', 'trust', String(other.public_file), '--name', 'stranger')).code, 0);
  assert.equal((await desk.sw('keys', 'revoke', 'stranger')).data.key_id, other.key_id);
});
