// Announces a worker in the queue: that it is there, how busy it is and which files it has, until it leaves.
import { toFault } from '../../base/errors.ts';
import type { WorkLog } from '../../jobs/worker.ts';
import type { Queue } from '../../store/queue.ts';

export interface Presence {
  /** What it does changed: announced at once. */
  changed(): void;
  end(): Promise<void>;
}

type Announced = Parameters<Queue['seen']>[0];

const SEEN_MS = 5_000;
const SEEN_LOOK_MS = 1_000;

/** Says every few seconds that it is there, at once that its work or its files changed, and in the end that it leaves. */
export function keepPresent(
  queue: Pick<Queue, 'seen' | 'leave'>,
  log: WorkLog,
  describe: () => Promise<Announced>,
): Presence {
  let worker: string | undefined;
  let said = { state: '', at: Number.NEGATIVE_INFINITY };
  const say = async () => {
    try {
      const described = await describe();
      const state = [described.running, ...(described.digests ?? [])].join();
      if (state === said.state && performance.now() - said.at < SEEN_MS) return;
      said = { state, at: performance.now() };
      worker = described.id;
      await queue.seen(described);
    } catch (error) {
      log('queue not reached', { error: toFault(error).message });
    }
  };
  let saying = say();
  // One after the other: an older announcement must not replace a newer one.
  const sayNext = () => {
    saying = saying.then(say);
  };
  const timer = setInterval(sayNext, SEEN_LOOK_MS);
  return {
    changed: sayNext,
    async end() {
      clearInterval(timer);
      // What is on its way would be written after the leave.
      await saying;
      try {
        if (worker !== undefined) await queue.leave(worker);
      } catch (error) {
        log('queue not reached', { error: toFault(error).message });
      }
    },
  };
}
