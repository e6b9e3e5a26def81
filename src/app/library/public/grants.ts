// Standing permissions as a program gives and sees them. Types only: they are public.
import type { Tier } from '../../../policy/tier.ts';

/** What is allowed: one of action, script, command and tool; without any, what code of the skill may reach. */
export interface GrantWish {
  /** A skill, `role/skill`, or `bin` for the scripts of bin/. */
  readonly skill: string;
  readonly action?: string;
  readonly script?: string;
  /** Its first words, or all of them with `exact`. */
  readonly command?: readonly string[];
  readonly tool?: string;
  /** Of the tool: paths as `notes/**`, or `domain:example.org`. */
  readonly pattern?: string;
  /** Of the script: its first words. */
  readonly words?: readonly string[];
  /** Nothing may follow the words. */
  readonly exact?: boolean;
  readonly network?: boolean;
  /** What it changes in the project is applied without a question: everywhere, or at these paths. */
  readonly writes?: boolean | readonly string[];
  readonly hosts?: readonly string[];
  readonly variables?: readonly string[];
  readonly programs?: readonly string[];
  readonly devices?: readonly string[];
  /** It keeps files in a home of its own from one run to the next. */
  readonly home?: boolean;
  /** The weakest sandbox it accepts. */
  readonly tier?: Tier;
  /** How long it holds; until it is revoked unless given. */
  readonly hours?: number;
}

/** A standing permission. */
export interface GrantInfo {
  readonly id: string;
  readonly skill: string;
  /** What it is for, in one line. */
  readonly what: string;
  /** `changed`: the files of the skill are others now, and it counts no longer. `missing`: there is no such skill. */
  readonly state: 'active' | 'expired' | 'changed' | 'missing';
  /** Variables that its calls are handed because the skill asks for them in its own words. */
  readonly declared: readonly string[];
  readonly network: boolean;
  readonly writes: boolean | readonly string[];
  /** The weakest sandbox it accepts. */
  readonly tier: string;
  /** As ISO 8601; null: until it is revoked. */
  readonly expires: string | null;
  /** What keeps it from helping, here and now. */
  readonly note?: string;
}

/**
 * Standing permissions of the project, on the record of the owner.
 * @example
 * await sw.grants.add({ skill: 'report', action: 'fetch', hosts: ['api.example.com'], hours: 12 });
 */
export interface Grants {
  /** The oldest first. */
  list(): Promise<GrantInfo[]>;
  /** Throws a Fault for what the skill does not have, and for what would be a permission for anything. */
  add(wish: GrantWish): Promise<GrantInfo>;
  /** Throws a Fault where there is none. */
  revoke(id: string): Promise<void>;
}
