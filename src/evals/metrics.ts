// The metrics of a suite: precision and recall of skill choice, confusions, pass rates of steps and output, the cost.
import type { Attempt, CaseResult } from './attempt.ts';
import type { Case } from './case/case.ts';
import type { Aspect } from './judge.ts';
import { passAtK, passHatK } from './repeat.ts';
import { bootstrapClusters, type Interval, mean, quantile, wilson } from './statistics.ts';
import { isSkill, skillName } from './trace.ts';

export interface SkillMetrics {
  readonly true_positives: number;
  readonly false_positives: number;
  readonly false_negatives: number;
  readonly true_negatives: number;
  /** Null when undefined: never chosen, or never wanted. */
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

export interface Rate {
  readonly rate: number | null;
  readonly of: number;
  readonly interval: Interval;
}

/** What a suite says in numbers, with intervals: few cases prove little. */
export interface Metrics {
  readonly cases: Readonly<Record<CaseResult['state'] | 'total', number>>;
  readonly pass_rate: Rate;
  /** Over all attempts, resampled by whole cases. */
  readonly attempts: Rate;
  readonly pass_at_k: Readonly<Record<string, number>>;
  readonly pass_hat_k: Readonly<Record<string, number>>;
  readonly triggers: Readonly<Record<string, SkillMetrics>>;
  /** Wanted skill → chosen skill → how often; `(none)` on either side. */
  readonly collisions: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly abstention: Rate;
  readonly sequence: Rate;
  readonly output: Rate;
  readonly cost: Readonly<Record<string, number>>;
}

/** A crash is not an answer: broken and skipped attempts are left out of every rate. */
export function measure(tests: readonly Case[], results: readonly CaseResult[]): Metrics {
  const byId = new Map(tests.map((test) => [test.id, test]));
  const tried = results.flatMap((result) => {
    const test = byId.get(result.id);
    return test ? counted(result).map((attempt) => ({ test, attempt })) : [];
  });
  return {
    cases: countStates(results),
    pass_rate: passRate(results),
    attempts: attemptRate(results),
    ...repeats(results),
    triggers: measureTriggers(tried),
    collisions: collide(tried),
    abstention: abstention(tried),
    sequence: aspectRate(tried, 'steps'),
    output: aspectRate(tried, 'output'),
    cost: measureCost(tried.map(({ attempt }) => attempt)),
  };
}

interface Tried {
  readonly test: Case;
  readonly attempt: Attempt;
}

const NONE = '(none)';

function counted({ attempts }: CaseResult): Attempt[] {
  return attempts.filter(({ state }) => state === 'passed' || state === 'failed');
}

function countStates(results: readonly CaseResult[]): Metrics['cases'] {
  const of = (state: CaseResult['state']) => results.filter((result) => result.state === state).length;
  return {
    total: results.length,
    passed: of('passed'),
    failed: of('failed'),
    error: of('error'),
    skipped: of('skipped'),
  };
}

function passRate(results: readonly CaseResult[]): Rate {
  const judged = results.filter(({ state }) => state === 'passed' || state === 'failed');
  return rateOf(judged.map(({ state }) => state === 'passed'));
}

function attemptRate(results: readonly CaseResult[]): Rate {
  const groups = results.map((result) => counted(result).map(({ state }) => Number(state === 'passed')));
  const filled = groups.filter((group) => group.length > 0);
  const all = filled.flat();
  const interval = filled.length > 0 ? rounded(bootstrapClusters(filled)) : { low: 0, high: 1 };
  return { rate: all.length > 0 ? round(mean(all)) : null, of: all.length, interval };
}

/** For each k that every judged case was run often enough for. */
function repeats(results: readonly CaseResult[]): Pick<Metrics, 'pass_at_k' | 'pass_hat_k'> {
  const judged = results.filter(({ runs }) => runs > 0);
  const most = judged.length > 0 ? Math.min(...judged.map(({ runs }) => runs)) : 0;
  const pass_at_k: Record<string, number> = {};
  const pass_hat_k: Record<string, number> = {};
  for (let k = 1; k <= most; k++) {
    pass_at_k[k] = round(mean(judged.map(({ passes, runs }) => passAtK(passes, runs, k))));
    pass_hat_k[k] = round(mean(judged.map(({ passes, runs }) => passHatK(passes, runs, k))));
  }
  return { pass_at_k, pass_hat_k };
}

function measureTriggers(tried: readonly Tried[]): Record<string, SkillMetrics> {
  const skills = new Set(
    tried.flatMap(({ test: { skills }, attempt }) => [
      ...[...skills.required, ...skills.anyOf, ...skills.forbidden].map(skillName),
      ...(hasExpectation(skills) ? attempt.triggered.map(skillName) : []),
    ]),
  );
  const measured = [...skills].sort().map((skill) => [skill, measureSkill(skill, tried)] as const);
  return Object.fromEntries(measured);
}

function hasExpectation({ required, anyOf, forbidden, none }: Case['skills']): boolean {
  return none || required.length + anyOf.length + forbidden.length > 0;
}

function measureSkill(skill: string, tried: readonly Tried[]): SkillMetrics {
  const counts = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const one of tried) {
    const label = labelOf(skill, one);
    if (label === undefined) continue;
    const chosen = one.attempt.triggered.some((id) => skillName(id) === skill);
    if (label === 'wanted') counts[chosen ? 'tp' : 'fn']++;
    else counts[chosen ? 'fp' : 'tn']++;
  }
  const { tp, fp, fn, tn } = counts;
  const precision = ratio(tp, tp + fp);
  const recall = ratio(tp, tp + fn);
  const f1 = tp + fp + fn > 0 ? round((2 * tp) / (2 * tp + fp + fn)) : null;
  return { true_positives: tp, false_positives: fp, false_negatives: fn, true_negatives: tn, precision, recall, f1 };
}

