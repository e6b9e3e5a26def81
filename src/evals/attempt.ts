// One attempt at a case and all attempts together: passed, failed, broken, or not to be judged.
import type { Case, PassRule } from './case/case.ts';
import { type Judgement, type JudgeTools, judgeRun } from './judge.ts';
import { readSaid, type SaidOfRun } from './said.ts';
import { type CaseRun, readTrace, type Step, type Totals } from './trace.ts';

/** Runs a case once; throwing means that the harness broke, not that the case failed. */
export type RunCase = (test: Case, attempt: number) => Promise<CaseRun & { close?: () => void }>;

/** `error`: it crashed, which says nothing about the skill. `skipped`: no judge was available, or it was not run. */
export const CASE_STATES = ['passed', 'failed', 'error', 'skipped'] as const;
export type CaseState = (typeof CASE_STATES)[number];

/** One run of a case with what was judged about it. */
export interface Attempt {
  readonly state: CaseState;
  readonly judgements: readonly Judgement[];
  readonly steps: readonly Step[];
  readonly triggered: readonly string[];
  readonly totals: Totals;
  readonly answer: string;
  /** What broke, why it was not run, or what it waited for. */
  readonly error?: string;
}

/** A case with all of its attempts: as often as the suite repeats it. */
export interface CaseResult {
  readonly id: string;
  readonly state: CaseState;
  readonly passes: number;
  /** Judged attempts: without crashed and skipped ones. */
  readonly runs: number;
  /** Different reasons, most frequent first. */
  readonly failures: readonly string[];
  readonly attempts: readonly Attempt[];
}

export async function attemptCase(test: Case, at: number, runCase: RunCase, tools: JudgeTools): Promise<Attempt> {
  try {
    const run = await runCase(test, at);
    try {
      return await judgeAttempt(test, run, tools);
    } finally {
      run.close?.();
    }
  } catch (error) {
    return broken(error instanceof Error ? error.message : String(error));
  }
}

export async function judgeAttempt(test: Case, run: CaseRun, tools: JudgeTools): Promise<Attempt> {
  const { steps, triggered, totals, answer, finished } = readTrace(run);
  const judgements = await judgeRun(test, run, tools);
  const seen = { judgements, steps, triggered, totals, answer };
  // A run whose model or harness failed on the way did not decide against anything.
  if (run.outcome.state === 'error' && !finished && test.state !== 'error') {
    return { ...seen, state: 'error', error: run.outcome.summary };
  }
  const state = stateOf(judgements);
  if (state !== 'failed') return { ...seen, state };
  const reason = waitsFor(steps) ?? missesFile(test) ?? askedFor(readSaid(run.outcome));
  return { ...seen, state, ...(reason !== undefined && { error: reason }) };
}

/** An unsure model let the user choose: the likeliest is first. */
function askedFor({ candidates }: SaidOfRun): string | undefined {
  return candidates && `the model was not sure and asked: ${candidates.join(', ') || 'no skill comes near'}`;
}

// A name with an extension, as people write a file into a request.
const FILE_NAME = /(?<![\w/.@:-])(?:[\w-]+\/)*[\w-]+\.[a-z][a-z0-9]{0,4}\b(?!\/)/gi;

/** A case without `files` runs in an empty folder: a request for a file there cannot go well. */
function missesFile({ turns, files }: Pick<Case, 'turns' | 'files'>): string | undefined {
  if (Object.keys(files).length > 0) return undefined;
  const [name] = turns.flatMap((text) => text.match(FILE_NAME) ?? []);
  if (name === undefined) return undefined;
  return `the folder of the case is empty, and the request names ${name}: give it with files: {"${name}": "…"}`;
}

function waitsFor(steps: readonly Step[]): string | undefined {
  const step = steps.find(({ status }) => status === 'interrupted');
  return step && `${step.name} waited for a permission: grant it to the skill, or run with --yes`;
}

export function summarizeCase(test: Pick<Case, 'id' | 'pass'>, attempts: readonly Attempt[]): CaseResult {
  const passes = attempts.filter(({ state }) => state === 'passed').length;
  const runs = attempts.filter(({ state }) => state === 'passed' || state === 'failed').length;
  const reasons = Map.groupBy(attempts.flatMap(reasonsOf), (reason) => reason);
  const failures = [...reasons.values()].sort((a, b) => b.length - a.length).flatMap(([reason]) => reason ?? []);
  return { id: test.id, state: overall(test.pass, attempts, passes, runs), passes, runs, failures, attempts };
}

export function skippedAttempt(why: string): Attempt {
  return { ...NOTHING, state: 'skipped', error: why };
}

export function isNotBegun({ state, judgements }: Attempt): boolean {
  return state === 'skipped' && judgements.length === 0;
}

function broken(why: string): Attempt {
  return { ...NOTHING, state: 'error', error: why };
}

const NO_TOTALS: Totals = { turns: 0, toolCalls: 0, scriptRuns: 0, tokens: 0, cost: 0, milliseconds: 0 };
const NOTHING = { judgements: [], steps: [], triggered: [], totals: NO_TOTALS, answer: '' };

/** Unjudged checks do not count; where only the invariants were judged, the run does not count either. */
function stateOf(judgements: readonly Judgement[]): CaseState {
  if (judgements.some(({ ok }) => ok === false)) return 'failed';
  const judged = judgements.some(({ aspect, ok }) => ok === true && aspect !== 'invariant');
  return judged ? 'passed' : 'skipped';
}

function overall(pass: PassRule, attempts: readonly Attempt[], passes: number, runs: number): CaseState {
  if (attempts.some(({ state }) => state === 'error')) return 'error';
  if (runs === 0) return 'skipped';
  return isEnough(pass, passes, runs) ? 'passed' : 'failed';
}

function isEnough(pass: PassRule, passes: number, runs: number): boolean {
  switch (pass) {
    case 'all':
      return passes === runs;
    case 'majority':
      return passes * 2 > runs;
    case 'any':
      return passes > 0;
    default:
      return passes / runs >= pass;
  }
}

function reasonsOf({ judgements, error }: Attempt): string[] {
  const failed = judgements.filter(({ ok }) => ok === false);
  return [
    ...failed.map(({ aspect, rule, message }) => `${aspect} ${rule}: ${message}`),
    ...(error === undefined ? [] : [error]),
  ];
}
