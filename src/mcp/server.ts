// One server of the SDK: who it is, what it can, and which of our functions answers which request, for clients of both eras.
import { type McpRequestContext, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { VERSION } from '../base/version.ts';
import { clientOf } from './client.ts';
import type { McpSession } from './session.ts';
import { answerCall, listTools } from './tools.ts';

export function createServer(session: McpSession, { era }: Pick<McpRequestContext, 'era'>): McpServer {
  const { instructions } = session;
  const mcp = new McpServer(IDENTITY, { capabilities: { tools: {} }, instructions });
  const { server } = mcp;
  // Not registered one by one: the schemas of the tools are JSON Schemas already, and who asks decides which are offered.
  server.setRequestHandler('tools/list', () => ({ tools: listTools(session) }));
  server.setRequestHandler('tools/call', ({ params }, context: ServerContext) =>
    answerCall(params, { client: clientOf(server, context, era), context }, session),
  );
  return mcp;
}

const IDENTITY = {
  name: 'skillwright',
  title: 'Skillwright',
  version: VERSION,
};
