// A worker: takes jobs from the queue, keeps their leases, ends what was cancelled or lost, and drains when it is asked to stop.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Span } from '../base/telemetry.ts';
import { newTag } from '../process/host.ts';
import type { ClaimedJob, ClaimWish, Hold } from '../store/queue.ts';
import { cleanUntilStopped } from './clean.ts';
import type { JobEnd, Left, Workshop } from './worker.ts';

export interface WorkLoop extends Workshop {
  readonly capacity: number;
  /** False while nothing may be started. */
  mayWork?(): boolean;
  /** How many jobs run, whenever that changes. */
  onCount?(running: number): void;
}

export interface Stopping {
  /** Take nothing new. */
  readonly stop: AbortSignal;
  /** Give back what still runs, now. */
  readonly abort: AbortSignal;
  /** After `stop`, what runs has this long to end. */
  readonly drainMs: number;
}

const BEATS_PER_LEASE = 3;
const LOOK_MS = 1_000;
const TRIES = 20;

/** Works until it is asked to stop and everything it had has ended or been given back. */
export async function workUntilStopped(loop: WorkLoop, stopping: Stopping): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const drained = new AbortController();
  const given = AbortSignal.any([drained.signal, stopping.abort]);
  const cleaning = cleanUntilStopped(loop, stopping.stop);
  while (!stopping.stop.aborted) {
    const job = running.size < loop.capacity ? await takeOne(loop, stopping.stop) : undefined;
    if (job) {
      const work = workOn(job.claimed, job.tag, loop, given).finally(() => {
        running.delete(work);
        loop.onCount?.(running.size);
      });
      running.add(work);
      loop.onCount?.(running.size);
      continue;
    }
    await waitForMore(loop, running, stopping.stop);
  }
  const ended = Promise.allSettled(running);
  await Promise.race([ended, sleepUntil(stopping.drainMs, given)]);
  drained.abort();
  await Promise.all([ended, cleaning]);
}

/** One job that is held already, to its end; beats until then. */
export async function workOn(job: ClaimedJob, tag: string, workshop: Workshop, given: AbortSignal): Promise<Left> {
  const followed = workshop.follow?.(job);
  const shop = followed ? withIds(workshop, followed.span.ids) : workshop;
  const hold = { id: job.id, fence: job.fence };
  const facts = { job: job.id, target: job.target, attempt: job.attempt };
  const heart = keepLease(hold, shop);
  const signal = AbortSignal.any([heart.signal, given]);
  shop.log('job started', facts);
  try {
    if (job.former !== undefined && !(await shop.endProcesses(job.former)))
      shop.log('former processes not seen', { ...facts, tag: job.former });
    const end = await shop.execute(job, { tag, signal, ...(followed && { tracer: followed.span }) });
    const isGivenBack = end.kind === 'unfit' || (given.aborted && end.kind !== 'done');
    const left = await settle(hold, end, { shop, heart, isGivenBack, mayWait: () => !given.aborted });
    followed?.left(left);
    shop.log(`job ${left}`, { ...facts, ...('reason' in end && { reason: end.reason }) });
    return left;
  } finally {
    heart.stop();
  }
}

function withIds(shop: Workshop, ids: Span['ids']): Workshop {
  return { ...shop, log: (event, facts) => shop.log(event, { ...facts, ...ids }) };
}

interface Heart {
  readonly signal: AbortSignal;
  state(): 'held' | 'lost' | 'cancelled';
  stop(): void;
}

