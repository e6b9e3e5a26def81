// One result for everything: state, who answers, a sentence for people, data for programs, when and how long.
import { ERRORS } from './error/catalogue.ts';
import { type Fault, findErrorType, nameOn, type Surface } from './errors.ts';
import { inLanguage, type Language, type Text } from './language.ts';

export const STATES = ['success', 'partial', 'pending', 'interrupted', 'timeout', 'error'] as const;
export type State = (typeof STATES)[number];

export const AGENTS = ['worker_agent', 'skills', 'agent', 'jobs', 'skillwright'] as const;
export type Agent = (typeof AGENTS)[number];

export type Data = Record<string, unknown>;

export interface Outcome {
  readonly state: State;
  readonly agent: Agent;
  readonly summary: string;
  readonly data: Data;
  readonly meta: { readonly agent: Agent; readonly time: number; readonly ts: string };
}

/** Who answers, in which language, and since when the clock runs. */
export interface Answering {
  readonly agent: Agent;
  readonly surface: Surface;
  readonly language: Language;
  readonly startedAt: number;
  readonly now: () => number;
}

const EXIT_CODES: Record<State, number> = {
  success: 0,
  error: 1,
  pending: 3,
  interrupted: 4,
  timeout: 5,
  partial: 6,
};

export function makeOutcome(by: Answering, state: State, summary: Text | string, data: Data = {}): Outcome {
  const now = by.now();
  return {
    state,
    agent: by.agent,
    summary: inLanguage(summary, by.language),
    data,
    meta: { agent: by.agent, time: seconds(now - by.startedAt), ts: new Date(now).toISOString() },
  };
}

export function failedOutcome(by: Answering, fault: Fault, extra: Data = {}): Outcome {
  const type = nameOn(by.surface, fault.type);
  const state = fault.type === 'Timeout' ? 'timeout' : 'error';
  const data = {
    ...extra,
    type,
    msg: fault.message,
    recoverable: ERRORS[fault.type].recoverable,
    code: fault.code,
    ...(fault.details && { details: fault.details }),
  };
  return makeOutcome(by, state, `${type}: ${inLanguage(fault.sentence, by.language)}`, data);
}

export function exitCode(outcome: Outcome): number {
  if (outcome.state !== 'error') return EXIT_CODES[outcome.state];
  // A skill may use any code it likes; only our own say more than "it failed".
  const type = outcome.agent === 'skillwright' ? findErrorType(String(outcome.data.code)) : undefined;
  return type ? ERRORS[type].exit : EXIT_CODES.error;
}

export function icon(outcome: Pick<Outcome, 'state' | 'data'>): string {
  switch (outcome.state) {
    case 'success':
      return outcome.data.cached === true ? '⏭️' : '✅';
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

function seconds(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds)) / 1000;
}
