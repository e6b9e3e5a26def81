// One server of the SDK: who it is, what it can, and which of our functions answers which request, for clients of both eras.
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { VERSION } from '../base/version.ts';
import { clientName } from './client.ts';
import type { McpSession } from './session.ts';
import { answerCall, listTools } from './tools.ts';

export function createServer(session: McpSession): McpServer {
  const { instructions } = session;
  const mcp = new McpServer(IDENTITY, { capabilities: { tools: {} }, instructions });
  const { server } = mcp;
  // Not registered one by one: the schemas of the tools are JSON Schemas already, and who asks decides which are offered.
  server.setRequestHandler('tools/list', () => ({ tools: listTools(session) }));
  server.setRequestHandler('tools/call', ({ params }, context: ServerContext) =>
    answerCall(params, { client: clientName(server, context), context }, session),
  );
  return mcp;
}

const IDENTITY = {
  name: 'skillwright',
  title: 'Skillwright',
  version: VERSION,
};
