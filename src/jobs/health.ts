// The health endpoint of scheduler and workers. It listens on loopback unless told otherwise, and changes nothing.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault } from '../base/errors.ts';
import { errorCode } from '../base/read-file.ts';

export interface Health {
  /** Degraded: it works, but something cannot run. Unwell: nothing is begun. */
  readonly status: 'ok' | 'degraded' | 'unwell';
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface HealthAddress {
  /** Loopback unless given. */
  readonly host?: string | undefined;
  /** 0 for any free one. */
  readonly port: number;
}

interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

export async function serveHealth(
  { host = LOOPBACK, port }: HealthAddress,
  look: () => Promise<Health>,
): Promise<HealthServer> {
  // Importing it would load `fetch`, too: 15 MB in every worker, which also slows each process start.
  const { createServer } = process.getBuiltinModule('node:http');
  const isLocal = LOCAL.test(host);
  const server = createServer((request, response) => {
    if (isLocal && !isForUs(request)) return void response.writeHead(403).end();
    void answer(request, response, look);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  try {
    server.once('error', reject).listen(port, host, resolve);
    await promise;
  } catch (error) {
    throw new Fault('Usage', `--health ${host}:${port}: ${errorCode(error) ?? String(error)}`, { cause: error });
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
  if (request.url !== '/health') return void response.writeHead(404).end();
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return void response.writeHead(405, { allow: 'GET' }).end();
  const { status, facts } = await look().catch((error: unknown): Health => {
    return { status: 'unwell', facts: { error: error instanceof Error ? error.message : String(error) } };
  });
  // A restart mends nothing that degrades it, so a probe that restarts on failure must not see one.
  const code = status === 'unwell' ? 503 : 200;
  response.writeHead(code, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify({ status, ...facts })}\n`);
}

const LOCAL = /^(?:127\.|localhost$|::1$)/;

/** A web page in a browser on this machine may send requests here, but not with this Host header (DNS rebinding). */
function isForUs({ headers }: IncomingMessage): boolean {
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(headers.host ?? '');
}
