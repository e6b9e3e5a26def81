import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { installWithout, signatureWithout } from '../../../test/support/changed/weak-install.ts';
import { type Ground, install, makeGround, type SkillText, writeSkill } from '../../../test/support/install-support.ts';
import { Fault } from '../../base/errors.ts';
import { prepareInstall } from '../install.ts';
import { readLock } from '../lock.ts';
import { packSkills, writePack } from '../publish/pack.ts';
import { openArchiveFile } from '../source/archive.ts';
import { digestOffered } from '../stage.ts';
import { verifyPack } from '../verify.ts';
import { generateKey, openKeyStore, readPublicKey } from './key-store.ts';
import { signFile } from './sign.ts';
import { checkSignature } from './signature.ts';

const OPTIONS = { blockAngleBrackets: true };
const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;

function isFault(type: string) {
  return (error: unknown) => error instanceof Fault && error.type === type;
}

function makePack(ground: Ground, file: string, ...skills: SkillText[]): string {
  const folders = skills.map((skill) => writeSkill(path.join(ground.folder, `${file}-source`), skill));
  const pack = path.join(ground.folder, file);
  writePack(pack, packSkills(folders, OPTIONS));
  return pack;
}

function signWith({ home }: Ground, pack: string, key: string): void {
  signFile(pack, { home, key, now: Date.now(), ...OPTIONS });
}

const open = (pack: string) => openArchiveFile(pack, { names: [] });

/** Checks the signature beside a pack as an installation would. */
function check({ home }: Ground, pack: string, judge = checkSignature): string {
  const { signed, origin, skills } = open(pack);
  assert.ok(signed);
  const described = skills.map((skill) => {
    const version = /^version: (.*)$/m.exec(
      skill.files
        .find((file) => file.path === 'SKILL.md')
        ?.read()
        .toString() ?? '',
    )?.[1];
    return { name: skill.folder, ...(version !== undefined && { version }), digest: digestOffered(skill).digest };
  });
  return judge(signed.signature, signed.bytes, { archive: origin.digest ?? '', skills: described }, openKeyStore(home));
}

test('002-88 a signed pack has <pack>.sig, verifies, and the lock names the signer', (t) => {
  const ground = makeGround(t);
  const { key } = generateKey(ground.home, 'work', Date.now());
  const pack = makePack(ground, 'a.zip', { name: 'alpha', version: '1.0.0' });
  signWith(ground, pack, 'work');
  assert.deepEqual(
    verifyPack(pack, ground.home, true).map(({ state, signer }) => [state, signer]),
    [['ok', key.id]],
  );
  install(ground, [open(pack)]);
  assert.equal(readLock(ground.place.lockFile).skills[0]?.signer, key.id);
  assert.equal(statSync(path.join(ground.home, '.agent', 'keys', 'work.key')).mode & 0o077, 0);
});

