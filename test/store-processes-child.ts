// One of the processes of store-processes.test.ts: scans, records and searches until its input ends or it is killed.
import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { discover } from '../src/registry/discover.ts';
import { openIndexCache } from '../src/registry/index-cache.ts';
import { scan } from '../src/registry/scan.ts';
import { recordUse, usageOf } from '../src/registry/usage.ts';
import { openStore } from '../src/store/sqlite.ts';

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

export function findSkills(order: Pick<ChildOrder, 'root' | 'cacheFolder'>) {
  const roots = [{ folder: order.root, source: 'project', label: 'skills' } as const];
  const cache = openIndexCache({ folder: order.cacheFolder, roots, deep: false, blockAngleBrackets: true });
  return discover(roots, { blockAngleBrackets: true, cache });
}
