// Who is on the other side and what it can, told once by clients of 2025 and with every request by those of 2026.
import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { isRecord } from '../base/json.ts';
import { visible } from '../base/text.ts';

const NAME_LIMIT = 80;

/** As the record names it. */
export function clientName(server: McpServer['server'], { mcpReq }: ServerContext): string {
  const info = told(mcpReq.envelope, CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  const name = isRecord(info) && typeof info.name === 'string' ? info.name : 'unknown';
  return `mcp:${visible(name).slice(0, NAME_LIMIT)}`;
}

function told(envelope: object | undefined, key: string): unknown {
  return isRecord(envelope) ? envelope[key] : undefined;
}
