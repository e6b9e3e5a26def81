// Signatures of installed skills, kept under home: a lock in the project only claims who signed a skill.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, writeFileAtomic } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { visible } from '../base/text.ts';
import { type Digest, isDigest } from '../base/value/digest.ts';
import { openKeyStore } from './sign/key-store.ts';
import { checkSignature, type SignedPack, type SignedSkill } from './sign/signature.ts';
import type { SshMessage } from './sign/ssh-signature.ts';

/** A signature and what it covered when the pack was installed. */
export interface Evidence extends SignedPack {
  /** The content of `<pack>.sig`. */
  readonly signature: string;
  /** Digest of the pack: what an ssh signature covers. */
  readonly message: SshMessage;
}

/** The files as they are now, and the name they are installed under. */
export interface Installed {
  readonly name: string;
  readonly digest: Digest;
}

const VERSION = 1;

/** One file for each skill, named by the digest of its files: found from every project that installs them. */
export function keepEvidence(home: string, evidence: Evidence): void {
  for (const { digest } of evidence.skills) {
    const file = fileOf(home, digest);
    makeFolder(path.dirname(file));
    writeFileAtomic(file, `${JSON.stringify({ version: VERSION, ...evidence }, undefined, 2)}\n`, { durable: true });
  }
}

/**
 * The id of the key that signed exactly these files under this name: the signature is verified again, and the key must
 * be trusted now. Undefined where no signature is kept; a Fault where the kept one is not valid.
 */
export function checkSigner(home: string, { name, digest }: Installed): string | undefined {
  const evidence = readEvidence(fileOf(home, digest));
  if (!evidence) return undefined;
  const covered = evidence.skills.find((skill) => skill.digest === digest);
  if (!covered) throw new Fault('StateUnusable', visible(fileOf(home, digest)));
  if (covered.name !== name)
    throw new Fault('SignatureRefused', {
      en: `it was signed as ${visible(covered.name)}`,
      zh: `所签名称为 ${visible(covered.name)}`,
    });
  const { signature, message, archive } = evidence;
  return checkSignature(signature, message, { archive, skills: [covered] }, openKeyStore(home));
}

function fileOf(home: string, digest: Digest): string {
  return path.join(home, '.agent', 'signatures', `${sha256(digest)}.json`);
}

function readEvidence(file: string): Evidence | undefined {
  const text = readTextIfThere(file);
  if (text === undefined) return undefined;
  const found = parse(text);
  if (!found) throw new Fault('StateUnusable', visible(file));
  return found;
}

function parse(text: string): Evidence | undefined {
  const value = tryParse(text);
  if (!isRecord(value) || value.version !== VERSION || !isRecord(value.message)) return undefined;
  const { archive, signature, skills, message } = value;
  const { sha256, sha512 } = message;
  const isComplete = [archive, signature, sha256, sha512].every((field) => typeof field === 'string');
  if (!isComplete || !Array.isArray(skills) || !skills.every(isSigned)) return undefined;
  const hashes = { sha256: String(sha256), sha512: String(sha512) };
  return { archive: String(archive), signature: String(signature), skills, message: hashes };
}

function isSigned(value: unknown): value is SignedSkill {
  if (!isRecord(value) || typeof value.name !== 'string' || !isDigest(value.digest)) return false;
  return value.version === undefined || typeof value.version === 'string';
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
