// One of the processes of store-processes.test.ts: scans, records and searches until its input ends or it is killed.
import { existsSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { writeFileAtomic } from '../src/base/files.ts';
import { discover, type Index } from '../src/registry/discover.ts';
import { openIndexCache } from '../src/registry/index-cache.ts';
import { rank } from '../src/registry/rank.ts';
import { deserializeRankIndex, serializeRankIndex } from '../src/registry/rank-file.ts';
import { buildRankIndex, updateRankIndex } from '../src/registry/rank-index.ts';
import { scan } from '../src/registry/scan.ts';
import { recordUse, usageOf } from '../src/registry/usage.ts';
import { openStore } from '../src/store/sqlite.ts';
import type { Store } from '../src/store/store.ts';

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
    search(order, index, store);
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
function search(order: ChildOrder, index: Index, store: Store): void {
  const digests = store.scanned.all();
  const documents = index.skills.map(({ skillId, name, folder, manifest }) => {
    return { id: skillId, name, description: manifest.description, digest: digests.get(folder)?.digest ?? '' };
  });
  const earlier = loadRankIndex(order);
  const current = earlier ? updateRankIndex(earlier, documents) : buildRankIndex(documents);
  writeFileAtomic(rankFile(order), serializeRankIndex(current));
  const wanted = index.skills[0];
  const best = wanted && rank(current, `use ${wanted.name}`).hits[0];
  if (best?.id !== wanted?.skillId) throw new Error(`asked for ${wanted?.skillId}, found ${best?.id}`);
}

/** None before the first write; a file that is there and cannot be read is damage. */
export function loadRankIndex(order: Pick<ChildOrder, 'cacheFolder'>) {
  if (!existsSync(rankFile(order))) return undefined;
  const loaded = deserializeRankIndex(readFileSync(rankFile(order)));
  if (!loaded) throw new Error('the search index is damaged');
  return loaded;
}

function rankFile(order: Pick<ChildOrder, 'cacheFolder'>): string {
  return path.join(order.cacheFolder, 'rank.bin');
}

export function findSkills(order: Pick<ChildOrder, 'root' | 'cacheFolder'>) {
  const roots = [{ folder: order.root, source: 'project', label: 'skills' } as const];
  const cache = openIndexCache({ folder: order.cacheFolder, roots, deep: false, blockAngleBrackets: true });
  return discover(roots, { blockAngleBrackets: true, cache });
}
