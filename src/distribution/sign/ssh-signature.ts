// Signatures made with `ssh-keygen -Y sign -n agent-skill@v1`: authors have such keys already.
import { hash as hashOf, verify } from 'node:crypto';
import { Fault } from '../../base/errors.ts';
import { publicKeyObject } from './key-store.ts';

const BEGIN = '-----BEGIN SSH SIGNATURE-----';
const END = '-----END SSH SIGNATURE-----';
const MAGIC = 'SSHSIG';
const NAMESPACE = 'agent-skill@v1';

/** ssh signs the hash of a file, made with one of these algorithms. */
export interface SshMessage {
  readonly sha256: string;
  readonly sha512: string;
}

export function sshMessage(bytes: Buffer): SshMessage {
  return { sha256: hashOf('sha256', bytes, 'hex'), sha512: hashOf('sha512', bytes, 'hex') };
}

export function isSshSignature(text: string): boolean {
  return text.trimStart().startsWith(BEGIN);
}

/** The public key, in base64, that signed this; whether it is trusted is checked elsewhere. */
export function verifySshSignature(text: string, signed: Buffer | SshMessage): string {
  const message = Buffer.isBuffer(signed) ? sshMessage(signed) : signed;
  const inside = text.slice(text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END));
  const reader = openReader(Buffer.from(inside.replace(/\s+/g, ''), 'base64'));
  if (reader.raw(MAGIC.length).toString('latin1') !== MAGIC || reader.number() !== 1) throw refused('format');
  const [key, namespace, reserved, hash, signature] = [
    reader.text(),
    reader.text(),
    reader.text(),
    reader.text(),
    reader.text(),
  ];
  const hashName = hash.toString('latin1');
  if (namespace.toString('latin1') !== NAMESPACE) throw refused(`namespace, ${NAMESPACE} is needed`);
  if (hashName !== 'sha256' && hashName !== 'sha512') throw refused('hash');
  const publicKey = ed25519Part(key).toString('base64');
  const digest = Buffer.from(message[hashName], 'hex');
  const payload = Buffer.concat([Buffer.from(MAGIC), ...[namespace, reserved, hash, digest].map(framed)]);
  if (!verify(null, payload, publicKeyObject(publicKey), ed25519Part(signature))) throw refused('signature');
  return publicKey;
}

/** The second field of a key or signature; the first one is its type. */
function ed25519Part(blob: Buffer): Buffer {
  const reader = openReader(blob);
  if (reader.text().toString('latin1') !== 'ssh-ed25519') throw refused('kind of key');
  return reader.text();
}

function openReader(bytes: Buffer) {
  let at = 0;
  const raw = (length: number) => {
    if (length < 0 || at + length > bytes.length) throw refused('length');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = () => raw(4).readUInt32BE();
  return { raw, number, text: () => raw(number()) };
}

function framed(part: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return Buffer.concat([length, part]);
}

function refused(detail: string): Fault {
  return new Fault('SignatureRefused', { en: `ssh signature: ${detail}`, zh: `ssh 签名: ${detail}` });
}
