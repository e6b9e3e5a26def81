// The publisher of a pack: an ed25519 signature over names, versions, digests and the key itself. It proves who, not safety.
import { sign, verify } from 'node:crypto';
import { Fault } from '../../base/errors.ts';
import { canonicalJson, isRecord, parseJson } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import { type Digest, isDigest } from '../../base/value/digest.ts';
import { type KeyStore, keyId, publicKeyObject, readPrivateKey } from './key-store.ts';
import { isSshSignature, type SshMessage, verifySshSignature } from './ssh-signature.ts';

export interface SignedSkill {
  readonly name: string;
  readonly version?: string;
  readonly digest: Digest;
}

export interface SignedPack {
  readonly archive: string;
  readonly skills: readonly SignedSkill[];
}

interface SignatureFile extends SignedPack {
  readonly publicKey: string;
  readonly created: string;
  readonly signature: Buffer;
}

// Domain separation: nothing else is signed with this prefix, so that no signature can be reused from elsewhere.
const DOMAIN = 'skillwright-pack/v1\n';
const FORMAT = 'skillwright-signature';

/** The content of `<pack>.sig`. */
export function signPack(pack: SignedPack, home: string, keyName: string, now: number): string {
  const { key, publicKey, id } = readPrivateKey(home, keyName);
  const created = new Date(now).toISOString();
  const signature = sign(null, payloadOf(pack, id, created), key).toString('base64');
  const file = { format: FORMAT, version: 1, key_id: id, public_key: publicKey, created, ...pack, signature };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** The id of the trusted key that signed exactly these skills; a Fault for everything else. */
export function checkSignature(
  text: string,
  bytes: Buffer | SshMessage,
  pack: SignedPack,
  keys: Pick<KeyStore, 'find'>,
): string {
  if (isSshSignature(text)) return requireTrust(verifySshSignature(text, bytes), keys);
  const file = readSignature(text);
  const id = requireTrust(file.publicKey, keys);
  const isGenuine = verify(null, payloadOf(file, id, file.created), publicKeyObject(file.publicKey), file.signature);
  if (!isGenuine) throw refused({ en: 'it was not made with the key it names', zh: '签名与所示密钥不符' });
  requireSubject(file, pack);
  return id;
}

/** Names, versions and digests must be those that were signed: a signature for something else is not valid. */
function requireSubject(signed: SignedPack, pack: SignedPack): void {
  if (signed.archive !== pack.archive) throw refused({ en: 'it belongs to another file', zh: '签名属于其他文件' });
  for (const skill of pack.skills) {
    const { name, version, digest } = skill;
    const isSigned = signed.skills.some((one) => one.name === name && one.version === version && one.digest === digest);
    if (!isSigned)
      throw refused({
        en: `it does not cover ${visible(name)} ${visible(version ?? '')}`.trim(),
        zh: `签名未涵盖 ${visible(name)} ${visible(version ?? '')}`.trim(),
      });
  }
}

function requireTrust(publicKey: string, keys: Pick<KeyStore, 'find'>): string {
  const id = keyId(publicKey);
  const key = keys.find(id);
  if (!key) throw refused({ en: `the key ${id} is unknown here`, zh: `未知密钥 ${id}` });
  if (key.revoked !== undefined) throw refused({ en: `the key ${id} was revoked`, zh: `密钥 ${id} 已被撤销` });
  return id;
}

function payloadOf({ archive, skills }: SignedPack, id: string, created: string): Buffer {
  const sorted = skills
    .map(({ name, version, digest }) => ({ name, version: version ?? null, digest }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return Buffer.from(DOMAIN + canonicalJson({ archive, skills: sorted, key: id, created }));
}

function readSignature(text: string): SignatureFile {
  const value = parse(text);
  if (!isRecord(value) || value.format !== FORMAT || value.version !== 1) throw damaged();
  const { archive, skills, public_key: publicKey, created, signature } = value;
  const isComplete = [archive, publicKey, created, signature].every((field) => typeof field === 'string');
  if (!isComplete || !Array.isArray(skills)) throw damaged();
  if (Buffer.from(String(publicKey), 'base64').length !== 32) throw damaged();
  return {
    archive: String(archive),
    skills: skills.map(readSkill),
    publicKey: String(publicKey),
    created: String(created),
    signature: Buffer.from(String(signature), 'base64'),
  };
}

function readSkill(value: unknown): SignedSkill {
  if (!isRecord(value) || typeof value.name !== 'string' || !isDigest(value.digest)) throw damaged();
  const { name, digest, version } = value;
  return { name, digest, ...(typeof version === 'string' && { version }) };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw damaged();
  }
}

function damaged(): Fault {
  return refused({ en: 'the signature file cannot be read', zh: '签名文件无法读取' });
}

function refused(detail: Text): Fault {
  return new Fault('SignatureRefused', detail);
}
