// What a handle is opened with, and what each call through it may say. Types only: they are public.
import type { Language } from '../../../base/language.ts';
import type { ModelLike } from '../../../model/given.ts';
import type { Source } from '../../../skill/skill.ts';
import type { ApplyChoice } from '../../workspace/apply-choice.ts';
import type { OnEvent } from './event.ts';
import type { Ask } from './question.ts';

/** Restrictions of the program itself, beside those of the settings: each can only take away. */
export interface CallerPolicy {
  /** `deny`: nothing but reading, whatever the settings allow. */
  readonly default?: 'deny';
  /** Tools that need a yes here. */
  readonly requireApprovalFor?: readonly string[];
  /** Tools that are refused here. */
  readonly denied?: readonly string[];
  /** The only programs that are started. */
  readonly programs?: readonly string[];
  /** `each`: every call that needs a yes is asked about, though the settings say effects only. */
  readonly ask?: 'each';
}

/** Where a handle works, and what holds for all of its calls. */
export interface OpenOptions {
  /** The folder that skills see; the project of the working folder unless given. */
  readonly project?: string;
  /** Where settings, grants and state lie; the home of the user unless given. */
  readonly home?: string;
  /** The variables of the environment; `process.env` unless given. Skills get none of them unasked. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Of sentences for people; as the environment says unless given. */
  readonly language?: Language;
  /** Decides in runs: a model of the AI SDK, any object with our `Model` port, or a name as in the settings. */
  readonly model?: ModelLike;
  /** Decides what needs a yes; without it such a call ends with a saved question. */
  readonly ask?: Ask;
  readonly policy?: CallerPolicy;
  /** How many programs run at once; the others wait. Twice the processors unless given. */
  readonly concurrency?: number;
}

/** What every call may say. */
export interface CallOptions {
  /** Ends it, with every process it has started. */
  readonly signal?: AbortSignal;
  /** Instead of that of the handle. */
  readonly ask?: Ask;
  readonly onEvent?: OnEvent;
  /** Seconds. A skill may lower them, the settings of the user are never exceeded. */
  readonly timeout?: number;
  /** The role on whose behalf it happens: its list of tools binds the call. */
  readonly role?: string;
  /** Where the skill is taken from, if several are called so. */
  readonly source?: Source;
  /** What becomes of changed files: asked about unless given. `never` keeps them for `sw.runs.apply`. */
  readonly apply?: ApplyChoice;
  /** Keeps no text in the record, only hashes. */
  readonly private?: boolean;
  /** Who it is for, as it stands in the record and as a skill is told. */
  readonly context?: { readonly requestId?: string; readonly agentId?: string; readonly userId?: string };
}

/** What a call of a script may say beside what every call may. */
export interface ExecOptions extends CallOptions {
  /** What the script reads from its standard input; nothing unless given. */
  readonly stdin?: string;
}
