// What is locked in a place, and a new lock from what lies there.
import path from 'node:path';
import { type LockedSkill, readLock, rewriteLock } from '../../distribution/lock.ts';
import { findPlace, type InstallPlace, type InstallScope } from '../../distribution/place.ts';
import { readForeignLock } from '../../distribution/source/foreign-lock.ts';
import { digestSkill } from '../../skill/digest.ts';
import { recordOwn } from '../own/record.ts';
import { lockedAnew } from '../own/skill-change.ts';
import type { Runtime } from '../runtime.ts';

export interface LockContent {
  readonly path: string;
  readonly skills: readonly LockedSkill[];
}

export function readPlaceLock(scope: InstallScope | undefined, runtime: Runtime): LockContent {
  const { lockFile } = findPlace(runtime, scope);
  return { path: lockFile, skills: readLock(lockFile).skills };
}

/** Takes every file as it is now. */
export function rewritePlaceLock(scope: InstallScope | undefined, runtime: Runtime): LockContent {
  const place = findPlace(runtime, scope);
  const before = readIfPossible(place.lockFile);
  const skills = lockFromFiles(place, before, runtime);
  const change = { command: 'lock', scope: place.scope, skills: lockedAnew(before, skills) } as const;
  recordOwn(runtime, change, () => rewriteLock(place.lockFile, skills));
  return { path: place.lockFile, skills };
}

function lockFromFiles(place: InstallPlace, before: readonly LockedSkill[], runtime: Runtime): LockedSkill[] {
  const foreign = place.scope === 'project' ? readForeignLock(runtime.project) : [];
  const here = runtime
    .index()
    .skills.filter(({ root, folderName }) => root === place.root && !folderName.includes('/'));
  const base = place.scope === 'project' ? runtime.project : undefined;
  return here.map(({ name, folderName, folder, manifest: { version } }): LockedSkill => {
    const known = before.find((skill) => skill.name === name);
    const digest = digestSkill(folder);
    const isSame = known?.digest === digest.digest;
    const location = base === undefined ? folder : `./${path.relative(base, folder)}`;
    const source = known?.source ??
      foreign.find((one) => one.name === name)?.origin ?? { kind: 'folder' as const, location };
    const installed = isSame && known ? known.installed : new Date(runtime.clock.now()).toISOString();
    const signer = isSame && known?.signer !== undefined && { signer: known.signer };
    return {
      name,
      folder: folderName,
      ...(version !== undefined && { version }),
      ...digest,
      source,
      ...signer,
      installed,
    };
  });
}

// A damaged lock is the very reason to write a new one.
function readIfPossible(file: string): readonly LockedSkill[] {
  try {
    return readLock(file).skills;
  } catch {
    return [];
  }
}
