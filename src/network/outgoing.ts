// A connection to a checked address: bytes come in through a ring of large buffers, which no stream copies again.
import type { LookupAddress } from 'node:dns';
import { connect, type Socket } from 'node:net';

const BUFFER_BYTES = 256 * 1024;
/** Reading goes on while this many are being written to the other side. */
const BUFFERS = 4;

export interface Outgoing {
  readonly socket: Socket;
  /** Everything that arrives, in order; `done` gives the bytes back. */
  onBytes: (bytes: Buffer, done: () => void) => void;
}

export type Peer = { readonly addresses: readonly LookupAddress[]; readonly port: number };

/** Undefined where none of the addresses answers in time. The name is not looked up again. */
export async function connectOut({ addresses, port }: Peer, milliseconds: number): Promise<Outgoing | undefined> {
  const deadline = Date.now() + milliseconds;
  for (const [index, { address, family }] of addresses.entries()) {
    const left = deadline - Date.now();
    if (left <= 0) return undefined;
    // Later addresses get their turn, though the first one swallows everything.
    const share = index + 1 < addresses.length ? Math.min(left, Math.max(1000, milliseconds / addresses.length)) : left;
    const outgoing = await connectOne({ host: address, family, port }, share);
    if (outgoing) return outgoing;
  }
  return undefined;
}

function connectOne(
  target: { readonly host: string; readonly family: number; readonly port: number },
  milliseconds: number,
): Promise<Outgoing | undefined> {
  const { promise, resolve } = Promise.withResolvers<Outgoing | undefined>();
  const ring = new Ring(() => socket.resume());
  const socket = connect({
    ...target,
    allowHalfOpen: true,
    noDelay: true,
    onread: {
      buffer: () => ring.next(),
      callback: (count, buffer) => {
        outgoing.onBytes(Buffer.from(buffer.buffer, buffer.byteOffset, count), ring.lend(buffer));
        return !ring.isFull();
      },
    },
  });
  const outgoing: Outgoing = { socket, onBytes: (_, done) => done() };
  const timer = setTimeout(() => socket.destroy(), milliseconds);
  socket.once('connect', () => {
    clearTimeout(timer);
    // Until somebody listens.
    socket.pause();
    resolve(outgoing);
  });
  socket.once('close', () => {
    clearTimeout(timer);
    resolve(undefined);
  });
  socket.on('error', () => {});
  return promise;
}

class Ring {
  readonly #free: Uint8Array[] = [];
  readonly #onFree: () => void;
  #lent = 0;

  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }

  next(): Uint8Array {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
  }

  lend(buffer: Uint8Array): () => void {
    this.#lent++;
    return () => {
      this.#free.push(buffer);
      const wasFull = this.isFull();
      this.#lent--;
      if (wasFull) this.#onFree();
    };
  }

  isFull(): boolean {
    return this.#lent >= BUFFERS;
  }
}
