// A server on this machine that counts who comes, and can send them elsewhere.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listener extends AsyncDisposable {
  readonly origin: string;
  /** What was asked for, in order. */
  readonly arrived: readonly string[];
}

export async function listen(redirect: (url: string) => string | undefined): Promise<Listener> {
  const arrived: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    arrived.push(url);
    const location = redirect(url);
    response.writeHead(location === undefined ? 404 : 307, location === undefined ? {} : { location }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    arrived,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
