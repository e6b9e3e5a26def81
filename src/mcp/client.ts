// Who is on the other side and what it can, told once by clients of 2025 and with every request by those of 2026.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpRequestContext,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { SKILLS_EXTENSION_ID } from '@modelcontextprotocol/server/ext/skills';
import { isRecord } from '../base/json.ts';
import { visible } from '../base/text.ts';

export interface Client {
  readonly era: McpRequestContext['era'];
  /** As the record names it. */
  readonly name: string;
  /** A person can be asked there, with a form. */
  readonly canElicit: boolean;
  /** It reads skills by the Skills extension, and needs no tools for that. */
  readonly readsSkills: boolean;
}

const NAME_LIMIT = 80;

export function clientOf(
  server: McpServer['server'],
  { mcpReq: { envelope } }: ServerContext,
  era: Client['era'],
): Client {
  const isModern = era === 'modern';
  const info = isModern ? told(envelope, CLIENT_INFO_META_KEY) : server.getClientVersion();
  const can = isModern ? told(envelope, CLIENT_CAPABILITIES_META_KEY) : server.getClientCapabilities();
  const name = isRecord(info) && typeof info.name === 'string' ? info.name : 'unknown';
  return {
    era,
    name: `mcp:${visible(name).slice(0, NAME_LIMIT)}`,
    canElicit: isRecord(can) && takesForms(can.elicitation),
    readsSkills: isRecord(can) && isRecord(can.extensions) && isRecord(can.extensions[SKILLS_EXTENSION_ID]),
  };
}

/** Without a mode it is forms that are meant, as in the first revision that had them. */
function takesForms(elicitation: unknown): boolean {
  if (!isRecord(elicitation)) return false;
  return Object.keys(elicitation).length === 0 || isRecord(elicitation.form);
}

function told(envelope: object | undefined, key: string): unknown {
  return isRecord(envelope) ? envelope[key] : undefined;
}
