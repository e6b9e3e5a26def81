// What the MCP server is started with, and what came of it. Types only: the command line reads the words, the bin brings the server.
import type { Language } from '../../base/language.ts';
import type { Environment } from '../runtime.ts';

export interface McpOrder {
  readonly project: string;
  readonly home: string;
  readonly env: Environment;
  readonly language: Language;
  /** Its list of tools binds every call. */
  readonly role?: string;
  /** Only these skills. */
  readonly skills?: readonly string[];
  /** Nothing is run. */
  readonly readOnly: boolean;
  /** Ends the connection, and whatever is under way. */
  readonly stop: AbortSignal;
  /** For people: stdout belongs to the protocol. */
  readonly log: (line: string) => void;
}

export interface McpHttpOrder extends McpOrder {
  /** 0 for any free one. */
  readonly port: number;
  /** It listens, and this is what a client needs. */
  readonly ready: (at: { readonly address: string; readonly tokenFile: string }) => void;
}

export interface McpServed {
  /** How many calls of tools were answered. */
  readonly calls: number;
}

/** Servers for other programs, each loaded when its command is called. */
export interface Servers {
  readonly mcp: () => Promise<{ readonly serveMcp: (order: McpOrder) => Promise<McpServed> }>;
  readonly mcpOverHttp: () => Promise<{ readonly serveMcpOverHttp: (order: McpHttpOrder) => Promise<McpServed> }>;
}
