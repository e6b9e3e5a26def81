// Publisher keys, under home: which ones this user trusts, and which one each skill has been signed with.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { makeFolder, writeFileAtomic, writeNewFile } from '../../base/files.ts';
import { sha256 } from '../../base/ids.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { errorCode, readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { compareVersions, isVersion } from '../version.ts';

export interface TrustedKey {
  readonly id: string;
  /** The 32 bytes, in base64. */
  readonly publicKey: string;
  readonly name: string;
  readonly trusted: string;
  readonly revoked?: string;
}

export interface KeyStore {
  list(): TrustedKey[];
  /** Undefined for an unknown key. */
  find(id: string): TrustedKey | undefined;
  trust(publicKey: string, name: string, now: number): TrustedKey;
  revoke(written: string, now: number): TrustedKey;
  /** The key a skill has been signed with since its first installation. */
  pinned(skill: string): string | undefined;
  pin(skill: string, id: string): void;
  /** The highest version of a skill that was ever installed here with the signature of this key. */
  highest(skill: string, id: string): string | undefined;
  /** Records a version, unless a higher one was seen. */
  saw(skill: string, id: string, version: string): void;
}

const RAW_LENGTH = 32;
const NAME = /^[\w][\w.@-]{0,63}$/;
// The DER prefix of an ed25519 public key, before its 32 bytes.
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

export function openKeyStore(home: string): KeyStore {
  const folder = keyFolder(home);
  const trustFile = path.join(folder, 'trusted.json');
  const pinFile = path.join(folder, 'publishers.json');
  const versionFile = path.join(folder, 'versions.json');
  const list = () => readList(trustFile, 'keys').map(readKey);
  const save = (keys: readonly TrustedKey[]) => writeList(trustFile, { keys: keys.map(renderKey) });
  return {
    list,
    find: (id) => list().find((key) => key.id === id),
    trust(publicKey, name, now) {
      const key = { id: keyId(publicKey), publicKey, name: checkKeyName(name), trusted: new Date(now).toISOString() };
      refuseSecondOfName(list(), key);
      save([...list().filter(({ id }) => id !== key.id), key]);
      return key;
    },
    revoke(written, now) {
      const meant = list().filter(({ id, name }) => id === written || name === written);
      const found = meant.find(({ revoked }) => revoked === undefined) ?? meant[0];
      if (!found) throw unknownKey(written);
      const revoked = { ...found, revoked: new Date(now).toISOString() };
      save(list().map((key) => (key.id === found.id ? revoked : key)));
      return revoked;
    },
    pinned: (skill) => readPins(pinFile).get(skill),
    pin(skill, id) {
      const pins = readPins(pinFile);
      if (pins.get(skill) === id) return;
      pins.set(skill, id);
      const publishers = [...pins].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, key]) => ({ skill: name, key }));
      writeList(pinFile, { publishers });
    },
    highest: (skill, key) => readVersions(versionFile).find((one) => one.skill === skill && one.key === key)?.version,
    saw(skill, key, version) {
      const seen = readVersions(versionFile);
      const known = seen.find((one) => one.skill === skill && one.key === key);
      if (!isVersion(version) || (compareVersions(version, known?.version) ?? 1) <= 0) return;
      writeList(versionFile, { versions: [...seen.filter((one) => one !== known), { skill, key, version }] });
    },
  };
}

interface SeenVersion {
  readonly skill: string;
  readonly key: string;
  readonly version: string;
}

function readVersions(file: string): SeenVersion[] {
  return readList(file, 'versions').flatMap((seen) =>
    isRecord(seen) ? [{ skill: String(seen.skill), key: String(seen.key), version: String(seen.version) }] : [],
  );
}

/** One name, one valid key: another key may use the name of a trusted one, and outlive it. */
function refuseSecondOfName(keys: readonly TrustedKey[], { id, name }: Pick<TrustedKey, 'id' | 'name'>): void {
  const other = keys.find((key) => key.name === name && key.id !== id && key.revoked === undefined);
  if (!other) return;
  throw new Fault(
    'AlreadyExists',
    { en: `another key is called ${visible(name)}: ${other.id}`, zh: `另一密钥已名为 ${visible(name)}: ${other.id}` },
    {
      hint: {
        en: 'Give it another name with --name, or revoke the other one first.',
        zh: '请用 --name 另取名称，或先撤销另一密钥。',
      },
    },
  );
}

function unknownKey(written: string): Fault {
  const shown = visible(written);
  return new Fault(
    'DataNotFound',
    { en: `no key ${shown}`, zh: `没有密钥 ${shown}` },
    { hint: { en: '`skillwright keys list` shows them.', zh: '`skillwright keys list` 列出全部密钥。' } },
  );
}

