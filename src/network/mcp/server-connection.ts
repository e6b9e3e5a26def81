// What can be asked of a server, and what comes of it.
import type { Json } from '../../base/json.ts';
import type { ServerTool } from './definition.ts';

export interface ServerAnswer {
  /** What it said went wrong, in its own words. */
  readonly isError: boolean;
  readonly text: string;
  readonly structured?: Json;
  /** Of parts that are no text: how many of which type. */
  readonly leftOut: readonly string[];
}

export interface ServerCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

export interface ServerConnection {
  /** Settles when nothing more can be asked. */
  readonly closed: Promise<void>;
  tools(): Promise<readonly ServerTool[]>;
  call(tool: ServerTool, args: Readonly<Record<string, Json>>, options: ServerCallOptions): Promise<ServerAnswer>;
  close(): Promise<void>;
}
