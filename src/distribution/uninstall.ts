// Uninstalls skills and restores them: into the trash under home, back to their place, or one version back.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { copyTree } from '../base/files.ts';
import { visible } from '../base/text.ts';
import { type LockedSkill, readLock } from './lock.ts';
import type { InstallPlace } from './place.ts';
import { commit, openStaging, recover, type TransactionStep } from './transaction.ts';
import { filesIn, findInTrash, listTrash, newTrashId, type TrashRecord, throwAway } from './trash.ts';

/** An installed skill: its name, and its folder below the root. */
export interface Located {
  readonly name: string;
  readonly folderName: string;
}

export interface UninstallOptions {
  readonly now: number;
  /** Keep it until it is deleted by hand. */
  readonly backup?: boolean;
  /** Keep nothing. */
  readonly purge?: boolean;
}

export interface Removed {
  readonly record: TrashRecord;
  /** Its path now; absent when it is gone. */
  readonly trash?: string;
}

export function uninstallSkill(place: InstallPlace, skill: Located, options: UninstallOptions): Removed {
  recover(place);
  requireBelow(place, skill.folderName);
  const record = describe(place, skill, 'uninstalled', options);
  const { name } = skill;
  run(place, { folderName: skill.folderName, replaced: record, ...(record.locked && { change: { name } }) });
  if (options.purge !== true) return { record, trash: filesIn(place.trash, record) };
  throwAway(place.trash, record);
  return { record };
}

/** Only into an empty place; what was installed since then stays. */
export function restoreSkill(place: InstallPlace, written: string): TrashRecord {
  recover(place);
  const record = findInTrash(here(place), written);
  const { folderName, name, locked } = record;
  if (isThere(path.join(place.root, folderName)))
    throw new Fault('AlreadyExists', visible(folderName), {
      hint: {
        en: 'Uninstall it first, or use `skillwright rollback`.',
        zh: '请先卸载，或使用 `skillwright rollback`。',
      },
    });
  run(place, { folderName, staged: 0, ...(locked && { change: { name, set: locked } }) }, filesIn(place.trash, record));
  throwAway(place.trash, record);
  return record;
}

/** The previous version; the current one replaces it in the trash, so that a second rollback undoes the first. */
export function rollBackSkill(
  place: InstallPlace,
  name: string,
  options: UninstallOptions,
): { from?: LockedSkill; to: TrashRecord } {
  const record = findEarlier(place, name);
  const { folderName, locked } = record;
  const current = describe(place, record, 'replaced', options);
  const hasCurrent = isThere(path.join(place.root, folderName));
  const step = {
    folderName,
    staged: 0,
    ...(hasCurrent && { replaced: current }),
    change: { name: record.name, ...(locked && { set: locked }) },
  };
  run(place, step, filesIn(place.trash, record));
  throwAway(place.trash, record);
  return { ...(current.locked && { from: current.locked }), to: record };
}

/** What a rollback would bring back. */
export function findEarlier(place: InstallPlace, name: string): TrashRecord {
  recover(place);
  const earlier = here(place).filter(({ reason }) => reason === 'replaced');
  const record = earlier.find((one) => one.name === name || one.folderName === name);
  if (record) return record;
  throw new Fault('DataNotFound', {
    en: `no earlier version of ${visible(name)}`,
    zh: `没有 ${visible(name)} 的更早版本`,
  });
}

/** Copied, not moved: until it is restored completely, the trash still has it. */
function run(place: InstallPlace, step: TransactionStep, from?: string): void {
  const staging = openStaging(place);
  try {
    if (from !== undefined) copyTree(from, staging.newFolder(0));
    commit(place, staging, [step]);
  } catch (error) {
    staging.discard();
    throw error;
  }
}

function describe(
  place: InstallPlace,
  { name, folderName }: Located,
  reason: TrashRecord['reason'],
  options: UninstallOptions,
): TrashRecord {
  const known = place.isLocked ? readLock(place.lockFile).skills : [];
  const locked = known.find((skill) => skill.name === name && skill.folder === folderName);
  const { now, backup = false } = options;
  const removed = new Date(now).toISOString();
  const record = { id: newTrashId(now), name, folderName, root: place.root, reason, removed, backup };
  return { ...record, ...(locked && { locked }) };
}

function here(place: InstallPlace): TrashRecord[] {
  return listTrash(place.trash).filter(({ root }) => root === place.root);
}

// `..`, an empty name or the root itself is never valid.
function requireBelow(place: InstallPlace, folderName: string): void {
  const parts = folderName.split('/');
  const isPlain =
    parts.length <= 2 && parts.every((part) => part !== '' && !part.startsWith('.') && !part.includes('\\'));
  if (!isPlain) throw new Fault('PathBlocked', visible(folderName));
  if (!isThere(path.join(place.root, folderName))) throw new Fault('SkillNotFound', visible(folderName));
}

function isThere(target: string): boolean {
  return lstatSync(target, { throwIfNoEntry: false }) !== undefined;
}
