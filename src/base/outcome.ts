// One result for everything, typed by its state: what code decides on stands in fields; `data` is told to others and never read back.
import { ERRORS } from './error/catalogue.ts';
import { type Fault, type FaultReason, findErrorType, nameOn, type Surface } from './errors.ts';
import { inLanguage, type Language, type Text } from './language.ts';

export const STATES = ['success', 'partial', 'pending', 'interrupted', 'timeout', 'error'] as const;
/** How a call ended: `pending` needs parameters, `interrupted` a decision, `partial` did some of it. */
export type State = (typeof STATES)[number];

export const AGENTS = ['worker_agent', 'skills', 'agent', 'jobs', 'skillwright'] as const;
export type Agent = (typeof AGENTS)[number];

export type Data = Record<string, unknown>;

export interface OutcomeMeta {
  readonly agent: Agent;
  /** Seconds. */
  readonly time: number;
  readonly ts: string;
}

/** What a skill that speaks the protocol answered, in its own words. */
export interface SkillReply {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly details?: Readonly<Data> };
  readonly message?: string;
  readonly metadata?: Readonly<Data>;
  /** What had to be repaired, as sentences. */
  readonly mended: readonly string[];
  /** False where the skill omitted the action. */
  readonly namedAction: boolean;
}

/** How a script of bin/ ended, for whoever asked for it to judge. */
export interface EndedScript {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The question it wrote. */
  readonly interrupt?: string;
  /** The host knows why it failed: a limit, a missing module. */
  readonly isExplained: boolean;
  /** What helps against the failure, where the host can tell. */
  readonly hint?: Text;
  /** What is told of it whatever it said: sandbox, outputs. */
  readonly facts: Data;
}

export interface RefusedResult {
  readonly path: string;
  readonly why: string;
  /** The variables whose value is in it, where that is why. */
  readonly holds?: readonly string[];
  /** Where a copy lies with the record of the run. */
  readonly kept?: string;
  /** The command after which it would not have been lost. */
  readonly allow?: string;
}

/** What a call brought, for whoever continues with it. */
export interface Product {
  readonly reply?: SkillReply;
  /** The text of a prompt skill or of a file. */
  readonly content?: string;
  /** Stdout, where it is the answer. */
  readonly printed?: string;
  /** What a script wants a model to analyse. */
  readonly analysis?: string;
  /** Files it wrote, as a person would name them. */
  readonly artifacts?: readonly string[];
  /** Results that were not delivered. */
  readonly refused?: readonly RefusedResult[];
  /** Files of the project that it could not read, because they are hidden from skills. */
  readonly hidden?: readonly string[];
  /** What it was not given and may have missed, in sentences, with the commands that give it. */
  readonly gaps?: readonly string[];
  readonly script?: EndedScript;
  /** What a tool of our own returned. */
  readonly result?: unknown;
}

export interface EndedRun {
  readonly id: string;
  /** The folder of the record. */
  readonly record: string;
  readonly answer?: string;
  /** The command that resumes it, where it can be resumed. */
  readonly resumeCommand?: string;
}

interface CommonFields {
  /** The command or the sentence that says how to go on. */
  readonly next?: string;
  /** Said beside a question. */
  readonly note?: string;
  readonly warnings?: readonly unknown[];
  /** What a program that failed complained about. */
  readonly stderr?: string;
  /** It repeats a stored result: the data of that one. */
  readonly cached?: { readonly original: unknown };
  /** The run of the agent that ended so. */
  readonly run?: EndedRun;
  readonly product?: Product;
}

interface Told extends CommonFields {
  readonly agent: Agent;
  /** One sentence for people. */
  readonly summary: string;
  readonly data: Data;
  readonly meta: OutcomeMeta;
}

export interface FinishedOutcome extends Told {
  readonly state: 'success' | 'partial';
}

export interface PendingOutcome extends Told {
  readonly state: 'pending';
  /** Names of the parameters somebody has to give. */
  readonly missing: readonly string[];
}

/** What somebody has to decide about each item. */
export interface WaitingDecision {
  readonly id: string;
  readonly items: readonly string[];
  readonly choices: readonly string[];
  /** As ISO 8601. */
  readonly expires: string;
  /** What the script that asks wants a model to analyse. */
  readonly analysis?: string;
}

/** `resume`: nobody has to decide anything, it was only stopped. `changes`: it is done, and what it changed waits. */
export interface InterruptedOutcome extends Told {
  readonly state: 'interrupted';
  readonly waitsFor: 'approval' | 'changes' | 'decisions' | 'resume';
  /** Of the question that was saved for a person. */
  readonly asked?: string;
  /** What a person is shown. */
  readonly question?: string;
  readonly decision?: WaitingDecision;
}