test('threat 59 blocked: an unknown key, a revoked key, another skill, another version and changed bytes are refused', (t) => {
  const ground = makeGround(t);
  generateKey(ground.home, 'work', Date.now());
  const pack = makePack(ground, 'a.zip', { name: 'alpha', version: '1.0.0' });
  signWith(ground, pack, 'work');
  assert.match(check(ground, pack), /^ed25519:/);

  const stranger = makeGround(t);
  assert.throws(() => check(stranger, pack), isFault('SignatureRefused'));
  assert.throws(() => install(stranger, [open(pack)]), isFault('SignatureRefused'));

  for (const [file, skill] of [
    ['other.zip', { name: 'beta', version: '1.0.0' }],
    ['later.zip', { name: 'alpha', version: '2.0.0' }],
  ] as const) {
    const other = makePack(ground, file, skill);
    copyFileSync(`${pack}.sig`, `${other}.sig`);
    assert.throws(() => install(ground, [open(other)]), isFault('SignatureRefused'), file);
  }

  const text = readFileSync(`${pack}.sig`, 'utf8');
  for (const changed of [
    text.replace('"name": "alpha"', '"name": "beta"'),
    text.replace(/"created": "2/, '"created": "1'),
    text.replace(/"signature": "(.)/, (_, first) => `"signature": "${first === 'A' ? 'B' : 'A'}`),
    text.slice(0, 100),
    '{}',
    '',
  ]) {
    writeFileSync(`${pack}.sig`, changed);
    assert.throws(() => install(ground, [open(pack)]), isFault('SignatureRefused'), changed.slice(0, 60));
  }
  writeFileSync(`${pack}.sig`, text);
  openKeyStore(ground.home).revoke('work', Date.now());
  assert.throws(() => install(ground, [open(pack)]), isFault('SignatureRefused'));
});

test('threat 59 control: without one of the checks, the same signatures pass', async (t) => {
  const ground = makeGround(t);
  generateKey(ground.home, 'work', Date.now());
  const pack = makePack(ground, 'a.zip', { name: 'alpha', version: '1.0.0' });
  signWith(ground, pack, 'work');
  assert.match(check(makeGround(t), pack, await signatureWithout('key')), /^ed25519:/);
  const other = makePack(ground, 'later.zip', { name: 'alpha', version: '2.0.0' });
  copyFileSync(`${pack}.sig`, `${other}.sig`);
  assert.match(check(ground, other, await signatureWithout('subject')), /^ed25519:/);
  writeFileSync(`${pack}.sig`, readFileSync(`${pack}.sig`, 'utf8').replace(/"created": "2/, '"created": "1'));
  assert.match(check(ground, pack, await signatureWithout('content')), /^ed25519:/);
});

test('threat 59 blocked: an old version, though signed, does not come back without --allow-downgrade and a person', (t) => {
  const ground = makeGround(t);
  generateKey(ground.home, 'work', Date.now());
  const packs = ['1.0.0', '2.0.0'].map((version) => {
    const pack = makePack(ground, `${version}.zip`, { name: 'alpha', version });
    signWith(ground, pack, 'work');
    return pack;
  });
  for (const pack of packs) install(ground, [open(pack)]);
  const [old = ''] = packs;
  assert.throws(() => install(ground, [open(old)]), isFault('PermissionDenied'));
  const prepared = prepareInstall([open(old)], ground.places(), { allowDowngrade: true });
  assert.equal(prepared.items[0]?.needsPerson.length, 1);
  prepared.discard();
});

test('threat 21 blocked: once signed, a skill is not taken from another key, nor unsigned', (t) => {
  const ground = makeGround(t);
  for (const name of ['work', 'thief']) generateKey(ground.home, name, Date.now());
  const first = makePack(ground, 'a.zip', { name: 'alpha', version: '1.0.0' });
  signWith(ground, first, 'work');
  install(ground, [open(first)]);
  rmSync(ground.place.lockFile);
  rmSync(path.join(ground.place.root, 'alpha'), { recursive: true });
  const next = makePack(ground, 'b.zip', { name: 'alpha', version: '2.0.0' });
  assert.throws(() => install(ground, [open(next)]), isFault('PermissionDenied'), 'unsigned');
  signWith(ground, next, 'thief');
  assert.throws(() => install(ground, [open(next)]), isFault('PermissionDenied'), 'another key');
  const prepared = prepareInstall([open(next)], ground.places(), { replace: true });
  assert.equal(prepared.items[0]?.needsPerson.length, 1);
  prepared.discard();
  rmSync(`${next}.sig`);
  signWith(ground, next, 'work');
  assert.equal(install(ground, [open(next)]).length, 1);
});

test('a signature made by ssh-keygen counts, in its own namespace only', { skip: !hasSshKeygen }, (t) => {
  const ground = makeGround(t);
  const keyFile = path.join(ground.folder, 'ssh_key');
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'alice', '-f', keyFile]);
  const pack = makePack(ground, 'a.zip', { name: 'alpha', version: '1.0.0' });
  const sshSign = (namespace: string) => {
    rmSync(`${pack}.sig`, { force: true });
    const { status, stderr } = spawnSync('ssh-keygen', ['-Y', 'sign', '-n', namespace, '-f', keyFile, pack], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  };
  sshSign('agent-skill@v1');
  assert.throws(() => install(ground, [open(pack)]), isFault('SignatureRefused'), 'not trusted yet');
  const { publicKey, name } = readPublicKey(readFileSync(`${keyFile}.pub`, 'utf8'));
  const { id } = openKeyStore(ground.home).trust(publicKey, name ?? '', Date.now());
  install(ground, [open(pack)]);
  assert.equal(readLock(ground.place.lockFile).skills[0]?.signer, id);
  sshSign('file');
  assert.throws(() => open(pack) && install(ground, [open(pack)]), isFault('SignatureRefused'));
  sshSign('agent-skill@v1');
  const other = makePack(ground, 'b.zip', { name: 'alpha', version: '2.0.0' });
  copyFileSync(`${pack}.sig`, `${other}.sig`);
  assert.throws(() => install(ground, [open(other)]), isFault('SignatureRefused'), 'another file');
});

test('keys are trusted, listed and revoked by name; odd names and other kinds of keys are refused', (t) => {
  const { home } = makeGround(t);
  const { key, publicFile } = generateKey(home, 'work', Date.now());
  assert.throws(() => generateKey(home, 'work', Date.now()), isFault('AlreadyExists'));
  assert.throws(() => generateKey(home, '../x', Date.now()), isFault('ParamInvalid'));
  assert.deepEqual(readPublicKey(readFileSync(publicFile, 'utf8')), { publicKey: key.publicKey, name: 'work' });
  for (const text of ['', 'ssh-rsa AAAA x', 'skillwright-ed25519 AAAA x', 'ssh-ed25519 AAAA'])
    assert.throws(() => readPublicKey(text), isFault('ParamInvalid'));
  const store = openKeyStore(home);
  assert.deepEqual(
    store.list().map(({ name, revoked }) => [name, revoked]),
    [['work', undefined]],
  );
  assert.ok(store.revoke('work', Date.now()).revoked);
  assert.throws(() => store.revoke('nobody', Date.now()), isFault('DataNotFound'));
});

test('a damaged list of pins is a fault, never an empty list', (t) => {
  const { home } = makeGround(t);
  const store = openKeyStore(home);
  store.pin('alpha', 'ed25519:x');
  assert.equal(store.pinned('alpha'), 'ed25519:x');
  writeFileSync(path.join(home, '.agent', 'keys', 'publishers.json'), '{');
  assert.throws(() => store.pinned('alpha'), isFault('StateUnusable'));
});

test('threat 59 blocked: what the lock knows as signed is not taken unsigned on a machine without pins', async (t) => {
  const ground = makeGround(t);
  generateKey(ground.home, 'work', Date.now());
  const pack = makePack(ground, 'a.zip', { name: 'alpha', version: '1.0.0' });
  signWith(ground, pack, 'work');
  install(ground, [open(pack)]);
  rmSync(path.join(ground.home, '.agent', 'keys', 'publishers.json'));
  // The same address, another version, and no signature beside it.
  writePack(pack, packSkills([writeSkill(ground.folder, { name: 'alpha', version: '2.0.0' })], OPTIONS));
  rmSync(`${pack}.sig`);
  assert.throws(() => install(ground, [open(pack)]), isFault('PermissionDenied'));
  assert.equal(install(ground, [open(pack)], {}, await installWithout('publisher')).length, 1);
});

test('a signature that is there and cannot be read is refused, not taken for none', (t) => {
  const ground = makeGround(t);
  const pack = makePack(ground, 'a.zip', { name: 'alpha' });
  mkdirSync(`${pack}.sig`);
  assert.throws(() => open(pack), isFault('SignatureRefused'));
});
