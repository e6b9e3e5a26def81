// Single-flight: of all who ask for one key, in any process, one executes; the others wait for its result or find it stored.
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import { endTagged, newTag } from '../process/host.ts';
import type { Flights, Lead } from '../store/store.ts';
import { createWatch, type Watch } from './watch.ts';

export interface FlightOrder {
  readonly key: string;
  /** Fingerprint of what is to be done. */
  readonly payload: string;
  /** A stored result is not wanted; one that is being made is waited for first. */
  readonly fresh?: boolean;
}

export interface Leader {
  /** To be carried by every process that is started, so that a successor can end them. */
  readonly tag: string;
  /** Aborted when the lead is lost. */
  readonly signal: AbortSignal;
}

export interface Flown {
  readonly result: string;
  /** Executed by this call, by another while this one waited, or before this one came. */
  readonly way: 'led' | 'waited' | 'stored';
}

export interface FlightTimes {
  /** A leader that was silent for so long counts as dead. */
  readonly leaseMs: number;
  /** How long a result is kept. */
  readonly windowMs: number;
  readonly pollMs: number;
}

export interface FlightControl {
  fly(order: FlightOrder, execute: (leader: Leader) => Promise<string>): Promise<Flown>;
}

const TIMES: FlightTimes = { leaseMs: 5_000, windowMs: 5_000, pollMs: 25 };
const BEATS_PER_LEASE = 5;

interface Parts {
  readonly flights: Flights;
  readonly times: FlightTimes;
  readonly watch: Watch;
  endTagged(tag: string): Promise<unknown>;
}

export function createFlightControl(
  flights: Flights,
  options: Partial<FlightTimes> & { readonly endTagged?: Parts['endTagged'] } = {},
): FlightControl {
  const times = { ...TIMES, ...options };
  const parts = {
    flights,
    times,
    watch: createWatch(flights, times.pollMs),
    endTagged: options.endTagged ?? endTagged,
  };
  const underWay = new Map<string, { payload: string; flown: Promise<Flown> }>();
  return {
    async fly(order, execute) {
      const known = order.fresh ? undefined : underWay.get(order.key);
      if (known && known.payload !== order.payload) throw conflict(order.key);
      if (known) return { ...(await known.flown), way: 'waited' };
      const flown = join(order, execute, parts);
      const entry = { payload: order.payload, flown };
      underWay.set(order.key, entry);
      try {
        return await flown;
      } finally {
        if (underWay.get(order.key) === entry) underWay.delete(order.key);
      }
    },
  };
}

async function join(order: FlightOrder, execute: (leader: Leader) => Promise<string>, parts: Parts): Promise<Flown> {
  const { key, payload, fresh = false } = order;
  const tag = newTag();
  for (let waited = false; ; waited = true) {
    const claim = await parts.flights.claim({ key, payload, tag, leaseMs: parts.times.leaseMs, fresh });
    if (claim.state === 'conflict') throw conflict(key);
    if (claim.state === 'leading') return await lead({ key, fence: claim.fence }, tag, claim.former, execute, parts);
    if (claim.state === 'finished') return { result: claim.result, way: waited ? 'waited' : 'stored' };
    const seen = await parts.watch.next({ key, fence: claim.fence });
    if (seen?.state === 'finished' && !fresh) return { result: seen.result, way: 'waited' };
  }
}

async function lead(
  held: Lead,
  tag: string,
  former: string | undefined,
  execute: (leader: Leader) => Promise<string>,
  parts: Parts,
): Promise<Flown> {
  const lost = new AbortController();
  const heartbeat = beat(held, lost, parts);
  try {
    // A leader without a heartbeat may only be suspended: its processes must not run beside the new ones.
    if (former !== undefined) await parts.endTagged(former);
    const result = await executeOrRelease(held, () => execute({ tag, signal: lost.signal }), parts);
    if (await parts.flights.finish(held, result, parts.times.windowMs)) return { result, way: 'led' };
  } finally {
    clearInterval(heartbeat);
  }
  return await followSuccessor(held, parts);
}

function beat(held: Lead, lost: AbortController, { flights, times }: Parts): NodeJS.Timeout {
  const renew = async () => {
    if (!(await flights.renew(held, times.leaseMs))) lost.abort();
  };
  // A beat that fails is one beat less; the lease tells whether too many did.
  return setInterval(() => void renew().catch(() => {}), times.leaseMs / BEATS_PER_LEASE);
}

/** A failure nobody foresaw is no result: the next one may try at once. */
async function executeOrRelease(held: Lead, execute: () => Promise<string>, { flights }: Parts): Promise<string> {
  try {
    return await execute();
  } catch (error) {
    await flights.finish(held, '', 0);
    throw error;
  }
}

/** Our result came too late and was refused; that of whoever took over is the one that counts. */
async function followSuccessor(held: Lead, { flights, watch }: Parts): Promise<Flown> {
  for (let seen = (await flights.look([held.key])).get(held.key); ; ) {
    if (seen?.state === 'finished') return { result: seen.result, way: 'waited' };
    if (seen === undefined) throw lateResult(held.key);
    seen = await watch.next({ key: held.key, fence: seen.fence });
  }
}

function conflict(key: string): Fault {
  return new Fault('IdempotencyConflict', visible(key), { details: { key } });
}

function lateResult(key: string): Fault {
  return new Fault('RuntimeFailed', {
    en: `another process took over ${visible(key)}, and its result is gone already`,
    zh: `${visible(key)} 已由其他进程接管，其结果已过期`,
  });
}
