// One of the processes of store-processes.test.ts: scans, records and searches until its input ends or it is killed.
import { existsSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { discover, type Index } from '../../../src/registry/discover.ts';
import { openIndexCache } from '../../../src/registry/index-cache.ts';
import { deserializeRankIndex } from '../../../src/registry/rank/file.ts';
import { scan } from '../../../src/registry/scan.ts';
import { openSearchIndex } from '../../../src/registry/search/index.ts';
import { recordUse, usageOf } from '../../../src/registry/usage.ts';
import { openStore } from '../../../src/store/sqlite/store.ts';

export interface ChildOrder {
  readonly home: string;
  readonly root: string;
  readonly cacheFolder: string;
  /** The skill only this process records; both record `shared`. */
  readonly own: string;
}

if (process.argv[2] !== undefined) await work(JSON.parse(process.argv[2]));

async function work(order: ChildOrder): Promise<void> {
  let ended = false;
  process.stdin.resume().once('end', () => {
    ended = true;
  });
  using store = openStore({ home: order.home, project: order.root });
  let before = 0;
  while (!ended) {
    const index = findSkills(order);
    scan(index, store);
    search(order, index);
    loadRankIndex(order);
    for (const folderName of [order.own, 'shared']) {
      const skill = { source: 'project', folderName, kind: 'command' } as const;
      recordUse(store, skill, { ok: true, durationMs: 1, at: Date.now() });
      // Written at once: what stands in the pipe was acknowledged, even when the next thing is the end.
      writeSync(1, `${folderName}\n`);
    }
    const now = usageOf(store, { source: 'project', folderName: 'shared' }).count;
    if (now <= before) throw new Error(`the count went from ${before} to ${now}`);
    before = now;
    await setImmediate();
  }
}

/** Brings the index on disk up to date, and asks it for a skill that must be in it. */
function search(order: ChildOrder, index: Index): void {
  const found = openSearchIndex(index, { folder: searchFolder(order), bodies: 'read', now: Date.now() });
  const wanted = index.skills[0];
  const best = wanted && found.search(`use ${wanted.name}`).hits[0];
  if (best?.skill !== wanted) throw new Error(`asked for ${wanted?.skillId}, found ${best?.skill.skillId}`);
}

/** None before the first write; a file that is there and cannot be read is damage. */
export function loadRankIndex(order: Pick<ChildOrder, 'cacheFolder'>) {
  const folder = searchFolder(order);
  const name = existsSync(folder) && readdirSync(folder).find((file) => file.endsWith('.rank'));
  if (!name) return undefined;
  const loaded = deserializeRankIndex(readFileSync(path.join(folder, name)));
  if (!loaded) throw new Error('the search index is damaged');
  return loaded;
}

function searchFolder(order: Pick<ChildOrder, 'cacheFolder'>): string {
  return path.join(order.cacheFolder, 'search');
}

export function findSkills(order: Pick<ChildOrder, 'root' | 'cacheFolder'>) {
  const roots = [{ folder: order.root, source: 'project', label: 'skills' } as const];
  const cache = openIndexCache({ folder: order.cacheFolder, roots, deep: false, blockAngleBrackets: true });
  return discover(roots, { blockAngleBrackets: true, cache });
}
