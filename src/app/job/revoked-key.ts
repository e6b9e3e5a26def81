// Whether what a schedule runs was signed by a key that was revoked since.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { readLock } from '../../distribution/lock.ts';
import { findPlaces } from '../../distribution/place.ts';
import { openKeyStore, type TrustedKey } from '../../distribution/sign/key-store.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { Runtime } from '../runtime.ts';
import { signerOfFetched } from './role-files.ts';

/** The key of an installed skill as its lock names it, and that of the pack whose files the schedule is pinned to. */
export function revokedKey(
  runtime: Runtime,
  skill: SkillEntry | undefined,
  digest: string | undefined,
): TrustedKey | undefined {
  try {
    const signers = [skill && signerOfInstalled(skill, runtime), digest && signerOfFetched(runtime.home, digest)];
    const store = openKeyStore(runtime.home);
    const keys = signers.flatMap((signer) => (signer ? (store.find(signer) ?? []) : []));
    return keys.find(({ revoked }) => revoked !== undefined);
  } catch (error) {
    // A damaged lock or list of keys is told by `verify` and by what runs; the other troubles are still told.
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function signerOfInstalled({ folder, ofRole }: SkillEntry, { installed }: Runtime): string | undefined {
  if (ofRole) return undefined;
  for (const { root, lockFile, isLocked } of findPlaces(installed)) {
    const locked = isLocked ? readLock(lockFile).skills : [];
    const found = locked.find((one) => path.join(root, one.folder) === folder);
    if (found) return found.signer;
  }
  return undefined;
}
