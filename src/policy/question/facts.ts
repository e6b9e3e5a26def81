// What a person decides on, as plain data: made at the door, shown by a terminal, kept with a saved question, told by `--json`.
import type { Text } from '../../base/language.ts';
import type { CallView } from '../../tools/call-view.ts';
import type { Risk } from '../../tools/tool-name.ts';
import type { ApprovalScope, ApprovalSubject } from '../approval.ts';
import type { Grant, RunFile } from '../grant/grant.ts';
import type { SinceLastYes } from './seen-files.ts';

export interface ApprovalFacts {
  readonly subject: Pick<ApprovalSubject, 'digest' | 'tool' | 'network' | 'obeyed' | 'mixed'>;
  readonly risk: Risk;
  /** Who asks: a skill by name and source, or nobody. */
  readonly skill?: string;
  readonly role?: string;
  /** The argument vector, or `name=value` for other arguments; one entry is one word. */
  readonly words: readonly string[];
  /** What will happen; where it is absent, the words say it. */
  readonly view?: CallView;
  /** Files of the project that it runs; the answer is about these bytes. */
  readonly runs?: readonly RunFile[];
  readonly reach?: FactsReach;
  readonly tier?: string;
  readonly notEnforced?: readonly string[];
  /** Which files of the skill are others than at the last yes. */
  readonly since?: SinceLastYes;
}

/** What the call gets from outside its sandbox; `home` is one that lasts. */
export type ReachKind = 'hosts' | 'variables' | 'programs' | 'devices' | 'home';

/** By kind the names, as a person knows them. */
export type FactsReach = Readonly<Partial<Record<ReachKind, readonly string[]>>>;

/** A grant that a person would give by "always", before it has an id. */
export type OfferedGrant = Omit<Grant, 'id' | 'project'>;

/**
 * What a person is asked about one call: what will happen, where it comes from, what stays open. `ask` of
 * `executeSkill` and of `task` gets it.
 */
export interface ApprovalQuestion extends ApprovalFacts {
  readonly note?: Text;
  /** What "always" would write; absent where nothing fits. */
  readonly always?: OfferedGrant;
  /** Whether "ask about effects only" may be answered. */
  readonly offersEffects?: boolean;
  /** The same view with all lines of the script, the file or the diff. */
  readonly whole?: () => Promise<CallView | undefined>;
}

/** `always`: the grant that was offered. `effects`: only effects are asked about from now on. `no`: why, for the model. */
export type ApprovalAnswer = ApprovalScope | 'no' | 'always' | 'effects' | { readonly no: string };
