// How other agents are connected to `skillwright mcp`: the file of the project in which each looks, and what it says there.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readTextIfThere } from '../../base/read-file.ts';

export const CONNECTED_AGENTS = ['claude-code', 'codex', 'vscode', 'cursor'] as const;
export type ConnectedAgent = (typeof CONNECTED_AGENTS)[number];

export interface AgentConnection {
  readonly agent: ConnectedAgent;
  /** Below the project. */
  readonly file: string;
  readonly text: string;
}

const COMMAND = 'skillwright';

/** Editors start servers wherever they please, so they are told the project: by a variable of theirs. */
const IN_EDITOR = ['mcp', '--project', ['$', '{workspaceFolder}'].join('')];

const CONNECTIONS: Readonly<Record<ConnectedAgent, Omit<AgentConnection, 'agent'>>> = {
  'claude-code': { file: '.mcp.json', text: inJson({ mcpServers: serverOf({ args: ['mcp'] }) }) },
  codex: { file: '.codex/config.toml', text: `[mcp_servers.${COMMAND}]\ncommand = "${COMMAND}"\nargs = ["mcp"]\n` },
  vscode: { file: '.vscode/mcp.json', text: inJson({ servers: serverOf({ type: 'stdio', args: IN_EDITOR }) }) },
  cursor: { file: '.cursor/mcp.json', text: inJson({ mcpServers: serverOf({ args: IN_EDITOR }) }) },
};

export function connectionOf(agent: ConnectedAgent): AgentConnection {
  return { agent, ...CONNECTIONS[agent] };
}

/** The file is there and names other servers only: whoever wrote it adds the lines. */
export function isByHand({ file }: AgentConnection, project: string): boolean {
  const written = path.join(project, file);
  return existsSync(written) && !(readTextIfThere(written) ?? '').includes(COMMAND);
}

function serverOf({ type, args }: { readonly type?: string; readonly args: readonly string[] }) {
  return { [COMMAND]: { ...(type !== undefined && { type }), command: COMMAND, args } };
}

function inJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
