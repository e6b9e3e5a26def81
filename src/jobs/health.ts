// The health endpoint of scheduler and workers. It listens on loopback only and changes nothing.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault } from '../base/errors.ts';
import { errorCode } from '../base/read-file.ts';

export interface Health {
  readonly ok: boolean;
  readonly facts: Readonly<Record<string, unknown>>;
}

interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

export async function serveHealth(port: number, look: () => Promise<Health>): Promise<HealthServer> {
  // Importing it would load `fetch`, too: 15 MB in every worker, which also slows each process start.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer((request, response) => void answer(request, response, look));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, HOST, resolve);
  try {
    await promise;
  } catch (error) {
    throw new Fault('Usage', `--health ${port}: ${errorCode(error) ?? String(error)}`, { cause: error });
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, look: () => Promise<Health>): Promise<void> {
  if (!isForUs(request)) return void response.writeHead(403).end();
  if (request.url !== '/health') return void response.writeHead(404).end();
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return void response.writeHead(405, { allow: 'GET' }).end();
  const { ok, facts } = await look().catch((error: unknown): Health => {
    return { ok: false, facts: { error: error instanceof Error ? error.message : String(error) } };
  });
  response.writeHead(ok ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify({ status: ok ? 'ok' : 'unwell', ...facts })}\n`);
}

/** A web page in a browser on this machine may send requests here, but not with this Host header (DNS rebinding). */
function isForUs({ headers }: IncomingMessage): boolean {
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(headers.host ?? '');
}
