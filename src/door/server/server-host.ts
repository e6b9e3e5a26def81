// The servers of others as a run uses them.
import type { ServerSettings } from '../../config/value.ts';
import type { HostAttempt } from '../../network/attempt.ts';
import type { ServerTool } from '../../network/mcp/definition.ts';
import type { ServerConnection } from '../../network/mcp/server-connection.ts';

export interface OpenServer {
  readonly connection: ServerConnection;
  /** By name, as they were when it was first asked, without those that the settings leave out. */
  readonly tools: ReadonlyMap<string, ServerTool>;
  /** Whether its program runs without a sandbox, as a person let it. */
  readonly outside: boolean;
}

export interface ServerHost {
  readonly names: readonly string[];
  settings(name: string): ServerSettings;
  /** Without asking for its tools. Throws a Fault for a name that is not in the settings, and for a server that does not answer. */
  connect(name: string): Promise<ServerConnection>;
  /** Throws as `connect` does. */
  open(name: string, onAttempt?: (attempt: HostAttempt) => void): Promise<OpenServer>;
  close(): Promise<void>;
}
