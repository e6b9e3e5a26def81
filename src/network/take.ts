// Reads the beginning of what a peer sends until it is understood; what follows stays in the stream.
import type { Socket } from 'node:net';

export interface Taken<T> {
  readonly value: T;
  /** How many of the bytes belong to it. */
  readonly length: number;
}

export interface TakeBounds {
  readonly milliseconds: number;
  readonly bytes: number;
}

/** Undefined where the peer ended, was silent for too long, or sent too much. The socket is paused afterwards. */
export function takeFrom<T>(
  socket: Socket,
  parse: (bytes: Buffer) => Taken<T> | undefined,
  bounds: TakeBounds,
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  let held: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => settle(undefined), bounds.milliseconds);
  const end = () => settle(undefined);
  const settle = (taken: Taken<T> | undefined) => {
    clearTimeout(timer);
    socket.pause();
    socket.off('data', add).off('end', end).off('close', end);
    const rest = taken ? held.subarray(taken.length) : held;
    if (rest.length > 0 && !socket.destroyed && !socket.readableEnded) socket.unshift(rest);
    resolve(taken?.value);
  };
  const add = (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const taken = parse(held);
    if (taken || held.length > bounds.bytes) settle(taken);
  };
  socket.on('data', add).once('end', end).once('close', end);
  if (socket.destroyed || socket.readableEnded) end();
  else socket.resume();
  return promise;
}
