// The line to the server while this process ends: whoever was told to stop does not wait for a server that is away.
import { Socket } from 'node:net';

export interface ConnectionDeadline {
  /** For the driver: every connection goes through here. */
  readonly openSocket: () => Socket;
  /** One word to the server; to be ended when it was answered or given up. */
  begin(): Word;
  cut(): void;
}

interface Word {
  /** Aborted when nobody waits for the answer any longer. */
  readonly late: AbortSignal;
  end(): void;
}

/** After the stop, a word has this long; and this long, once the server left one without an answer. */
const HURRY_MS = 2_000;
const GIVEN_UP_MS = 300;

export function openLine(stop: AbortSignal | undefined, hurryMs = HURRY_MS): ConnectionDeadline {
  const sockets = new Set<Socket>();
  const words = new Set<() => void>();
  let patience = hurryMs;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  stop?.addEventListener('abort', () => words.forEach((hurry) => void hurry()), { once: true });
  return {
    openSocket() {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
    begin() {
      const late = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const hurry = () => {
        timer = setTimeout(() => {
          patience = Math.min(patience, GIVEN_UP_MS);
          late.abort();
          // Others that are cut off with it ask again, over a new connection.
          cut();
        }, patience);
      };
      if (stop?.aborted) hurry();
      else if (stop) words.add(hurry);
      return {
        late: late.signal,
        end() {
          clearTimeout(timer);
          words.delete(hurry);
        },
      };
    },
    cut,
  };
}
