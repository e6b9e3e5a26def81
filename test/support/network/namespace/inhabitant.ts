// A process that lives in a network namespace of a test: lays out its addresses, serves them, and tells who came.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import type { SelfSigned } from '../../server/self-signed.ts';
import { type NameServer, serveNames, type Zone } from './dns.ts';

export type InhabitantOrder =
  | { readonly do: 'run'; readonly commands: readonly (readonly [program: string, ...words: string[]])[] }
  | { readonly do: 'serve'; readonly addresses: readonly string[]; readonly tls: SelfSigned }
  | { readonly do: 'listen'; readonly abstract: string }
  | { readonly do: 'names'; readonly address: string; readonly zone: Zone }
  | { readonly do: 'tell' };

export interface Arrival {
  /** The address that was reached. */
  readonly at: string;
  readonly host: string;
  readonly url: string;
}

export interface Told {
  readonly arrived: readonly Arrival[];
  readonly asked: readonly string[];
}

export const ABSTRACT = 'abstract';
const arrived: Arrival[] = [];
let names: NameServer = { asked: [] };

async function follow(order: InhabitantOrder): Promise<Told | undefined> {
  switch (order.do) {
    case 'run':
      for (const [program, ...words] of order.commands) execFileSync(program, words, { stdio: 'pipe' });
      return undefined;
    case 'serve':
      await Promise.all(order.addresses.map((address) => serve(address, order.tls)));
      return undefined;
    case 'listen': {
      const server = createServer((socket) => {
        arrived.push({ at: ABSTRACT, host: '', url: '' });
        socket.on('error', () => {}).end('page');
      });
      return await new Promise((resolve) => server.listen(`\0${order.abstract}`, () => resolve(undefined)));
    }
    case 'names':
      names = await serveNames(order.address, order.zone);
      return undefined;
    case 'tell':
      return { arrived: arrived.splice(0), asked: (names.asked as string[]).splice(0) };
  }
}

async function serve(address: string, tls: SelfSigned): Promise<void> {
  const listener: RequestListener = (request, response) => {
    arrived.push({ at: address, host: request.headers.host ?? '', url: request.url ?? '' });
    answer(request, response);
  };
  const servers = [
    createHttpServer(listener).listen(80, address),
    createHttpsServer(tls, listener).listen(443, address),
  ];
  // Whoever only knocks has arrived as well.
  for (const server of servers) {
    server.on('connection', (socket) => {
      socket.on('error', () => {});
      arrived.push({ at: address, host: '', url: '' });
    });
  }
  await Promise.all(servers.map((server) => once(server, 'listening')));
}

/** A page, a repository as git asks for it, a way to somewhere else, and what bad servers do. */
const answer: RequestListener = (request, response) => {
  const { url = '' } = request;
  request.resume();
  const [, host, rest = ''] = /^\/to\/([^/]+)(\/.*)?$/.exec(url) ?? [];
  if (host !== undefined) return response.writeHead(302, { location: `http://${host}${rest}` }).end();
  if (url.startsWith('/slow')) return response.writeHead(200, { 'content-length': '9' }).write('pa');
  if (url.startsWith('/reset')) return request.socket.resetAndDestroy();
  if (url.startsWith('/headers')) return response.writeHead(200, { 'x-long': 'x'.repeat(1 << 20) }).end('page');
  if (url.startsWith('/endless')) {
    const flood = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', flood);
    return flood();
  }
  return response.end(url.includes('/info/refs') ? `${'1'.repeat(40)}\trefs/heads/main\n` : 'page');
};

if (import.meta.main) {
  const [, , outside = ''] = process.argv;
  // Never in the namespace that the machine itself is reached by.
  if (readlinkSync('/proc/self/ns/net') === outside) throw new Error('this is not a network namespace of the test');
  process.on('disconnect', () => process.exit(0));
  process.on('message', (order: InhabitantOrder) => {
    follow(order).then(
      (told) => process.send?.({ done: told ?? {} }),
      (error: Error) => process.send?.({ failed: error.message }),
    );
  });
  process.send?.({ done: {} });
}
