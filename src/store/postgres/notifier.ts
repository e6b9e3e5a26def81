// Notifies waiting workers of new jobs through LISTEN; while that connection is lost, slow polling replaces it.
import type { PgDatabase, PgListener } from './database.ts';

export interface PgNotifier {
  /** The channel to listen to, once a worker waits. */
  subscribe(channel: string): { close(): Promise<void> };
  channel(): string | undefined;
  /** The number of notifications so far. */
  count(): number;
  /** Resolves at the next notification after that count, or after `ms`. */
  wait(ms: number, signal: AbortSignal, since: number): Promise<void>;
  close(): void;
}

/** The longest time between two polls, with and without a listening connection. */
const BACKSTOP_MS = 1_000;
const UNNOTIFIED_MS = 100;

export function openPgNotifier(database: PgDatabase): PgNotifier {
  const waiting = new Set<() => void>();
  let subscribed: string | undefined;
  let client: PgListener | undefined;
  let isOpening = false;
  let isClosed = false;
  let notified = 0;
  const notify = () => {
    notified++;
    for (const wake of [...waiting]) wake();
  };
  const listen = async (channel: string) => {
    isOpening = true;
    let opened: PgListener | undefined;
    try {
      opened = await database.connect();
      opened.on('notification', notify);
      opened.on('end', () => {
        client = undefined;
        notify();
      });
      await opened.query(`LISTEN "${channel.replaceAll('"', '')}"`);
      if (!isClosed) client = opened;
      // Notifications before LISTEN are lost: every waiting worker polls once more.
      notify();
    } catch {
      // The next wait retries; until then polling is more frequent.
    } finally {
      isOpening = false;
      // Closed meanwhile, or LISTEN failed: an unreferenced connection would keep the process alive.
      if (client !== opened) await opened?.end().catch(() => {});
    }
  };
  return {
    subscribe(channel) {
      subscribed = channel;
      return { close: async () => {} };
    },
    channel: () => subscribed,
    count: () => notified,
    wait(ms, signal, since) {
      if (notified !== since || isClosed) return Promise.resolve();
      if (subscribed !== undefined && !client && !isOpening && !isClosed) void listen(subscribed);
      return waitOnce(waiting, Math.min(ms, client ? BACKSTOP_MS : UNNOTIFIED_MS), signal);
    },
    close() {
      isClosed = true;
      notify();
      // Closing the database cuts the connection, should the server not respond.
      void client?.end().catch(() => {});
    },
  };
}

function waitOnce(waiting: Set<() => void>, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = () => {
    clearTimeout(timer);
    waiting.delete(wake);
    signal.removeEventListener('abort', wake);
    resolve();
  };
  const timer = setTimeout(wake, Math.max(1, ms));
  waiting.add(wake);
  signal.addEventListener('abort', wake);
  if (signal.aborted) wake();
  return promise;
}
