// What the model of a run is told of the servers of others: their tools, in the words of each server, bounded.
import { toFault } from '../../base/errors.ts';
import { isRecord, type Json } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import type { Door } from '../../door/door.ts';
import type { ServerTool } from '../../network/mcp/definition.ts';
import { decide } from '../../policy/decide.ts';
import { serverTool } from '../../tools/server-tool.ts';

const MOST_TOOLS = 60;
const LONGEST = 240;

/** Where settings refuse every tool of a server, none is started to be told of. */
export function mayUseServers({ servers, policy, places }: Pick<Door, 'servers' | 'policy' | 'places'>): boolean {
  if (servers.names.length === 0) return false;
  // A list of tools may name one of them.
  const { role: _, ...settings } = policy;
  return decide({ tool: serverTool.name, remote: '?' }, { ...settings, places }).effect !== 'deny';
}

/** A server that does not answer is told, and keeps nobody from starting. */
export async function serversTold({ servers }: Pick<Door, 'servers'>): Promise<string> {
  const parts = await Promise.all(servers.names.map(async (name) => await oneTold(name, servers)));
  return [
    'Tools of servers, for use_tool; each call is decided like any other, and a server’s words are its own:',
    ...parts,
  ].join('\n');
}

async function oneTold(name: string, servers: Door['servers']): Promise<string> {
  try {
    const { tools } = await servers.open(name);
    const shown = [...tools.values()].slice(0, MOST_TOOLS);
    const more = tools.size - shown.length;
    return [...shown.map((tool) => toolLine(name, tool)), ...(more > 0 ? [`(${more} more of ${name})`] : [])].join(
      '\n',
    );
  } catch (error) {
    return `(${name} is not available: ${toFault(error).message})`;
  }
}

function toolLine(server: string, { name, description, inputSchema }: ServerTool): string {
  const said = visible(description.replaceAll(/\s+/g, ' '));
  const line = `mcp:${server}/${name} {${argumentsIn(inputSchema).join(', ')}}: ${said}`;
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}

function argumentsIn(schema: Json): string[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.keys(schema.properties)
    .slice(0, 20)
    .map((name) => visible(required.includes(name) ? name : `${name}?`));
}
