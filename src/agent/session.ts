// One running loop: its state, its model, and its door.
import type { TextRef } from '../audit/event.ts';
import type { RunFolder } from '../audit/run-folder.ts';
import type { Clock } from '../base/clock.ts';
import type { Span, Tracer } from '../base/telemetry.ts';
import type { Call, CallContext } from '../door/call.ts';
import type { Door } from '../door/door.ts';
import type { Decision, Plan } from '../model/action.ts';
import type { Model } from '../model/model.ts';
import type { Index, SkillEntry } from '../registry/discover.ts';
import type { SearchIndex } from '../registry/search/index.ts';
import type { SkillId } from '../skill/skill-id.ts';
import type { Acted } from './acted.ts';
import type { BudgetQuestion } from './budget.ts';
import type { Ending } from './ending.ts';
import type { RunState } from './run-state.ts';
import type { Machine, StateName } from './state.ts';

/** The dependencies of the loop. */
export interface SessionParts {
  readonly model: Model;
  readonly index: Index;
  /** Opened on first use. */
  readonly search: () => Promise<SearchIndex>;
  readonly run: Pick<RunFolder, 'record' | 'keep'>;
  readonly effects: Effects;
  /** Throws a Fault when a file has changed since installation. */
  readonly requireUnchanged: (skill: SkillEntry, looked: { readonly file: string }) => void;
  /** The server that a skill came from, as the user calls it. */
  readonly serverOf?: ((skill: SkillEntry) => string | undefined) | undefined;
  readonly context: CallContext;
  /** Records a file that a call wrote; returns it as a person would name it. */
  readonly noteArtifact: (name: string) => string;
  readonly clock: Clock;
  readonly bodyLines: number;
  readonly catalogTokens: number;
  /** What the model is told of where it is; asked for when a run begins. */
  readonly whereabouts?: () => Promise<string>;
  /** What servers of others offer, in their words; asked for when a run begins. */
  readonly servers?: () => Promise<string>;
  /** A text of the record, if it is still there. */
  readonly readKept: (kept: KeptPlace) => string | undefined;
  /** Asks a person at the end of a budget; absent where nobody is there to answer. */
  readonly goOn?: (question: BudgetQuestion) => Promise<boolean>;
  /** A request to stop after the current step. */
  readonly stop: AbortSignal;
  readonly trace?: (event: TraceEvent) => void;
  /** The parent span of its turns; absent without tracing. */
  readonly tracer?: Tracer;
}

export type KeptPlace = Pick<TextRef, 'sha256' | 'ref' | 'at'>;

/** Effects go through a door; in a replay the record answers as the door did. */
export type Effects =
  /** `within` are skills whose lists bind the call beside its own, `tracer` is what it hangs below. */
  | { readonly doorFor: (within: readonly SkillEntry[], tracer: Tracer | undefined) => Door }
  | { readonly replay: (call: Call) => Acted };

export interface Session extends SessionParts {
  readonly state: RunState;
  readonly machine: Machine;
  /** The catalog as the model sees it. */
  readonly catalog: string;
  /** Instructions as they are in the context, by skill id. */
  readonly bodies: Map<SkillId, string>;
  /** An inner run has depth 1 and starts none of its own. */
  readonly depth: 0 | 1;
  /** Skills of the outer run whose allow lists restrict this one too. */
  readonly within: readonly SkillEntry[];
  save(): void;
  /** Runs another session to its end; the only way to start an inner run. */
  readonly runInside: (inner: Session) => Promise<Ending>;
  /** The span of the current turn, when traced. */
  turn?: Span;
  /** Where a killed run stopped in the middle of a turn; consumed by that turn. */
  recovered?: Recovered;
  /** Skills and files whose reading the killed turn had recorded already. */
  read?: readonly string[];
  /** An invalid answer that had not been corrected yet when the run was killed. */
  badAnswer?: string;
  /** The same for the inner run. */
  inner?: LeftOffInside;
}

export interface LeftOffInside {
  readonly at: StateName;
  readonly recovered?: Recovered;
  readonly badAnswer?: string;
}

/** The recorded part of an unfinished turn. */
export interface Recovered {
  readonly decision: Decision;
  readonly plan: Plan;
  readonly isPlanRecorded: boolean;
  /** The saved state includes this turn already. */
  readonly isCounted?: boolean;
  readonly effect?: RecoveredEffect;
  /** The observation, if it was recorded already. */
  readonly observation?: { readonly text: string; readonly kept: TextRef };
  /** Skills, and files as `skill path`, whose reading was recorded already. */
  readonly read: readonly string[];
}

export type RecoveredEffect =
  | {
      readonly known: false;
      readonly call: string;
      readonly tool: string;
      readonly skill?: string;
      readonly args: string;
    }
  | { readonly known: true; readonly state: string; readonly text: string };

/** Events for observers of a run. */
export type TraceEvent =
  | { readonly type: 'begun'; readonly run: string; readonly model: string }
  | { readonly type: 'turn'; readonly turn: number; readonly depth: number }
  | { readonly type: 'thinking'; readonly depth: number; readonly piece: string }
  | { readonly type: 'retry'; readonly reason: string }
  | {
      readonly type: 'decided';
      readonly turn: number;
      readonly depth: number;
      /** The kind of action; `?` for an answer that is none. */
      readonly kind: string;
      readonly action: string;
      readonly tokens: number;
      readonly milliseconds: number;
    }
  | {
      readonly type: 'observed';
      readonly turn: number;
      readonly depth: number;
      readonly state: string;
      readonly summary: string;
    };
