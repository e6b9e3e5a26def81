// The homes that skills keep between runs: whose they are, how large, and how they are cleared.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { removeTree } from '../../base/files.ts';
import { isRecord, jsonIfValid } from '../../base/json.ts';
import { namesIfThere, readTextIfThere } from '../../base/read-file.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import { HOME_PARTS, type HomeOwner } from '../../door/consent/home-place.ts';
import { ifUnlocked } from '../../store/sqlite/lock.ts';
import { recordOwn } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';

export interface KeptHome extends HomeOwner {
  readonly id: string;
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
}

/** Of this project and of the user's own skills. */
export function listHomes({ home, places }: Runtime): KeptHome[] {
  const homes = path.join(home, '.agent', 'homes');
  return namesIfThere(homes)
    .flatMap((id): KeptHome[] => {
      const owner = readOwner(path.join(homes, id));
      if (!owner || (owner.project !== undefined && owner.project !== places.project)) return [];
      const folder = path.join(homes, id, HOME_PARTS.home);
      return [{ id, folder, ...owner, ...sizeOf(folder) }];
    })
    .sort((a, b) => (a.skill < b.skill ? -1 : 1));
}

/** By the name of the skill or by id. Throws a Fault where there is none, or a call works in it. */
export function clearHomes(written: string, runtime: Runtime): KeptHome[] {
  const all = listHomes(runtime);
  const meant = all.filter(({ id, skill }) => id === written || skill === written);
  if (meant.length === 0) throw unknownHome(written, all);
  return recordOwn(runtime, { command: 'homes clear', files: meant.map(({ skill }) => skill) }, () => {
    for (const one of meant) clear(one);
    return meant;
  });
}

function clear({ folder, skill }: KeptHome): void {
  const lock = path.join(path.dirname(folder), HOME_PARTS.lock);
  const isDone = ifUnlocked(lock, () => {
    removeTree(folder);
    return true;
  });
  if (isDone) return;
  const shown = visible(skill);
  throw new Fault(
    'Conflict',
    { en: `a call works in the home of ${shown}`, zh: `有调用正在使用 ${shown} 的主目录` },
    { hint: { en: 'Wait for it, or stop it.', zh: '请等待其结束或将其停止。' } },
  );
}

function readOwner(folder: string): HomeOwner | undefined {
  const stored = jsonIfValid(readTextIfThere(path.join(folder, HOME_PARTS.owner)) ?? 'null');
  if (!isRecord(stored) || typeof stored.source !== 'string' || typeof stored.skill !== 'string') return undefined;
  const { source, skill, project } = stored;
  return { source, skill, ...(typeof project === 'string' && { project }) };
}

function sizeOf(file: string): { files: number; bytes: number } {
  const entry = lstatSync(file, { throwIfNoEntry: false });
  if (!entry?.isDirectory()) return { files: entry ? 1 : 0, bytes: entry?.size ?? 0 };
  const parts = namesIfThere(file).map((name) => sizeOf(path.join(file, name)));
  return {
    files: parts.reduce((sum, { files }) => sum + files, 0),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function unknownHome(written: string, all: readonly KeptHome[]): Fault {
  const shown = visible(written);
  return new Fault(
    'DataNotFound',
    { en: `${shown} keeps no home`, zh: `${shown} 没有保留的主目录` },
    didYouMean(
      written,
      all.map(({ skill }) => skill),
      { en: '`skillwright homes list` shows them.', zh: '`skillwright homes list` 列出主目录。' },
    ),
  );
}