/** A skill in addition to the right one does no harm; one instead of it is a confusion. */
function labelOf(skill: string, { test: { skills }, attempt }: Tried): 'wanted' | 'unwanted' | undefined {
  const { required, anyOf, forbidden, none, exact } = skills;
  const names = (list: readonly string[]) => list.map(skillName);
  if (names(forbidden).includes(skill) || none) return 'unwanted';
  if (names(required).includes(skill)) return 'wanted';
  const chosen = (name: string) => attempt.triggered.some((id) => isSkill(name, id));
  if (names(anyOf).includes(skill)) return anyOf.some(chosen) && !chosen(skill) ? undefined : 'wanted';
  if (required.length + anyOf.length === 0) return undefined;
  const missed = !required.every(chosen) || (anyOf.length > 0 && !anyOf.some(chosen));
  return exact || missed ? 'unwanted' : undefined;
}

function collide(tried: readonly Tried[]): Record<string, Record<string, number>> {
  const pairs = tried.flatMap(({ test, attempt }) =>
    wantedBy(test).flatMap((wanted) => chosenFor(wanted, test, attempt).map((chosen) => ({ wanted, chosen }))),
  );
  const rows = [...Map.groupBy(pairs, ({ wanted }) => wanted)].map(([wanted, group]) => {
    const cells = [...Map.groupBy(group, ({ chosen }) => chosen)].map(([chosen, times]) => [chosen, times.length]);
    return [wanted, Object.fromEntries(cells) as Record<string, number>] as const;
  });
  return Object.fromEntries(rows);
}

function wantedBy({ skills: { required, anyOf, none } }: Case): string[] {
  if (none) return [NONE];
  return (required.length > 0 ? required : anyOf.slice(0, 1)).map(skillName);
}

/** The wanted skill itself where it was chosen; otherwise those chosen instead. */
function chosenFor(wanted: string, { skills }: Case, { triggered }: Attempt): string[] {
  const chosen = triggered.map(skillName);
  const accepted = [wanted, ...skills.anyOf.map(skillName)].find((name) => chosen.includes(name));
  if (accepted !== undefined) return [accepted];
  const thieves = chosen.filter((name) => !skills.required.map(skillName).includes(name));
  return thieves.length > 0 ? thieves : [NONE];
}

function abstention(tried: readonly Tried[]): Rate {
  return rateOf(tried.filter(({ test }) => test.skills.none).map(({ attempt }) => attempt.triggered.length === 0));
}

function aspectRate(tried: readonly Tried[], aspect: Aspect): Rate {
  const judged = tried
    .map(({ attempt }) => attempt.judgements.filter((one) => one.aspect === aspect && one.ok !== undefined))
    .filter((judgements) => judgements.length > 0);
  return rateOf(judged.map((judgements) => judgements.every(({ ok }) => ok)));
}

function measureCost(attempts: readonly Attempt[]): Record<string, number> {
  const of = (value: (attempt: Attempt) => number) => Float64Array.from(attempts, value).sort();
  const spread = (name: string, values: Float64Array) => ({
    [`${name}_total`]: round(values.reduce((sum, value) => sum + value, 0)),
    [`${name}_p50`]: round(quantile(values, 0.5)),
    [`${name}_p95`]: round(quantile(values, 0.95)),
  });
  return {
    ...spread(
      'tokens',
      of(({ totals }) => totals.tokens),
    ),
    ...spread(
      'cost',
      of(({ totals }) => totals.cost),
    ),
    ...spread(
      'tool_calls',
      of(({ totals }) => totals.toolCalls),
    ),
    ...spread(
      'turns',
      of(({ totals }) => totals.turns),
    ),
    ...spread(
      'milliseconds',
      of(({ totals }) => totals.milliseconds),
    ),
  };
}

function rateOf(results: readonly boolean[]): Rate {
  const good = results.filter(Boolean).length;
  return { rate: ratio(good, results.length), of: results.length, interval: rounded(wilson(good, results.length)) };
}

function ratio(part: number, whole: number): number | null {
  return whole > 0 ? round(part / whole) : null;
}

function rounded({ low, high }: Interval): Interval {
  return { low: round(low), high: round(high) };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
