// `server_tool`: a tool of a server that somebody else wrote, called by the door.
import { namedWords, type Tool } from './tool.ts';

export const serverTool: Tool<'server_tool'> = {
  name: 'server_tool',
  aliases: ['mcp_tool', 'call_mcp_tool', 'use_mcp_tool'],
  risk: 'high',
  about: 'server',
  asksWith: 'run_script',
  paths: [],
  view: namedWords,
};

/** What a name stands for: all tools of a server, where it names none. */
export interface NamedServerTool {
  readonly server: string;
  readonly tool?: string;
}

/** `mcp:server/tool` as it is written here, `mcp__server__tool` as other agents write it. */
export function readServerToolName(name: string): NamedServerTool | undefined {
  const [, server, tool] = /^mcp:([a-z0-9-]+)(?:\/(.+))?$/.exec(name) ?? /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? [];
  if (server === undefined) return undefined;
  const all = tool === undefined || tool === '*';
  // Names of servers have no underscore here.
  return { server: server.toLowerCase().replaceAll('_', '-'), ...(!all && { tool }) };
}

/** As patterns and grants name it. */
export function remoteName({ server, tool = '*' }: NamedServerTool): string {
  return `${server}/${tool}`;
}
