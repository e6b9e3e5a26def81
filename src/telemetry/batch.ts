// Collects ended spans and sends them in batches, one after the other. Under backpressure the bounded queue drops and counts, and never blocks.
import type { Batching } from './settings.ts';

export interface Batches<Item> {
  add(item: Item): void;
  /** Flush: sends everything now; resolves when that is done. */
  drain(): Promise<void>;
}

export interface BatchOptions<Item> {
  readonly batching: Batching;
  /** Never throws. */
  send(items: readonly Item[]): Promise<void>;
  onFull(): void;
}

/** The first batch is sent as soon as the process is idle: modules and connection are then ready when the rest is due. */
const FIRST_DELAY_MS = 1;

export function createBatches<Item>({ batching, send, onFull }: BatchOptions<Item>): Batches<Item> {
  const { delayMs, queueSize, batchSize } = batching;
  let waiting: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  let waitMs = Math.min(delayMs, FIRST_DELAY_MS);
  let sending: Promise<void> | undefined;
  const sendAll = async () => {
    clearTimeout(timer);
    timer = undefined;
    waitMs = delayMs;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      await send(batch);
    }
  };
  const drain = () => {
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  return {
    add(item) {
      if (waiting.length >= queueSize) return onFull();
      waiting.push(item);
      if (waiting.length >= batchSize) void drain();
      else timer ??= setTimeout(() => void drain(), waitMs).unref();
    },
    drain,
  };
}
