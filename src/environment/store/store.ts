// The environments of this user, by hash below home: listed, taken in whole or not at all, verified, and removed.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../base/errors.ts';
import { makeFolder, moveTree, nameFolder, removeTree, setMode, touchFile } from '../../base/files.ts';
import { randomId } from '../../base/ids.ts';
import { entriesIfThere, errorCode } from '../../base/read-file.ts';
import { holdLock, ifUnlocked, placeLock, tryLock } from '../../store/sqlite/lock.ts';
import { type EnvironmentManifest, PARTS, readListing, readManifest, sealManifest } from './manifest.ts';
import { folderOf, isUntouched, storeFolder, treeOf } from './sound.ts';
import { type BuiltFile, readTree, traceOf, treeDigest } from './tree.ts';

const NAME = /^[0-9a-f]{64}$/;

/** When it was last used, for whoever removes unused ones; a store that is read-only here is tidied by those who write it. */
export function markUsed(home: string, name: string, now: number): void {
  try {
    touchFile(`${folderOf(home, name)}.used`, now);
  } catch (error) {
    if (errorCode(error) !== 'EROFS') throw error;
  }
}

export function lastUse(home: string, name: string): number {
  return lstatSync(`${folderOf(home, name)}.used`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

export interface StoredEnvironment {
  readonly name: string;
  /** Undefined where it is damaged. */
  readonly manifest: EnvironmentManifest | undefined;
  readonly used: number;
}

export function listStored(home: string): StoredEnvironment[] {
  return entriesIfThere(storeFolder(home))
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
    .map(({ name }) => ({ name, manifest: readManifest(folderOf(home, name), home), used: lastUse(home, name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A folder to build in, with nothing in it that an interrupted build left. Only for whoever holds the lock of that name. */
export function openStaging(home: string, name: string): string {
  const staged = path.join(building(home), name);
  removeTree(staged);
  makeFolder(staged);
  return staged;
}

/** The finished folder gets its name at once; what was there before goes. */
export function takeIn(home: string, name: string, finished: string): void {
  const folder = folderOf(home, name);
  placeLock(useLock(home, name));
  if (nameFolder(finished, folder)) return;
  requireRemoved(home, name);
  if (!nameFolder(finished, folder)) throw new Fault('StateUnusable', folder);
}

/** Held by a call from before it looks at the environment until its processes have ended. Where no lock is to be had, nobody removes it. */
export function holdStored(home: string, name: string): () => void {
  return holdLock(useLock(home, name)) ?? (() => {});
}

function useLock(home: string, name: string): string {
  return path.join(storeFolder(home), '.locks', `${name}.use`);
}

/** False where a running call uses it: then it stays. Renamed first, so that nobody uses half of it. */
export function removeStored(home: string, name: string): boolean {
  const folder = folderOf(home, name);
  if (!lstatSync(folder, { throwIfNoEntry: false })) return true;
  const away = path.join(building(home), `${AWAY}${randomId(6)}`);
  const isAway = ifUnlocked(useLock(home, name), () => {
    makeFolder(path.dirname(away));
    setMode(folder, 0o700);
    moveTree(folder, away);
    return true;
  });
  if (!isAway) return false;
  removeTree(away);
  removeTree(`${folder}.used`);
  return true;
}

/** Throws a Fault where a running call uses it. */
export function requireRemoved(home: string, name: string): void {
  if (removeStored(home, name)) return;
  const shown = name.slice(0, 12);
  throw new Fault(
    'StateUnusable',
    {
      en: `environment ${shown} is not as it was built, and a running call uses it`,
      zh: `环境 ${shown} 与构建时不同，且有调用正在使用`,
    },
    {
      details: { environment: name },
      hint: {
        en: 'Run `skillwright prepare <skill>` again when the call has ended.',
        zh: '请在该调用结束后重新运行 `skillwright prepare <技能>`。',
      },
    },
  );
}

const AWAY = 'old-';

function building(home: string): string {
  return path.join(storeFolder(home), '.building');
}

/** What killed processes left where environments are built and removed. */
export function sweepBuilding(home: string): void {
  for (const { name } of entriesIfThere(building(home))) {
    const remove = () => removeTree(path.join(building(home), name));
    if (name.startsWith(AWAY)) remove();
    else if (NAME.test(name)) ifUnlocked(path.join(storeFolder(home), '.locks', name), remove);
  }
}

/** One builder at a time; whoever waits finds what the other one has built. */
export async function whileLocked<Result>(
  home: string,
  name: string,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const file = path.join(storeFolder(home), '.locks', name);
  makeFolder(path.dirname(file));
  for (;;) {
    const release = tryLock(file);
    if (release) {
      try {
        return await work();
      } finally {
        release();
      }
    }
    await delay(WAIT_MS, undefined, signal ? { signal } : {});
  }
}

const WAIT_MS = 100;

export interface VerifiedEnvironment {
  readonly name: string;
  readonly ok: boolean;
  /** The first files that are not as they were built. */
  readonly changed: readonly string[];
}

/** Every byte. An environment that only moved to another disk is sealed anew. */
export function verifyStored(home: string, name: string): VerifiedEnvironment {
  const folder = folderOf(home, name);
  const manifest = readManifest(folder, home);
  const listed = manifest && readListing(folder, manifest);
  if (!manifest || !listed) return { name, ok: false, changed: [PARTS.manifest] };
  const changed = differences(listed, readAll(treeOf(home, name)));
  if (changed.length > 0 || treeDigest(listed) !== manifest.tree) return { name, ok: false, changed };
  if (!isUntouched(home, manifest)) sealManifest(folder, home, { ...manifest, trace: traceOf(treeOf(home, name)) });
  return { name, ok: true, changed: [] };
}

function readAll(tree: string): BuiltFile[] | undefined {
  try {
    return readTree(tree, { maxFiles: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (error instanceof Fault && typeof error.details?.file === 'string')
      return [{ path: error.details.file, kind: 'file', size: -1, sha256: '' }];
    return undefined;
  }
}

function differences(listed: readonly BuiltFile[], found: readonly BuiltFile[] | undefined): string[] {
  if (!found) return [PARTS.tree];
  const text = (entry: BuiltFile | undefined) => (entry ? JSON.stringify([entry.kind, entry.size, entry.sha256]) : '');
  const [before, after] = [listed, found].map((entries) => new Map(entries.map((entry) => [entry.path, entry])));
  const names = new Set([...listed, ...found].map((entry) => entry.path));
  return [...names]
    .filter((name) => text(before?.get(name)) !== text(after?.get(name)))
    .sort()
    .slice(0, 20);
}
