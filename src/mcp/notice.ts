// Skills come, go and change while clients are there: they are told that their lists are old.
import type { McpServer } from '@modelcontextprotocol/server';
import type { McpSession } from './session.ts';

const EVERY_MS = 2000;

/** Until it is called off. */
export function noticeChanges({ files }: McpSession, tell: () => void): () => void {
  const lists = () => JSON.stringify(files.heads());
  let told = lists();
  const timer = setInterval(() => {
    const now = lists();
    if (now === told) return;
    told = now;
    tell();
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}

export function tellServers(servers: ReadonlySet<McpServer>): void {
  for (const mcp of servers) {
    if (!mcp.isConnected()) continue;
    mcp.sendToolListChanged();
    mcp.sendPromptListChanged();
    mcp.sendResourceListChanged();
  }
}
