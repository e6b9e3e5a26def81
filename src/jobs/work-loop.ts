// A worker: claims jobs, renews their leases, ends cancelled or lost ones, and drains for a graceful shutdown.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Span } from '../base/telemetry.ts';
import { newTag } from '../process/host.ts';
import type { ClaimedJob, ClaimWish, Hold } from '../store/queue.ts';
import { cleanUntilStopped } from './clean.ts';
import type { JobEnd, Left, WorkerDeps, WorkLog } from './worker.ts';

/** How much a worker takes on, and when. */
export interface WorkPace {
  readonly capacity: number;
  /** False while nothing may be started. */
  mayWork?(): boolean;
  /** The number of running jobs, whenever it changes. */
  onCount?(running: number): void;
}

export interface Stopping {
  /** Graceful shutdown: claim nothing new. */
  readonly stop: AbortSignal;
  /** Release running jobs now. */
  readonly abort: AbortSignal;
  /** After `stop`, running jobs have this long to end. */
  readonly drainMs: number;
}

const BEATS_PER_LEASE = 3;
const LOOK_MS = 1_000;
const TRIES = 20;

/** Runs until asked to stop and every job it held has ended or been released. */
export async function workUntilStopped(deps: WorkerDeps, pace: WorkPace, stopping: Stopping): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const drained = new AbortController();
  const given = AbortSignal.any([drained.signal, stopping.abort]);
  const cleaning = cleanUntilStopped(deps, stopping.stop);
  while (!stopping.stop.aborted) {
    const job = running.size < pace.capacity ? await takeOne(deps, pace, stopping.stop) : undefined;
    if (job) {
      const work = workOn(job.claimed, job.tag, deps, given).finally(() => {
        running.delete(work);
        pace.onCount?.(running.size);
      });
      running.add(work);
      pace.onCount?.(running.size);
      continue;
    }
    await waitForMore(deps, pace, running, stopping.stop);
  }
  const ended = Promise.allSettled(running);
  await Promise.race([ended, sleepUntil(stopping.drainMs, given)]);
  drained.abort();
  await Promise.all([ended, cleaning]);
}

/** Runs one claimed job to its end, with heartbeats until then. */
export async function workOn(job: ClaimedJob, tag: string, deps: WorkerDeps, given: AbortSignal): Promise<Left> {
  const followed = deps.follow?.(job);
  const log = followed ? withIds(deps.log, followed.span.ids) : deps.log;
  const hold = { id: job.id, fence: job.fence };
  const facts = { job: job.id, target: job.target, attempt: job.attempt };
  const lease = keepLease(hold, deps, log);
  const signal = AbortSignal.any([lease.signal, given]);
  const begunAt = performance.now();
  log('job started', facts);
  try {
    if (job.former !== undefined && !(await deps.endProcesses(job.former)))
      log('former processes not seen', { ...facts, tag: job.former });
    const end = await deps.execute(job, { tag, signal, ...(followed && { tracer: followed.span }) });
    const isGivenBack = end.kind === 'unfit' || (given.aborted && end.kind !== 'done');
    const left = await settle(hold, end, { queue: deps.queue, log, lease, isGivenBack, mayWait: () => !given.aborted });
    followed?.left(left);
    const run = 'run' in end && end.run !== undefined && { run: end.run };
    const took = { duration_ms: Math.round(performance.now() - begunAt) };
    log(`job ${left}`, { ...facts, ...took, ...run, ...('reason' in end && { reason: end.reason }) });
    return left;
  } finally {
    lease.stop();
  }
}

function withIds(log: WorkLog, ids: Span['ids']): WorkLog {
  return (event, facts) => log(event, { ...facts, ...ids });
}

interface LeaseKeeper {
  readonly signal: AbortSignal;
  state(): 'held' | 'lost' | 'cancelled';
  stop(): void;
}

/** Renews at a third of the lease. A lease that could not be renewed in time counts as lost, whatever the reason. */
function keepLease(hold: Hold, { queue, leaseMs }: WorkerDeps, log: WorkLog): LeaseKeeper {
  const ended = new AbortController();
  let state: ReturnType<LeaseKeeper['state']> = 'held';
  let isBusy = false;
  const end = (why: 'lost' | 'cancelled') => {
    state = why;
    ended.abort(why);
  };
  // Exactly at expiry, not at the next heartbeat: from then on another worker may claim the job.
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

interface Settling extends Pick<WorkerDeps, 'queue' | 'log'> {
  readonly lease: LeaseKeeper;
  /** Interrupted by shutdown: released, so that another worker starts it over. */
  readonly isGivenBack: boolean;
  /** False once the worker's drain time is over. */
  mayWait(): boolean;
}

/** Reports how the job ended. A queue that is unavailable is retried while the lease is held. */
async function settle(hold: Hold, end: JobEnd, settling: Settling): Promise<Left> {
  for (let tries = 1; settling.lease.state() !== 'lost'; tries++) {
    try {
      return await tell(hold, end, settling);
    } catch (error) {
      settling.log('result not stored', { job: hold.id, error: messageOf(error) });
      if (tries === TRIES || !settling.mayWait()) break;
      await sleep(LOOK_MS);
    }
  }
  return 'lost';
}

async function tell(hold: Hold, end: JobEnd, { queue, lease, isGivenBack }: Settling): Promise<Left> {
  if (end.kind === 'unfit' || (isGivenBack && lease.state() === 'held'))
    return (await queue.release(hold)) ? 'released' : 'lost';
  if (end.kind === 'done') return (await queue.complete(hold, end)) ? 'done' : 'lost';
  if (end.kind === 'waiting') return (await queue.suspend(hold, end)) ? 'waiting' : 'lost';
  const { state } = await queue.fail(hold, end);
  return state === 'dead' ? 'failed' : state === 'queued' ? 'retrying' : state;
}

async function takeOne(
  deps: WorkerDeps,
  pace: WorkPace,
  stop: AbortSignal,
): Promise<{ claimed: ClaimedJob; tag: string } | undefined> {
  if (pace.mayWork?.() === false) return undefined;
  try {
    return await claimOne(deps);
  } catch (error) {
    deps.log('no job taken', { error: messageOf(error) });
    await sleepUntil(LOOK_MS, stop);
    return undefined;
  }
}

/** A job this machine has the labels and the files for. */
export async function claimOne(
  deps: WorkerDeps,
  wish: Pick<ClaimWish, 'only'> = {},
): Promise<{ claimed: ClaimedJob; tag: string } | undefined> {
  const tag = newTag();
  const { worker, leaseMs, labels } = deps;
  const digests = await deps.digests?.();
  const able = { ...(labels && { labels }), ...(digests && { digests }) };
  const [claimed] = await deps.queue.claim({ worker, tag, leaseMs, limit: 1, ...able, ...wish });
  return claimed && { claimed, tag };
}

async function waitForMore(
  deps: WorkerDeps,
  pace: WorkPace,
  running: ReadonlySet<Promise<unknown>>,
  stop: AbortSignal,
): Promise<void> {
  if (running.size >= pace.capacity) return void (await Promise.race([...running, sleepUntil(LOOK_MS, stop)]));
  if (pace.mayWork?.() === false) return await sleepUntil(LOOK_MS, stop);
  try {
    await deps.queue.waitForWork(LOOK_MS, stop);
  } catch (error) {
    deps.log('queue not seen', { error: messageOf(error) });
    await sleepUntil(LOOK_MS, stop);
  }
}

/** Ends early, without an error, when aborted. */
async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
