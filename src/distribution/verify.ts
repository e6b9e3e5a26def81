// Verifies installed skills: hashes every file, compares it with the lock or with what a pack
// says, and verifies the signature that is kept under home.

import { Fault, toFault } from '../base/errors.ts';
import type { Digest } from '../base/value/digest.ts';
import { type DigestFile, digestSkill, type SkillDigest } from '../skill/digest.ts';
import { checkSigner } from './evidence.ts';
import type { LockedSkill } from './lock.ts';
import type { InstallScope } from './place.ts';
import { openKeyStore } from './sign/key-store.ts';
import { checkSignature } from './sign/signature.ts';
import { openArchiveFile } from './source/archive.ts';
import { ownName } from './source/offer.ts';
import { readOffered } from './source/offered-skill.ts';
import { digestOffered } from './stage.ts';

export type VerifyState = 'ok' | 'modified' | 'missing' | 'extra' | 'unlocked' | 'unsigned';
export type FileState = 'ok' | 'modified' | 'missing' | 'extra';

export interface VerifiedFile {
  readonly path: string;
  readonly state: FileState;
  readonly sha256: string;
}

export interface Verified {
  readonly name: string;
  readonly state: VerifyState;
  readonly scope?: InstallScope;
  /** Digest of the current files; empty where there are none. */
  readonly digest: Digest | '';
  /** Digest of the installed files. */
  readonly expected?: Digest;
  readonly files: readonly VerifiedFile[];
  /** The trusted key whose signature covers these files, verified now. */
  readonly signer?: string;
  /** The signer, as only the lock claims. */
  readonly claimed_signer?: string;
  readonly why?: string;
  /** Why no signature is valid for the current files. */
  readonly why_unsigned?: string;
}

/** Compares the files with the lock. The signer is checked by `withSigner`. */
export function verifySkill(folder: string, locked: LockedSkill): Verified {
  const { name, digest: expected } = locked;
  const known = { name, expected };
  const found = tryDigest(folder);
  if (found instanceof Fault && found.type === 'MetadataMissing')
    return { ...known, state: 'missing', digest: '', files: [] };
  if (found instanceof Fault) return { ...known, state: 'modified', digest: '', files: [], why: found.message };
  if (found.digest === expected) return { ...known, state: 'ok', digest: expected, files: markAll(found.files) };
  const files = compare(locked.files, found.files);
  const isExtraOnly = files.every(({ state }) => state === 'ok' || state === 'extra');
  return { ...known, state: isExtraOnly ? 'extra' : 'modified', digest: found.digest, files };
}

/** A skill that is not in the lock: its hashes, for people who compare them by hand. */
export function describeUnlocked(name: string, folder: string): Verified {
  const found = tryDigest(folder);
  if (found instanceof Fault) return { name, state: 'modified', digest: '', files: [], why: found.message };
  return { name, state: 'unlocked', digest: found.digest, files: markAll(found.files) };
}

/** The signer of the current files. The claim of the lock is not trusted: anybody in the project can write it. */
export function withSigner(result: Verified, home: string, claimed?: string): Verified {
  const { name, digest } = result;
  if (digest === '') return result;
  const claim = claimed !== undefined && { claimed_signer: claimed };
  try {
    const signer = checkSigner(home, { name, digest });
    if (signer !== undefined) return { ...result, signer };
  } catch (error) {
    return { ...result, ...claim, why_unsigned: toFault(error).message };
  }
  const nothing = 'no signature of it is kept on this machine';
  return {
    ...result,
    ...claim,
    why_unsigned: claimed === undefined ? nothing : `the lock names ${claimed}; ${nothing}`,
  };
}

/** The skills of a pack against the list in it, and the signature beside it. */
export function verifyPack(file: string, home: string, blockAngleBrackets: boolean): Verified[] {
  const { skills, manifest, signed, origin } = openArchiveFile(file, { names: [] });
  const read = skills.map((skill) => {
    const { name, version } = readOffered(skill, { blockAngleBrackets }).manifest;
    return { skill, name, ...(version !== undefined && { version }), ...digestOffered(skill) };
  });
  const pack = { archive: origin.digest ?? '', skills: read };
  const signer = signed && checkSignature(signed.signature, signed.bytes, pack, openKeyStore(home));
  return read.map(({ skill, name, digest, files }) => {
    const said = manifest?.skills.find(({ folder }) => folder === skill.folder);
    const isListed = manifest === undefined || said?.digest === digest;
    const state = !isListed ? 'modified' : signer === undefined ? 'unsigned' : 'ok';
    const expected = said && { expected: said.digest };
    return {
      name: name || ownName(skill.folder),
      state,
      digest,
      ...expected,
      files: markAll(files),
      ...(signer && { signer }),
    };
  });
}

function compare(before: readonly DigestFile[], after: readonly DigestFile[]): VerifiedFile[] {
  const expected = new Map(before.map((file) => [file.path, file]));
  const there = new Set(after.map(({ path: name }) => name));
  const found = after.map((file): VerifiedFile => {
    const said = expected.get(file.path);
    const isSame = said?.sha256 === file.sha256 && said.mode === file.mode;
    return { path: file.path, sha256: file.sha256, state: said === undefined ? 'extra' : isSame ? 'ok' : 'modified' };
  });
  const missing = before.filter(({ path: name }) => !there.has(name));
  return [
    ...found,
    ...missing.map(({ path: name, sha256 }): VerifiedFile => ({ path: name, sha256, state: 'missing' })),
  ];
}

function markAll(files: readonly DigestFile[]): VerifiedFile[] {
  return files.map(({ path: name, sha256 }) => ({ path: name, sha256, state: 'ok' }));
}

function tryDigest(folder: string): SkillDigest | Fault {
  try {
    return digestSkill(folder);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
