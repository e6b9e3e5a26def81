// `skillwright mcp` on stdio: one connection, one run with one layer, until the client leaves or a signal comes.
import type { McpServer, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { openSkillwright } from '../app/library/open.ts';
import type { McpOrder, McpServed } from '../app/serve/mcp-order.ts';
import { visible } from '../base/text.ts';
import { noticeChanges, tellServers } from './notice.ts';
import { createServer } from './server.ts';
import { openSession } from './session.ts';

/** Throws a Fault for a role or a skill that is not there, before anything is read or written. */
export async function serveMcp(order: McpOrder): Promise<McpServed> {
  return await serveOver(new StdioServerTransport(), order);
}

export async function serveOver(transport: Transport, order: McpOrder): Promise<McpServed> {
  const { project, home, env, language, readOnly, log } = order;
  await using sw = await openSkillwright({
    ...{ project, home, env, language },
    ...(readOnly && { policy: { default: 'deny' } }),
  });
  const session = await openSession(sw, order, false);
  const servers = new Set<McpServer>();
  const serving = serveStdio(
    ({ era }) => {
      const server = createServer(session, era, log);
      servers.add(server);
      return server;
    },
    { transport, onerror: (error) => log(visible(error.message)) },
  );
  const stopNoticing = noticeChanges(session, () => tellServers(servers));
  await untilClosed(transport, order.stop);
  stopNoticing();
  await serving.close();
  session.close();
  return { calls: session.calls() };
}

/** The SDK has set its own `onclose` by now. */
async function untilClosed(transport: Transport, stop: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  if (stop.aborted) resolve();
  stop.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}
