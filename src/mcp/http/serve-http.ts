// `skillwright mcp --http`: the same server for programs of this machine that have the token, one request at a time.
import { type IncomingMessage, createServer as listenOn, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { openSkillwright } from '../../app/library/open.ts';
import type { McpHttpOrder, McpServed } from '../../app/serve/mcp-order.ts';
import { Fault } from '../../base/errors.ts';
import { errorCode } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { sendWebResponse, toWebRequest } from '../../serve/bridge.ts';
import { refuseRequest } from '../../serve/guard.ts';
import { ownToken } from '../../serve/token.ts';
import { noticeChanges } from '../notice.ts';
import { createServer } from '../server.ts';
import { openSession } from '../session.ts';
import { type Connections, limitConnections } from './connections.ts';

const LOOPBACK = '127.0.0.1';
const PATH = '/mcp';
const LIMITS = { connections: 512, bodyBytes: 4 * 1024 * 1024, headMs: 10_000, bodyMs: 60_000 };

/** Throws a Fault for a role or a skill that is not there, for a token that others can read, and for a port that is taken. */
export async function serveMcpOverHttp(order: McpHttpOrder): Promise<McpServed> {
  const { project, home, env, language, readOnly, log } = order;
  await using sw = await openSkillwright({
    ...{ project, home, env, language },
    ...(readOnly && { policy: { default: 'deny' } }),
  });
  const session = await openSession(sw, order, true);
  const tokenFile = path.join(home, '.agent', 'mcp', 'token');
  const token = ownToken(tokenFile);
  const handler = createMcpHandler(({ era }) => createServer(session, era, log), {
    maxRequestBodySize: LIMITS.bodyBytes,
    onerror: (error) => log(visible(error.message)),
  });
  const server = listenOn({ headersTimeout: LIMITS.headMs, requestTimeout: LIMITS.bodyMs }, (request, response) => {
    const { trust } = connections;
    void answer(request, response, { port: portOf(server), token, trust, handle: handler.fetch });
  });
  const connections = limitConnections(server, LIMITS.connections);
  await listen(server, order.port);
  order.ready({ address: `http://${LOOPBACK}:${portOf(server)}${PATH}`, tokenFile });
  const stopNoticing = noticeChanges(session, () => {
    handler.notify.toolsChanged();
    handler.notify.promptsChanged();
    handler.notify.resourcesChanged();
  });
  await until(order.stop);
  stopNoticing();
  server.closeAllConnections();
  server.close();
  await handler.close();
  session.close();
  return { calls: session.calls() };
}

interface Answering {
  readonly port: number;
  readonly token: string;
  readonly trust: Connections['trust'];
  readonly handle: (request: Request) => Promise<Response>;
}

async function answer(request: IncomingMessage, response: ServerResponse, by: Answering): Promise<void> {
  const { host, origin, authorization, 'sec-fetch-site': site } = request.headers;
  const isDoubled = request.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length !== 1;
  const refused = refuseRequest(
    { host: isDoubled ? undefined : host, origin, authorization, site: site?.toString() },
    by,
  );
  if (refused) return refuse(response, refused.status, refused.why);
  by.trust(request.socket);
  if (request.url !== PATH) return refuse(response, 404, `only ${PATH} is served`);
  try {
    await sendWebResponse(await by.handle(toWebRequest(request, response)), response);
  } catch {
    if (response.headersSent) response.destroy();
    else refuse(response, 400, 'the request cannot be read');
  }
}

/** Without a word about who may ask across origins: nobody may. */
function refuse(response: ServerResponse, status: number, why: string): void {
  const challenge = status === 401 && { 'www-authenticate': 'Bearer' };
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...challenge });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: why } }));
}

async function listen(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  try {
    server.once('error', reject).listen(port, LOOPBACK, resolve);
    await promise;
  } catch (error) {
    throw portRefused(port, error);
  }
}

function portRefused(port: number, cause: unknown): Fault {
  const code = errorCode(cause);
  if (code !== 'EADDRINUSE') return new Fault('Usage', `--port ${port}: ${code ?? String(cause)}`, { cause });
  const detail = { en: `port ${port} is taken by another program`, zh: `端口 ${port} 已被其他程序占用` };
  const hint = {
    en: 'Give another one with --port; 0 takes one that is free.',
    zh: '请用 --port 指定其他端口；0 表示任选一个空闲端口。',
  };
  return new Fault('Usage', detail, { cause, hint });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function until(stop: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (stop.aborted) resolve();
  stop.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}