/** A script that states its own failure may leave out anything. */
export interface Failure {
  /** As the surface names it. */
  readonly type?: string;
  readonly code?: string;
  readonly msg?: string;
  readonly recoverable?: boolean | null;
  readonly details?: Readonly<Data>;
  /** Of our own failures only; it is not told. */
  readonly reason?: FaultReason;
}

export interface FailedOutcome extends Told {
  readonly state: 'error' | 'timeout';
  readonly failure: Failure;
}

export type Outcome = FinishedOutcome | PendingOutcome | InterruptedOutcome | FailedOutcome;

/** Who answers, in which language, and since when the clock runs. */
export interface Answering {
  readonly agent: Agent;
  readonly surface: Surface;
  readonly language: Language;
  readonly startedAt: number;
  readonly now: () => number;
}

export function makeOutcome(
  by: Answering,
  state: FinishedOutcome['state'],
  summary: Text | string,
  data: Data = {},
  more: CommonFields = {},
): FinishedOutcome {
  return { state, ...told(by, summary, data), ...more };
}

export function pendingOutcome(
  by: Answering,
  summary: Text | string,
  wants: Pick<PendingOutcome, 'missing'> & CommonFields,
  data: Data,
): PendingOutcome {
  return { state: 'pending', ...told(by, summary, data), ...wants };
}

export function interruptedOutcome(
  by: Answering,
  summary: Text | string,
  asks: Pick<InterruptedOutcome, 'waitsFor' | 'asked' | 'question' | 'decision'> & CommonFields,
  data: Data,
): InterruptedOutcome {
  return { state: 'interrupted', ...told(by, summary, data), ...asks };
}

/** For a failure with a sentence of its own; `failedOutcome` takes that of the catalogue. */
export function errorOutcome(by: Answering, summary: Text | string, failure: Failure, data: Data): FailedOutcome {
  return { state: 'error', ...told(by, summary, data), failure };
}

export function failedOutcome(by: Answering, fault: Fault, extra: Data = {}, more: CommonFields = {}): FailedOutcome {
  const { details, code, reason } = fault;
  const shown = {
    type: nameOn(by.surface, fault.type),
    msg: fault.message,
    recoverable: ERRORS[fault.type].recoverable,
    code,
    ...(details && { details }),
  };
  return {
    state: fault.type === 'Timeout' ? 'timeout' : 'error',
    ...told(by, `${shown.type}: ${inLanguage(fault.sentence, by.language)}`, { ...extra, ...shown }),
    failure: { ...shown, ...(reason && { reason }) },
    ...(typeof details?.stderr === 'string' && { stderr: details.stderr }),
    ...more,
  };
}

/** The same, and this is told behind everything else. */
export function tell<Kind extends Outcome>(outcome: Kind, more: Data): Kind {
  return { ...outcome, data: { ...outcome.data, ...more } };
}

/** The same, said by somebody else. */
export function saidBy<Kind extends Outcome>(by: Answering, outcome: Kind): Kind {
  return { ...outcome, agent: by.agent, meta: metaOf(by) };
}

const EXIT_CODES: Record<State, number> = {
  success: 0,
  error: 1,
  pending: 3,
  interrupted: 4,
  timeout: 5,
  partial: 6,
};

export function exitCode(outcome: Outcome): number {
  if (outcome.state !== 'error') return EXIT_CODES[outcome.state];
  // A skill may use any code it likes; only our own say more than "it failed".
  const type = outcome.agent === 'skillwright' ? findErrorType(outcome.failure.code ?? '') : undefined;
  return type ? ERRORS[type].exit : EXIT_CODES.error;
}

export function icon({ state, cached }: Pick<Outcome, 'state' | 'cached'>): string {
  switch (state) {
    case 'success':
      return cached ? '⏭️' : '✅';
    case 'partial':
      return '⚠️';
    case 'pending':
    case 'interrupted':
      return '⏸️';
    case 'timeout':
      return '⏱️';
    case 'error':
      return '❌';
  }
}

function told(by: Answering, summary: Text | string, data: Data): Pick<Told, 'agent' | 'summary' | 'data' | 'meta'> {
  return { agent: by.agent, summary: inLanguage(summary, by.language), data, meta: metaOf(by) };
}

function metaOf({ agent, now, startedAt }: Answering): OutcomeMeta {
  const moment = now();
  return { agent, time: seconds(moment - startedAt), ts: new Date(moment).toISOString() };
}

function seconds(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds)) / 1000;
}
