// What a case is: a script of a public skill, how it is started, and the input files it finds in its project.

export interface RealCase {
  /** What it shows, in a few words. */
  readonly name: string;
  /** The folder of the skill below the root; without a SKILL.md it is given one. */
  readonly skill: string;
  /** What lies in the project, by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The project is a git repository with these files committed. */
  readonly git?: boolean;
  /** Each builds on what the one before left. */
  readonly steps: readonly Step[];
  /** It writes what other tools obey: a person at a terminal is asked about that and says yes. It is shown, not counted. */
  readonly guarded?: boolean;
  /** It keeps files under home for later steps: a person lets the skill keep one. */
  readonly keepsHome?: boolean;
  /** By hand it works only where the network is there. */
  readonly needsNetwork?: boolean;
  /** What differs between any two runs by hand as well: times, random names. */
  readonly varies?: readonly RegExp[];
  /** It prints a folder as the file system lists it, and the order of that is nobody's promise: the same lines count as the same. */
  readonly anyOrder?: boolean;
}

export interface Step {
  readonly script: string;
  readonly args?: readonly string[];
  /** Standard input. */
  readonly input?: string;
}

/** How one start of a script ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The times in a zip archive: files of a skill are as old as the copy of it that is run. */
export const ZIP_TIMES = [/PK\p{Cc}{2}[\s\S]{12}/gu];

/** JSON as a person would have saved it. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function lines(...text: readonly string[]): string {
  return `${text.join('\n')}\n`;
}
