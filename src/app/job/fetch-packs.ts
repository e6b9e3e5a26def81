// While a worker runs: looks what queued jobs are pinned to, and fetches what this machine lacks and a pack is there for.
import { setTimeout as sleep } from 'node:timers/promises';
import { toFault } from '../../base/errors.ts';
import { requireDigest } from '../../base/value/digest.ts';
import type { WorkLog } from '../../jobs/worker.ts';
import type { Queue } from '../../store/queue.ts';
import type { Runtime } from '../runtime.ts';
import { fetchPack } from './fetch-pack.ts';
import type { RoleFiles } from './role-files.ts';

interface Fetching {
  readonly queue: Pick<Queue, 'needs'>;
  readonly files: RoleFiles;
  readonly labels: readonly string[];
  readonly log: WorkLog;
}

const LOOK_MS = 1_000;
/** What is not there, or was refused, is asked for again after this. */
const AGAIN_MS = 10_000;
/** A queue that others write may name more than anybody has. */
const AT_ONCE = 20;

export async function fetchUntilStopped(runtime: Runtime, fetching: Fetching, stop: AbortSignal): Promise<void> {
  if (runtime.config.packs === undefined) return;
  const triedAt = new Map<string, number>();
  while (!stop.aborted) {
    try {
      await fetchLacking(runtime, fetching, triedAt, stop);
    } catch (error) {
      fetching.log('packs not looked for', { error: toFault(error).message });
    }
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => {});
  }
}

async function fetchLacking(
  runtime: Runtime,
  fetching: Fetching,
  triedAt: Map<string, number>,
  stop: AbortSignal,
): Promise<void> {
  const wanted = await lackingDigests(fetching);
  for (const digest of triedAt.keys()) if (!wanted.has(digest)) triedAt.delete(digest);
  const now = performance.now();
  const due = [...wanted].filter((digest) => now - (triedAt.get(digest) ?? Number.NEGATIVE_INFINITY) >= AGAIN_MS);
  // Those that waited longest first: many that nobody has must not keep the others from their turn.
  due.sort((a, b) => (triedAt.get(a) ?? 0) - (triedAt.get(b) ?? 0));
  for (const digest of due.slice(0, AT_ONCE)) {
    if (stop.aborted) return;
    triedAt.set(digest, now);
    await fetchOne(runtime, fetching, digest, stop);
  }
}

/** Of jobs whose labels this worker has. */
async function lackingDigests({ queue, files, labels: own }: Fetching): Promise<Set<string>> {
  const known = new Set(await files.digests());
  const needs = await queue.needs();
  const fitting = needs.filter(({ labels = [] }) => labels.every((label) => own.includes(label)));
  return new Set(fitting.flatMap(({ digest }) => (digest === undefined || known.has(digest) ? [] : [digest])));
}

async function fetchOne(runtime: Runtime, { files, log }: Fetching, digest: string, stop: AbortSignal): Promise<void> {
  try {
    const fetched = await fetchPack(runtime, requireDigest(digest), stop);
    if (!fetched) return;
    files.changed();
    log('pack fetched', { digest, ...fetched });
  } catch (error) {
    log('pack refused', { digest, reason: toFault(error).message });
  }
}
