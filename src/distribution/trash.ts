// Removed or replaced skills, kept under home for a while so that they can be restored.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, moveTree, removeTree, writeFileAtomic } from '../base/files.ts';
import { timeId } from '../base/ids.ts';
import { isRecord, jsonIfValid } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { visible } from '../base/text.ts';
import { type LockedSkill, readSkill, renderSkill } from './lock.ts';

export interface TrashRecord {
  readonly id: string;
  readonly name: string;
  readonly folderName: string;
  readonly root: string;
  readonly reason: 'uninstalled' | 'replaced';
  readonly removed: string;
  /** Kept until it is deleted by hand. */
  readonly backup: boolean;
  readonly locked?: LockedSkill;
}

const DAY_MS = 86_400_000;
const ID = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

export function newTrashId(now: number): string {
  return timeId(now);
}

/** Idempotent: what was moved already stays where it is. */
export function moveToTrash(trash: string, record: TrashRecord, folder: string): void {
  const kept = path.join(trash, record.id);
  makeFolder(kept);
  const { locked, ...fields } = record;
  const text = JSON.stringify({ ...fields, ...(locked && { locked: renderSkill(locked) }) }, undefined, 2);
  writeFileAtomic(path.join(kept, 'record.json'), `${text}\n`, { durable: true });
  if (!existsSync(folder)) return;
  // Exists already: an interrupted copy to another disk.
  removeTree(filesIn(trash, record));
  moveTree(folder, filesIn(trash, record));
}

/** Newest first. */
export function listTrash(trash: string): TrashRecord[] {
  const ids = existsSync(trash) ? readdirSync(trash).filter((name) => ID.test(name)) : [];
  return ids
    .map((id) => readRecord(trash, id))
    .filter((record) => record !== undefined)
    .filter((record) => existsSync(filesIn(trash, record)))
    .sort((a, b) => (a.removed > b.removed || (a.removed === b.removed && a.id > b.id) ? -1 : 1));
}

export function filesIn(trash: string, { id }: Pick<TrashRecord, 'id'>): string {
  return path.join(trash, id, 'files');
}

/** By its id, or the last of that name. */
export function findInTrash(records: readonly TrashRecord[], written: string): TrashRecord {
  const found = records.find(({ id, name, folderName }) => [id, name, folderName].includes(written));
  if (found) return found;
  const list = [...new Set(records.map(({ name }) => visible(name)))].join(', ');
  throw new Fault('DataNotFound', visible(written), {
    hint: { en: `The trash holds: ${list || 'nothing'}.`, zh: `回收区中有: ${list || '无'}。` },
  });
}

export function throwAway(trash: string, { id }: Pick<TrashRecord, 'id'>): void {
  removeTree(path.join(trash, id));
}

/** Returns how many were old enough to be deleted. */
export function emptyTrash(trash: string, days: number, now: number): number {
  const old = listTrash(trash).filter(({ backup, removed }) => !backup && Date.parse(removed) + days * DAY_MS < now);
  for (const record of old) throwAway(trash, record);
  return old.length;
}

function readRecord(trash: string, id: string): TrashRecord | undefined {
  return readFields(jsonIfValid(readTextIfThere(path.join(trash, id, 'record.json')) ?? ''), id);
}

export function readFields(value: unknown, id: string): TrashRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { name, folderName, root, reason, removed, backup } = value;
  const isComplete = [name, folderName, root, removed].every((field) => typeof field === 'string');
  if (!isComplete || (reason !== 'uninstalled' && reason !== 'replaced')) return undefined;
  const locked = readSkill(value.locked);
  return {
    id,
    name: String(name),
    folderName: String(folderName),
    root: String(root),
    reason,
    removed: String(removed),
    backup: backup === true,
    ...(locked && { locked }),
  };
}
