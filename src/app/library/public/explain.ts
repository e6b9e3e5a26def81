// What policy would say, as a program asks for it. Types only: they are public.
import type { Effect, SpokenLayer } from '../../../policy/policy.ts';
import type { Source } from '../../../skill/skill.ts';

/** A call to be judged: a tool used by a skill, with what the tool takes. */
export interface CallToExplain {
  readonly skill: string;
  /** `run_script`, `run_command`, `write_file`, `network_request`, …: docs/tools.md has them all. */
  readonly tool: string;
  /** The script and its words, the command, the path or the address. */
  readonly words?: readonly string[];
  readonly source?: Source;
  readonly role?: string;
  /** It also wants to reach the network. */
  readonly network?: boolean;
}

/** What would happen, and why. */
export interface PolicyVerdict {
  readonly effect: Effect;
  readonly risk: 'low' | 'medium' | 'high';
  readonly layers: readonly SpokenLayer[];
  /** The id of the grant that answers it. */
  readonly grant?: string;
  /** Absent until the sandbox of this machine was tried. */
  readonly tier?: string;
  /** The same for people. */
  readonly text: string;
}
