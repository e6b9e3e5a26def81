// Skills come, go and change while a client is connected: it is told which of its lists are old.
import type { McpServer } from '@modelcontextprotocol/server';
import type { McpSession } from './session.ts';

const EVERY_MS = 2000;

/** Until it is called off. */
export function noticeChanges(session: McpSession, servers: ReadonlySet<McpServer>): () => void {
  const lists = () => JSON.stringify(session.files.heads());
  let told = lists();
  const timer = setInterval(() => {
    const now = lists();
    if (now === told) return;
    told = now;
    for (const mcp of servers) tell(mcp);
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}

function tell(mcp: McpServer): void {
  if (!mcp.isConnected()) return;
  mcp.sendToolListChanged();
  mcp.sendPromptListChanged();
  mcp.sendResourceListChanged();
}
