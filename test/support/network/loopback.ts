// Servers on loopback for tests of the proxy, and a proxy in front of them that every client can be pointed at.
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { HostAttempt } from '../../../src/network/attempt.ts';
import { openProxy, type ProxyOptions } from '../../../src/network/proxy.ts';
import { type SelfSigned, selfSigned } from '../server/self-signed.ts';

export interface LoopbackServer {
  readonly port: number;
  readonly requests: IncomingMessage[];
}

export const hello: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end(`hello ${request.headers.host}${request.url}\n`));
};

export async function serveHttp(
  t: TestContext,
  address: string,
  { answer = hello, port = 0, tls }: { answer?: RequestListener; port?: number; tls?: SelfSigned } = {},
): Promise<LoopbackServer> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    answer(request, response);
  };
  const server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener);
  t.after(() => server.closeAllConnections());
  return { port: await listen(t, server, address, port), requests };
}

export async function serveRaw(t: TestContext, address: string, answer: (socket: Socket) => void, port = 0) {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket.on('error', () => {}));
    answer(socket);
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { port: await listen(t, server, address, port), sockets };
}

export function listen(t: TestContext, server: Server, address: string, port = 0): Promise<number> {
  t.after(() => void server.close());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => resolve((server.address() as AddressInfo).port));
  });
}

export interface TestProxy {
  readonly port: number;
  readonly attempts: readonly HostAttempt[];
  /** In short: `host:port verdict reason`. */
  said(): string[];
  close(): Promise<void>;
}

export async function serveProxy(t: TestContext, options: Omit<ProxyOptions, 'record'>): Promise<TestProxy> {
  const attempts: HostAttempt[] = [];
  const proxy = openProxy({ ...options, record: (attempt) => void attempts.push(attempt) });
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => proxy.accept(socket));
  t.after(() => proxy.close());
  const port = await listen(t, server, '127.0.0.1');
  return { port, attempts, said: () => attempts.map(inShort), close: () => proxy.close() };
}

export function inShort(attempt: HostAttempt): string {
  const { host, port, verdict } = attempt;
  return [`${host}:${port}`, verdict, ...('reason' in attempt ? [attempt.reason] : [])].join(' ');
}

/** Everything the peer sends after `sent`, until it closes. */
export function exchange(port: number, sent: string | Buffer, { half = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const end = () => resolve(Buffer.concat(chunks).toString('latin1'));
    socket.on('error', end).on('close', end);
    socket.on('end', () => socket.end());
    if (half) socket.end(sent);
    else socket.write(sent);
  });
}

/** A socket that a proxy has connected, with what it answered. */
export function connectThrough(port: number, authority: string): Promise<{ socket: Socket; head: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('error', reject);
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    socket.once('data', (chunk: Buffer) => resolve({ socket, head: chunk.toString('latin1') }));
  });
}

export const certified = (...hosts: string[]): SelfSigned => selfSigned(hosts);
