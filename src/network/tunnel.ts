// Passes bytes between a program and a host until both are done, counts them, and can be cut.
import type { Socket } from 'node:net';
import type { BodyBound } from './body.ts';
import type { Outgoing } from './outgoing.ts';
import type { RequestJudge } from './tunnelled-http.ts';

export interface TunnelOptions {
  /** Of bytes that pass; false where the call has had its share, and the tunnel is cut. */
  readonly count: (direction: 'sent' | 'received', bytes: number) => boolean;
  readonly idleMs: number;
  /** Looks at the first bytes of the program, and leaves them; false: none is passed on. Some servers speak first. */
  readonly inspect?: () => Promise<boolean>;
  /** Of what the program sends, only this is passed on; the rest is dropped. */
  readonly body?: BodyBound;
  /** Sees everything that passes; where it says no, nothing more does. */
  readonly judge?: Pick<RequestJudge, 'mayPass' | 'hear'>;
}

/** Settles when both sides are closed. */
export async function tunnel(client: Socket, outgoing: Outgoing, options: TunnelOptions): Promise<void> {
  const { socket: server } = outgoing;
  const cut = () => {
    client.destroy();
    server.destroy();
  };
  for (const side of [client, server]) {
    side.setTimeout(options.idleMs, cut);
    // A side that broke off has nothing more to say, and nobody to say it to.
    side.once('error', cut);
  }
  client.once('close', () => server.destroy());
  passBack(client, outgoing, options, cut);
  if (options.inspect && !(await options.inspect())) cut();
  else passOn(client, server, options, cut);
  await Promise.all([closed(client), closed(server)]);
}

function passBack(client: Socket, outgoing: Outgoing, { count, judge }: TunnelOptions, cut: () => void): void {
  const { socket: server } = outgoing;
  outgoing.onBytes = (bytes, done) => {
    judge?.hear(bytes);
    if (client.writable && count('received', bytes.length)) client.write(bytes, done);
    else cut();
  };
  server.once('end', () => client.end());
  server.once('close', () => client.end());
  server.resume();
}

function passOn(client: Socket, server: Socket, { count, body, judge }: TunnelOptions, cut: () => void): void {
  client.on('data', (chunk: Buffer) => {
    const length = body ? body(chunk) : chunk.length;
    if (length === 'broken') return cut();
    const passed = chunk.subarray(0, length);
    if (judge?.mayPass(chunk) === false) return cut();
    if (passed.length === 0 || !server.writable) return;
    if (!count('sent', passed.length)) return cut();
    if (!server.write(passed)) client.pause();
  });
  server.on('drain', () => client.resume());
  // A plain request is complete without it, and some servers take it for a lost interest in their answer.
  const end = () => (body === undefined ? server.end() : undefined);
  if (client.readableEnded) end();
  client.once('end', end);
  client.resume();
}

function closed(socket: Socket): Promise<void> {
  return socket.closed ? Promise.resolve() : new Promise((resolve) => void socket.once('close', () => resolve()));
}
