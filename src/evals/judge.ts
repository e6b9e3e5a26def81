// Judges one run of a case by what was executed: skills, steps, output, limits, and invariants.
import type { Case, CaseLimits } from './case/case.ts';
import { checkInvariants } from './invariant.ts';
import type { Produced } from './matcher/kind.ts';
import { describeMatcher, match } from './matcher/match.ts';
import type { Matcher } from './matcher/plain-form.ts';
import { readSaid } from './said.ts';
import { checkSteps, type RuleFinding } from './step-rule.ts';
import { type CaseRun, isSkill, isToolCall, readTrace, skillName, type Trace } from './trace.ts';

export const ASPECTS = ['skills', 'steps', 'output', 'limits', 'invariant', 'outcome'] as const;
export type Aspect = (typeof ASPECTS)[number];

/** Whether one rule of a case holds for one run, with the steps that show it. */
export interface Judgement {
  readonly aspect: Aspect;
  readonly rule: string;
  /** Undefined: no judge was available. */
  readonly ok: boolean | undefined;
  /** Why not, or what was found. */
  readonly message: string;
  /** Indexes of records. */
  readonly evidence: readonly number[];
}

/** Decides what no rule can: whether a text meets a description. */
export type Judge = (question: {
  readonly rubric: string;
  readonly test: Case;
  readonly answer: string;
  readonly trace: Trace;
}) => Promise<{ readonly pass: boolean; readonly evidence: string } | undefined>;

/** A rule in code, for what the rules of a suite cannot say; a suite names it. */
export type CustomMatcher = (run: CaseRun, trace: Trace) => boolean | Promise<boolean>;

export interface JudgeTools {
  readonly judge?: Judge;
  /** Functions provided by a caller of the library; a suite can only name them. */
  readonly custom?: Readonly<Record<string, CustomMatcher>>;
}

/**
 * Judges a run by its record alone, so that the same record always gets the same judgements.
 * @example
 * const failed = (await judgeRun(test, run)).filter(({ ok }) => ok === false);
 */
export async function judgeRun(test: Case, run: CaseRun, tools: JudgeTools = {}): Promise<Judgement[]> {
  const trace = readTrace(run);
  const judgements: Judgement[] = [...judgeSkills(test, trace)];
  for (const rule of test.steps) {
    judgements.push(asJudgement('steps', rule.kind, await checkSteps(rule, trace.steps)));
  }
  const produced = producedBy(test, run, trace, tools);
  for (const matcher of test.output) judgements.push(await judgeOutput(matcher, produced));
  judgements.push(...judgeOutcome(test, run), ...judgeLimits(test.limits, trace));
  for (const { rule, ...found } of checkInvariants(run, trace)) judgements.push(asJudgement('invariant', rule, found));
  return judgements;
}

/** A judge with its verdicts in a table, for evals without a model. */
export function scriptedJudge(verdicts: Readonly<Record<string, boolean>>): Judge {
  return async ({ rubric }) => {
    const pass = Object.hasOwn(verdicts, rubric) ? verdicts[rubric] : undefined;
    return pass === undefined ? undefined : { pass, evidence: 'scripted' };
  };
}

function judgeSkills({ skills }: Case, { triggered, steps }: Trace): Judgement[] {
  const { required, anyOf, forbidden, none, exact } = skills;
  const isIn = (reference: string) => triggered.some((id) => isSkill(reference, id));
  const names = triggered.map(skillName).join(', ') || 'none';
  const judge = (rule: string, ok: boolean, message: string): Judgement => {
    const evidence = steps.flatMap(({ name, at }) => (name === 'load_skill' ? [at] : []));
    return { aspect: 'skills', rule, ok, message: `${message}; chosen: ${names}`, evidence };
  };
  const known = [...required, ...anyOf];
  const others = triggered.filter((id) => !known.some((reference) => isSkill(reference, id)));
  return [
    ...required.map((name) => judge('required', isIn(name), `${name} must be chosen`)),
    ...(anyOf.length > 0 ? [judge('any_of', anyOf.some(isIn), `one of ${anyOf.join(', ')} must be chosen`)] : []),
    ...forbidden.map((name) => judge('forbidden', !isIn(name), `${name} must not be chosen`)),
    ...(none ? [judge('none', triggered.length === 0, 'no skill must be chosen')] : []),
    ...(exact ? [judge('exact', others.length === 0, 'no other skill must be chosen')] : []),
  ];
}

function producedBy(test: Case, run: CaseRun, trace: Trace, { judge, custom = {} }: JudgeTools): Produced {
  const { answer } = trace;
  return {
    text: answer,
    ...(run.folder !== undefined && { folder: run.folder }),
    judge: async (rubric) => await judge?.({ rubric, test, answer, trace }),
    custom: async (name) => (Object.hasOwn(custom, name) ? await custom[name]?.(run, trace) : undefined),
  };
}

async function judgeOutput(matcher: Matcher, produced: Produced): Promise<Judgement> {
  const { ok, message } = await match(matcher, produced);
  return { aspect: 'output', rule: describeMatcher(matcher), ok, message, evidence: [] };
}

function judgeOutcome({ state, exhausted }: Case, { outcome }: CaseRun): Judgement[] {
  const judge = (rule: string, wanted: string, found: unknown): Judgement => ({
    aspect: 'outcome',
    rule,
    ok: found === wanted,
    message: `expected ${wanted}, it was ${String(found ?? 'none')}`,
    evidence: [],
  });
  return [
    ...(state === undefined ? [] : [judge('state', state, outcome.state)]),
    ...(exhausted === undefined ? [] : [judge('exhausted', exhausted, readSaid(outcome).exhausted)]),
  ];
}

function judgeLimits(limits: CaseLimits, { totals, steps }: Trace): Judgement[] {
  const measured: [string, number | undefined, number][] = [
    ['max_turns', limits.maxTurns, totals.turns],
    ['max_tool_calls', limits.maxToolCalls, totals.toolCalls],
    ['max_script_runs', limits.maxScriptRuns, totals.scriptRuns],
    ['max_tokens', limits.maxTokens, totals.tokens],
    ['max_seconds', limits.maxSeconds, totals.milliseconds / 1000],
    ['max_cost', limits.maxCost, totals.cost],
  ];
  const caps = measured.flatMap(([rule, limit, used]) => (limit === undefined ? [] : [capped(rule, limit, used)]));
  return [...caps, ...judgeTools(limits, steps)];
}

function capped(rule: string, limit: number, used: number): Judgement {
  return { aspect: 'limits', rule, ok: used <= limit, message: `${used} of ${limit}`, evidence: [] };
}

function judgeTools({ forbiddenTools, requiredTools }: CaseLimits, steps: Trace['steps']): Judgement[] {
  const used = steps.filter((step) => isToolCall(step) && step.executed);
  const of = (tool: string) => used.filter(({ name }) => name === tool).map(({ at }) => at);
  const judge = (rule: string, tool: string, ok: boolean): Judgement => ({
    aspect: 'limits',
    rule,
    ok,
    message: `${tool} was used ${of(tool).length} times`,
    evidence: of(tool),
  });
  return [
    ...forbiddenTools.map((tool) => judge('forbidden_tools', tool, of(tool).length === 0)),
    ...requiredTools.map((tool) => judge('required_tools', tool, of(tool).length > 0)),
  ];
}

function asJudgement(aspect: Aspect, rule: string, { ok, message, evidence }: RuleFinding): Judgement {
  return { aspect, rule, ok, message, evidence };
}
