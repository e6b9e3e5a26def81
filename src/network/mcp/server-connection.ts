// What can be asked of a server, and what comes of it.
import type { Json } from '../../base/json.ts';
import type { ServerTool } from './definition.ts';
import type { RefusedEntry, ServedFile, ServerSkill } from './server-skill.ts';

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

export interface SkillListing {
  readonly skills: readonly ServerSkill[];
  readonly refused: readonly RefusedEntry[];
  /** There are more than are taken. */
  readonly isCut: boolean;
}

/** Each throws a Fault where the server does not answer, or not as it said. */
export interface SkillReader {
  /** Not all there are: a server lists what it wants to. */
  list(): Promise<SkillListing>;
  /** By its address; undefined where the server has none there. */
  get(uri: string): Promise<ServerSkill | undefined>;
  /** With the bytes that were listed, or not at all. */
  read(skill: ServerSkill, file: ServedFile): Promise<Buffer>;
  /** Every file, by its path below the skill. */
  readAll(skill: ServerSkill): Promise<ReadonlyMap<string, Buffer>>;
}

export interface ServerConnection {
  /** Settles when nothing more can be asked. */
  readonly closed: Promise<void>;
  tools(): Promise<readonly ServerTool[]>;
  /** Throws a Fault where it offers none. */
  skills(): Promise<SkillReader>;
  call(tool: ServerTool, args: Readonly<Record<string, Json>>, options: ServerCallOptions): Promise<ServerAnswer>;
  close(): Promise<void>;
}
