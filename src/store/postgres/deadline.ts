// After stop, each query gets a deadline of 2 s, so that graceful shutdown never waits for an unreachable server.
import { Socket } from 'node:net';

export interface ConnectionDeadline {
  /** For the driver: every connection is opened here. */
  readonly openSocket: () => Socket;
  /** Starts one query with its retries; `end` must be called when it is answered or given up. */
  begin(): PendingQuery;
  cut(): void;
}

interface PendingQuery {
  /** Aborted when the deadline has passed. */
  readonly late: AbortSignal;
  end(): void;
}

/** The deadline of a query after stop; the second one applies once a query timed out. */
const AFTER_STOP_MS = 2_000;
const AFTER_TIMEOUT_MS = 300;

export function openConnectionDeadline(stop: AbortSignal | undefined): ConnectionDeadline {
  const sockets = new Set<Socket>();
  const pending = new Set<() => void>();
  let limitMs = AFTER_STOP_MS;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  stop?.addEventListener('abort', () => pending.forEach((startTimer) => void startTimer()), { once: true });
  return {
    openSocket() {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
    begin() {
      const late = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const startTimer = () => {
        timer = setTimeout(() => {
          limitMs = Math.min(limitMs, AFTER_TIMEOUT_MS);
          late.abort();
          // Other queries on the same connection retry over a new one.
          cut();
        }, limitMs);
      };
      if (stop?.aborted) startTimer();
      else if (stop) pending.add(startTimer);
      return {
        late: late.signal,
        end() {
          clearTimeout(timer);
          pending.delete(startTimer);
        },
      };
    },
    cut,
  };
}
