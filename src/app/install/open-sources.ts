// Opens sources in a private folder that is gone afterwards.
import path from 'node:path';
import { makeFolder, removeTree } from '../../base/files.ts';
import { randomId } from '../../base/ids.ts';
import type { LockedSkill } from '../../distribution/lock.ts';
import type { InstallPlace } from '../../distribution/place.ts';
import type { Offer } from '../../distribution/source/offer.ts';
import { reopenSources } from '../../distribution/source/reopen.ts';
import type { SourcePlaces } from '../../distribution/source/source.ts';
import type { Runtime } from '../runtime.ts';

/** The sources of installed skills once more; those of a project only as far as it is trusted. */
export async function openInstalled(
  skills: readonly Pick<LockedSkill, 'source'>[],
  aim: 'newest' | 'pinned',
  { scope }: InstallPlace,
  { cwd, servers }: Around,
  runtime: Runtime,
): Promise<Offer[]> {
  const isTrusted = scope === 'user' || runtime.isTrusted();
  const base = scope === 'project' ? runtime.project : cwd;
  return await withSourcePlaces(runtime, { cwd: base, servers }, (places) =>
    reopenSources(skills, { aim, isTrusted }, places),
  );
}

/** Where relative paths begin, and the servers that may be asked. */
type Around = Required<Pick<SourcePlaces, 'cwd' | 'servers'>>;

export async function withSourcePlaces<T>(
  { home, project, env }: Runtime,
  { cwd, servers }: Around,
  work: (places: SourcePlaces) => Promise<T>,
): Promise<T> {
  const folder = path.join(home, '.agent', 'tmp', randomId(8));
  makeFolder(folder);
  try {
    return await work({ cwd, home, project, env, work: folder, servers });
  } finally {
    removeTree(folder);
  }
}