/** Generates a key pair of the user; it is trusted here, and `.pub` is what others are given. */
export function generateKey(home: string, name: string, now: number): { key: TrustedKey; publicFile: string } {
  const folder = keyFolder(home);
  makeFolder(folder);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = rawOf(publicKey);
  refuseSecondOfName(openKeyStore(home).list(), { id: keyId(raw), name });
  const file = path.join(folder, `${checkKeyName(name)}.key`);
  try {
    writeNewFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { durable: true });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new Fault('AlreadyExists', visible(file), { cause: error });
    throw error;
  }
  const publicFile = path.join(folder, `${name}.pub`);
  writeFileAtomic(publicFile, `skillwright-ed25519 ${raw} ${name}\n`, { mode: 0o644 });
  return { key: openKeyStore(home).trust(raw, name, now), publicFile };
}

export function readPrivateKey(home: string, name: string): { key: KeyObject; id: string; publicKey: string } {
  const file = path.join(keyFolder(home), `${checkKeyName(name)}.key`);
  const text = readTextIfThere(file);
  if (text === undefined)
    throw new Fault('DataNotFound', visible(file), {
      hint: {
        en: `\`skillwright keys generate ${name}\` makes one.`,
        zh: `用 \`skillwright keys generate ${name}\` 生成。`,
      },
    });
  const key = createPrivateKey(text);
  const publicKey = rawOf(createPublicKey(key));
  return { key, id: keyId(publicKey), publicKey };
}

/** A line in our own format, or in that of ssh: `ssh-ed25519 AAAA… name`. */
export function readPublicKey(text: string): { publicKey: string; name?: string } {
  const [kind, encoded = '', ...rest] = text.trim().split(/\s+/);
  const bytes = Buffer.from(encoded, 'base64');
  const raw = kind === 'skillwright-ed25519' ? bytes : kind === 'ssh-ed25519' ? bytes.subarray(-RAW_LENGTH) : undefined;
  if (raw?.length !== RAW_LENGTH)
    throw new Fault('ParamInvalid', { en: 'not an ed25519 public key', zh: '不是 ed25519 公钥' });
  const [name] = rest;
  return { publicKey: raw.toString('base64'), ...(name !== undefined && NAME.test(name) && { name }) };
}

export function keyId(publicKey: string): string {
  return `ed25519:${sha256(Buffer.from(publicKey, 'base64')).slice(0, 32)}`;
}

export function publicKeyObject(publicKey: string): KeyObject {
  const raw = Buffer.from(publicKey, 'base64');
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' });
}

function rawOf(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(-RAW_LENGTH).toString('base64');
}

function keyFolder(home: string): string {
  return path.join(home, '.agent', 'keys');
}

function checkKeyName(name: string): string {
  if (NAME.test(name)) return name;
  throw new Fault('ParamInvalid', {
    en: `${visible(name)} is no name for a key`,
    zh: `${visible(name)} 不能作为密钥名称`,
  });
}

function readPins(file: string): Map<string, string> {
  return new Map(
    readList(file, 'publishers').flatMap((pin) =>
      isRecord(pin) ? [[String(pin.skill), String(pin.key)] as const] : [],
    ),
  );
}

function readKey(value: unknown): TrustedKey {
  if (!isRecord(value) || typeof value.public_key !== 'string') throw new Fault('StateUnusable', 'trusted.json');
  const { public_key: publicKey, name, trusted, revoked } = value;
  return {
    id: keyId(publicKey),
    publicKey,
    name: String(name),
    trusted: String(trusted),
    ...(typeof revoked === 'string' && { revoked }),
  };
}

function renderKey({ id, publicKey, ...rest }: TrustedKey): object {
  return { id, public_key: publicKey, ...rest };
}

// A damaged list is never treated as empty: forgetting who signed what would let anybody sign.
function readList(file: string, field: string): unknown[] {
  const text = readTextIfThere(file);
  if (text === undefined) return [];
  try {
    const value = parseJson(text);
    if (isRecord(value) && Array.isArray(value[field])) return value[field];
  } catch (error) {
    throw new Fault('StateUnusable', visible(file), { cause: error });
  }
  throw new Fault('StateUnusable', visible(file));
}

function writeList(file: string, lists: Readonly<Record<string, readonly object[]>>): void {
  makeFolder(path.dirname(file));
  const value = { version: 1, ...lists };
  writeFileAtomic(file, `${JSON.stringify(value, undefined, 2)}\n`, { durable: true });
}
