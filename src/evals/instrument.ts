// Checks the harness itself: two controls run first; results that no working harness gives are reported.
import type { Text } from '../base/language.ts';
import { type Attempt, attemptCase, type CaseResult, type RunCase } from './attempt.ts';
import { type Case, isTriggerCase, NO_SKILLS } from './case/case.ts';
import type { Metrics } from './metrics.ts';
import { skillName } from './trace.ts';

export interface Suspicion {
  readonly code: 'positive-control' | 'negative-control' | 'recall-zero' | 'all-same';
  readonly message: Text;
}

const SAID = 'control: the answer';

/** A run that certainly chooses the skill must be recognised; one that certainly does not must fail the same expectations. */
export async function runControls(runCase: RunCase, skill: string): Promise<Suspicion[]> {
  const choose = { action: { type: 'select_skills', skills: [{ name: skill }], reason: 'control' } };
  const answer = { action: { type: 'final_answer', content: SAID } };
  const positive = await attemptCase(control('control/positive', skill, [choose, answer]), 0, runCase, {});
  const negative = await attemptCase(control('control/negative', skill, [answer]), 0, runCase, {});
  return [...checkPositive(positive, skill), ...checkNegative(negative)];
}

function control(id: string, skill: string, mock: NonNullable<Case['mock']>): Case {
  return {
    id,
    file: '',
    turns: ['control'],
    files: {},
    budget: {},
    skills: { ...NO_SKILLS, required: [skill] },
    steps: [{ kind: 'in_order', steps: [{ step: 'load_skill', skill }, { step: 'final_answer' }] }],
    output: [{ kind: 'equals', value: SAID }],
    limits: { forbiddenTools: [], requiredTools: [] },
    mock,
    pass: 'all',
    tags: [],
  };
}

function checkPositive({ state, error, judgements }: Attempt, skill: string): Suspicion[] {
  if (state === 'passed') return [];
  const why = error ?? judgements.find(({ ok }) => ok === false)?.message ?? state;
  const en = `a run that chooses ${skill} was not recognised: ${why}`;
  return [{ code: 'positive-control', message: { en, zh: `选择了 ${skill} 的运行未被识别: ${why}` } }];
}

/** It has to fail by its skills and steps while its answer is recognised: then the judge can tell the difference. */
function checkNegative({ state, judgements, triggered, error }: Attempt): Suspicion[] {
  const of = (aspect: string) => judgements.filter((one) => one.aspect === aspect);
  const misses = [...of('skills'), ...of('steps')].every(({ ok }) => ok === false);
  const answers = of('output').every(({ ok }) => ok === true);
  if (state === 'failed' && misses && answers && triggered.length === 0) return [];
  const why = error ?? `state ${state}`;
  const en = `a run that chooses nothing was not recognised: ${why}`;
  return [{ code: 'negative-control', message: { en, zh: `未选择任何技能的运行未被识别: ${why}` } }];
}

const ENOUGH = 3;

export function findSuspicions(
  tests: readonly Case[],
  results: readonly CaseResult[],
  { triggers }: Pick<Metrics, 'triggers'>,
): Suspicion[] {
  return [...blindness(triggers), ...sameChoices(tests, results), ...sameFailures(results)];
}

/** A skill that is never chosen: precision looks perfect, recall is zero, and neither is meaningful. */
function blindness(triggers: Metrics['triggers']): Suspicion[] {
  const sum = (count: (one: Metrics['triggers'][string]) => number) =>
    Object.values(triggers).reduce((total, one) => total + count(one), 0);
  const chosen = sum(({ true_positives: right, false_positives: wrong }) => right + wrong);
  const missed = sum(({ false_negatives }) => false_negatives);
  if (chosen > 0 || missed < ENOUGH) return [];
  const en = `skills were wanted ${missed} times and never chosen, not even wrongly: look at the harness before the skills`;
  const zh = `技能应被选择 ${missed} 次却从未被选择，也从未被误选: 请先检查评测本身`;
  return [{ code: 'recall-zero', message: { en, zh } }];
}

/** Requests that want different skills, all answered with the same choice. */
function sameChoices(tests: readonly Case[], results: readonly CaseResult[]): Suspicion[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  const judged = tests.filter(isTriggerCase).flatMap((test) => {
    const attempts = byId.get(test.id)?.attempts.filter(({ state }) => state === 'passed' || state === 'failed') ?? [];
    return attempts.map(({ triggered }) => ({
      wanted: wantedOf(test),
      chosen: triggered.map(skillName).sort().join(', '),
    }));
  });
  const wanted = new Set(judged.map((one) => one.wanted));
  const chosen = new Set(judged.map((one) => one.chosen));
  if (judged.length < ENOUGH || wanted.size < 2 || chosen.size !== 1) return [];
  const [choice] = chosen;
  const en = `${judged.length} runs that want different skills all chose the same: ${choice || 'none'}`;
  return [
    { code: 'all-same', message: { en, zh: `${judged.length} 次期望不同的运行作出了相同的选择: ${choice || '无'}` } },
  ];
}

function wantedOf({ skills: { required, anyOf } }: Case): string {
  return [...required, ...anyOf].map(skillName).sort().join(', ');
}

/** Everything fails with the same message: that is one fault, not many. */
function sameFailures(results: readonly CaseResult[]): Suspicion[] {
  const judged = results.filter(({ state }) => state !== 'skipped');
  const reasons = new Set(judged.map(({ failures }) => failures[0]));
  if (judged.length < ENOUGH || judged.some(({ state }) => state === 'passed') || reasons.size !== 1) return [];
  const [reason] = reasons;
  const en = `all ${judged.length} cases fail in the same way: ${reason}`;
  return [{ code: 'all-same', message: { en, zh: `全部 ${judged.length} 个用例以相同方式失败: ${reason}` } }];
}
