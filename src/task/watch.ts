// Waits for other processes: one timer and one question to the store for however many wait.
import type { FlightSeen, Flights, Lead } from '../store/store.ts';

export interface Watch {
  /** What has become of this lead: finished, taken over, or nothing where it is over. */
  next(lead: Lead): Promise<FlightSeen | undefined>;
}

interface Watcher extends Lead {
  resolve(seen: FlightSeen | undefined): void;
  reject(error: unknown): void;
}

const SLOWEST_MS = 250;
/** So many keys cost one more millisecond between two looks: a crowd waits a little longer, not harder. */
const KEYS_PER_MS = 4;

export function createWatch(flights: Pick<Flights, 'look'>, pollMs: number): Watch {
  const watchers = new Set<Watcher>();
  let timer: NodeJS.Timeout | undefined;
  const schedule = () => {
    if (timer !== undefined || watchers.size === 0) return;
    const pause = Math.min(SLOWEST_MS, pollMs + watchers.size / KEYS_PER_MS);
    timer = setTimeout(() => void look(), pause);
  };
  const look = async () => {
    const asked = [...watchers];
    try {
      const seen = await flights.look([...new Set(asked.map(({ key }) => key))]);
      for (const watcher of asked) tell(watcher, seen.get(watcher.key));
    } catch (error) {
      for (const watcher of asked) if (watchers.delete(watcher)) watcher.reject(error);
    }
    timer = undefined;
    schedule();
  };
  const tell = (watcher: Watcher, seen: FlightSeen | undefined) => {
    if (seen?.state === 'running' && seen.fence === watcher.fence) return;
    watchers.delete(watcher);
    watcher.resolve(seen);
  };
  return {
    next({ key, fence }) {
      const { promise, resolve, reject } = Promise.withResolvers<FlightSeen | undefined>();
      watchers.add({ key, fence, resolve, reject });
      schedule();
      return promise;
    },
  };
}