/** Renews at a third of the lease. A lease that could not be renewed in time counts as lost, whatever the reason. */
function keepLease(hold: Hold, { queue, leaseMs, log }: Workshop): Heart {
  const ended = new AbortController();
  let state: ReturnType<Heart['state']> = 'held';
  let isBusy = false;
  const end = (why: 'lost' | 'cancelled') => {
    state = why;
    ended.abort(why);
  };
  // To the moment, not at the next beat: from then on another worker may begin the job.
  const lapse = () => {
    if (state === 'held') end('lost');
  };
  let lapsing = setTimeout(lapse, leaseMs);
  const beat = async () => {
    if (isBusy || state === 'lost') return;
    isBusy = true;
    const at = performance.now();
    try {
      const [answer = 'lost'] = await queue.renew([hold], leaseMs);
      if (answer !== 'lost') {
        clearTimeout(lapsing);
        lapsing = setTimeout(lapse, Math.max(1, at + leaseMs - performance.now()));
      }
      if (answer !== 'held' && state === 'held') end(answer);
      if (answer === 'lost') state = 'lost';
    } catch (error) {
      log('lease not renewed', { job: hold.id, error: messageOf(error) });
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void beat(), leaseMs / BEATS_PER_LEASE);
  const stop = () => {
    clearInterval(timer);
    clearTimeout(lapsing);
  };
  return { signal: ended.signal, state: () => state, stop };
}

interface Settling {
  readonly shop: Workshop;
  readonly heart: Heart;
  /** It was not allowed to end: another worker begins it anew. */
  readonly isGivenBack: boolean;
  /** False once the worker has no more time. */
  mayWait(): boolean;
}

/** Says how it ended. A queue that cannot take it now is asked again while the lease is held. */
async function settle(hold: Hold, end: JobEnd, settling: Settling): Promise<Left> {
  for (let tries = 1; settling.heart.state() !== 'lost'; tries++) {
    try {
      return await tell(hold, end, settling);
    } catch (error) {
      settling.shop.log('result not stored', { job: hold.id, error: messageOf(error) });
      if (tries === TRIES || !settling.mayWait()) break;
      await sleep(LOOK_MS);
    }
  }
  return 'lost';
}

async function tell(hold: Hold, end: JobEnd, { shop: { queue }, heart, isGivenBack }: Settling): Promise<Left> {
  if (end.kind === 'unfit' || (isGivenBack && heart.state() === 'held'))
    return (await queue.release(hold)) ? 'released' : 'lost';
  if (end.kind === 'done') return (await queue.complete(hold, end)) ? 'done' : 'lost';
  if (end.kind === 'waiting') return (await queue.suspend(hold, end)) ? 'waiting' : 'lost';
  const { state } = await queue.fail(hold, end);
  return state === 'dead' ? 'failed' : state === 'queued' ? 'retrying' : state;
}

async function takeOne(loop: WorkLoop, stop: AbortSignal): Promise<{ claimed: ClaimedJob; tag: string } | undefined> {
  if (loop.mayWork?.() === false) return undefined;
  try {
    return await claimOne(loop);
  } catch (error) {
    loop.log('no job taken', { error: messageOf(error) });
    await sleepUntil(LOOK_MS, stop);
    return undefined;
  }
}

/** A job this machine has the labels and the files for. */
export async function claimOne(
  shop: Workshop,
  wish: Pick<ClaimWish, 'only'> = {},
): Promise<{ claimed: ClaimedJob; tag: string } | undefined> {
  const tag = newTag();
  const { worker, leaseMs, labels } = shop;
  const digests = await shop.digests?.();
  const able = { ...(labels && { labels }), ...(digests && { digests }) };
  const [claimed] = await shop.queue.claim({ worker, tag, leaseMs, limit: 1, ...able, ...wish });
  return claimed && { claimed, tag };
}

async function waitForMore(loop: WorkLoop, running: ReadonlySet<Promise<unknown>>, stop: AbortSignal): Promise<void> {
  if (running.size >= loop.capacity) return void (await Promise.race([...running, sleepUntil(LOOK_MS, stop)]));
  if (loop.mayWork?.() === false) return await sleepUntil(LOOK_MS, stop);
  try {
    await loop.queue.waitForWork(LOOK_MS, stop);
  } catch (error) {
    loop.log('queue not seen', { error: messageOf(error) });
    await sleepUntil(LOOK_MS, stop);
  }
}

/** Ends early, and without complaint, when aborted. */
async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
