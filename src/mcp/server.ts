// One server of the SDK: who it is, what it can, and which of our functions answers which request, for clients of both eras.
import { type McpRequestContext, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { visible } from '../base/text.ts';
import { VERSION } from '../base/version.ts';
import { clientOf } from './client.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import type { McpSession } from './session.ts';
import { skillSource } from './skill/source.ts';
import { answerCall, listTools } from './tools.ts';

/** How long a client may go without asking again. */
const FRESH_MS = 5000;

export function createServer(
  session: McpSession,
  era: McpRequestContext['era'],
  log: (line: string) => void,
): McpServer {
  const { instructions } = session;
  const capabilities = { tools: {}, prompts: {}, resources: {} };
  const mcp = new McpServer(IDENTITY, { capabilities, instructions });
  const { server } = mcp;
  const asking = (context: ServerContext) => clientOf(server, context, era);
  new SkillsExtension({
    source: skillSource(session.files, (context) => session.filesFor(asking(context).name)),
    cacheHint: { ttlMs: FRESH_MS, cacheScope: 'private' },
    onWarning: ({ path, message }) => log(`${visible(path)}: ${visible(message)}`),
  }).attach(mcp);
  // Not registered one by one: the schemas of the tools are JSON Schemas already, and who asks decides which are offered.
  server.setRequestHandler('tools/list', async (_, context) => ({ tools: await listTools(asking(context), session) }));
  server.setRequestHandler('tools/call', ({ params }, context) =>
    answerCall(params, { client: asking(context), context }, session),
  );
  server.setRequestHandler('prompts/list', async () => ({ prompts: await listPrompts(session) }));
  server.setRequestHandler('prompts/get', ({ params }, context) => getPrompt(params, asking(context).name, session));
  return mcp;
}

const IDENTITY = {
  name: 'skillwright',
  title: 'Skillwright',
  version: VERSION,
};
