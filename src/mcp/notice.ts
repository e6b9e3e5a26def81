// Skills come, go and change while clients are there: they are told that their lists are old.
import type { McpServer } from '@modelcontextprotocol/server';
import type { McpSession } from './session.ts';

const EVERY_MS = 2000;
/** Looking at thousands of skills takes a while: an idle server spends one part in so many of its time on it. */
const PART = 50;

/** Until it is called off. */
export function noticeChanges({ files }: McpSession, tell: () => void): () => void {
  const lists = () => JSON.stringify(files.heads());
  let told = lists();
  let timer: NodeJS.Timeout;
  const look = () => {
    const began = performance.now();
    try {
      const now = lists();
      if (now !== told) tell();
      told = now;
    } catch {
      // Folders that cannot be read now are looked at again; whoever asks for a skill meanwhile is told why.
    }
    waitFor(PART * (performance.now() - began));
  };
  const waitFor = (ms: number) => {
    timer = setTimeout(look, Math.max(EVERY_MS, ms)).unref();
  };
  waitFor(EVERY_MS);
  return () => clearTimeout(timer);
}

export function tellServers(servers: ReadonlySet<McpServer>): void {
  for (const mcp of servers) {
    if (!mcp.isConnected()) continue;
    mcp.sendToolListChanged();
    mcp.sendPromptListChanged();
    mcp.sendResourceListChanged();
  }
}
