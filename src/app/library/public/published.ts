// The files of skills for whoever hands skills on to others. Types only: they are public.
import type { Json } from '../../../base/json.ts';

/** A skill with all of its files, as they are at this moment. */
export interface PublishedSkill {
  readonly name: string;
  readonly description: string;
  /** What its frontmatter says, as we read it. */
  readonly values: Readonly<Record<string, Json>>;
  /** Below the frontmatter. */
  readonly body: string;
  /** By their path below the folder; its SKILL.md is called so, however it is spelt there. Hidden files are left out. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/**
 * What a server needs that hands skills on: `skillwright mcp` serves them from it.
 * @example
 * const { files } = await sw.tools();
 * for (const { name } of files.heads()) if ((await files.refusal(name, 'SKILL.md')) === undefined) console.log(files.open(name)?.files.size);
 */
export interface PublishedSkills {
  /** Those a model may choose, in the order of the registry. */
  heads(): readonly Pick<PublishedSkill, 'name' | 'description'>[];
  /** Undefined for a skill that is not there, or with more files or bytes than hosts take (512, 16 MiB). */
  open(name: string): PublishedSkill | undefined;
  /** Why policy does not let this file be handed on; undefined: it may be. The decision is on the record. */
  refusal(name: string, file: string): Promise<string | undefined>;
}
