// Skills as a program sees them. Types only: they are public.
import type { Kind, Source } from '../../../skill/skill.ts';

/** A skill as a list shows it. */
export interface SkillInfo {
  /** As people name it: `name`, or `source:name` where another one of its name goes first. */
  readonly name: string;
  readonly source: Source;
  readonly kind: Kind;
  readonly description: string;
  readonly version?: string;
  /** Its folder. */
  readonly folder: string;
  /** The actions it declares. */
  readonly actions: readonly string[];
}

/** Which skills are listed. */
export interface SkillsWish {
  readonly source?: Source;
  /** Also those that others of their name go before, and those that only a model may choose. */
  readonly all?: boolean;
}

/** A skill that fits a request, best first. */
export interface SkillHit {
  readonly name: string;
  readonly source: Source;
  readonly description: string;
  /** The higher, the better it fits. */
  readonly score: number;
  /** Words of the request that it was found by. */
  readonly matched: readonly string[];
}

/** What a search found. */
export interface SkillSearch {
  readonly hits: readonly SkillHit[];
  /** Nothing fits well; the hits are only the nearest. */
  readonly abstained: boolean;
}

/** The list of skills for the prompt of a model, within a budget. */
export interface SkillCatalog {
  readonly text: string;
  /** Estimated. */
  readonly tokens: number;
  /** Skills that are not in it, or only by name, because the budget has no room; a search finds them. */
  readonly left: readonly string[];
}

/** The instructions of a skill. */
export interface SkillInstructions {
  readonly name: string;
  readonly source: Source;
  readonly folder: string;
  readonly text: string;
  /** It is longer than the settings allow; the outline names what was left out. */
  readonly truncated: boolean;
  readonly outline: readonly string[];
  /** Its other files, below its folder. */
  readonly resources: readonly string[];
}

/** One text file of a skill, or one section of it. */
export interface SkillResource {
  readonly path: string;
  readonly text: string;
  readonly truncated: boolean;
  /** Sections that can be asked for by their titles. */
  readonly outline: readonly string[];
  /** The section that was asked for is not there. */
  readonly unknownSection?: string;
}
