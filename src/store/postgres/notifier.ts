// Hears when there may be work: PostgreSQL tells it, and where that connection is lost a slow look makes up for it.
import type { PgDatabase, PgListener } from './database.ts';

export interface PgBell {
  /** The channel to listen to, once somebody waits. */
  tune(channel: string): { close(): Promise<void> };
  channel(): string | undefined;
  /** How often it rang. */
  count(): number;
  /** Until it rings again after that many times, or the time is up; `ms` at most. */
  wait(ms: number, signal: AbortSignal, since: number): Promise<void>;
  close(): void;
}

/** Between two looks at most, with and without news. */
const BACKSTOP_MS = 1_000;
const DEAF_MS = 100;

export function openPgBell(database: PgDatabase): PgBell {
  const waiting = new Set<() => void>();
  let tuned: string | undefined;
  let client: PgListener | undefined;
  let isOpening = false;
  let isClosed = false;
  let rung = 0;
  const ring = () => {
    rung++;
    for (const wake of [...waiting]) wake();
  };
  const listen = async (channel: string) => {
    isOpening = true;
    let opened: PgListener | undefined;
    try {
      opened = await database.connect();
      opened.on('notification', ring);
      opened.on('end', () => {
        client = undefined;
        ring();
      });
      await opened.query(`LISTEN "${channel.replaceAll('"', '')}"`);
      if (!isClosed) client = opened;
      // What was told before we listened is lost: whoever waits looks once more.
      ring();
    } catch {
      // Whoever waits next tries again; until then it is looked at more often.
    } finally {
      isOpening = false;
      // Closed meanwhile, or it cannot listen: a connection nobody knows of keeps the process from ending.
      if (client !== opened) await opened?.end().catch(() => {});
    }
  };
  return {
    tune(channel) {
      tuned = channel;
      return { close: async () => {} };
    },
    channel: () => tuned,
    count: () => rung,
    wait(ms, signal, since) {
      if (rung !== since || isClosed) return Promise.resolve();
      if (tuned !== undefined && !client && !isOpening && !isClosed) void listen(tuned);
      return waitOnce(waiting, Math.min(ms, client ? BACKSTOP_MS : DEAF_MS), signal);
    },
    close() {
      isClosed = true;
      ring();
      // Whoever closes the database cuts it off, should the server not answer.
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
