// Runs suites of cases offline, each case in a world of its own, and reports whether skills still do what they did.
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { type SpokenDiagnostic, speak } from '../../base/diagnostic.ts';
import { Fault } from '../../base/errors.ts';
import { jsonIfValid } from '../../base/json.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { isFlag, isMapOf } from '../../base/value/shape.ts';
import type { Case } from '../../evals/case/case.ts';
import type { Report } from '../../evals/report/report.ts';
import type { SuiteProgress, SuiteResult } from '../../evals/run-suite.ts';
import type { Runtime } from '../runtime.ts';
import { invalidCases } from './outcome.ts';
import { type Chosen, chooseSuites, findUncovered } from './suite.ts';

export interface EvalChoice {
  /** Files, names below .agent/evals, or skills; everything of the project where there is none. */
  readonly suites: readonly string[];
  /** Also the cases of user and built-in skills. */
  readonly all: boolean;
  /** Only these cases. */
  readonly ids: readonly string[];
  /** Only cases with such a tag. */
  readonly tags: readonly string[];
}

export interface LoadedCases {
  readonly chosen: Chosen;
  readonly cases: readonly Case[];
  readonly warnings: readonly SpokenDiagnostic[];
}

export interface EvalOrder {
  readonly model: string;
  readonly yes: boolean;
  readonly stop: AbortSignal;
  readonly onProgress?: (progress: SuiteProgress) => void;
  readonly repeat?: number | undefined;
  readonly workers?: number | undefined;
  /** Begin no further case above this cost. */
  readonly maxCost?: number | undefined;
  /** A file of verdicts on rubrics. */
  readonly judge?: string | undefined;
  /** A file that results are kept in, and gone on from. */
  readonly journal?: string | undefined;
  /** An earlier report.json. */
  readonly baseline?: string | undefined;
}

export interface Evaluated {
  readonly report: Report;
  /** Cases that were stopped, or cost too much, before they began. */
  readonly notBegun: number;
}

const MOST_WORKERS = 4;

/** Throws a Fault that lists every case that cannot be used: a suite with such cases says nothing. */
export async function loadCases(runtime: Runtime, choice: EvalChoice): Promise<LoadedCases> {
  runtime.requireConfig();
  const chosen = chooseSuites(runtime, choice.suites, choice.all);
  const [{ readSuites }, { lintCase }] = await Promise.all([
    import('../../evals/case/suite.ts'),
    import('../../evals/lint.ts'),
  ]);
  const { cases, diagnostics } = await readSuites(chosen.files, chosen.name);
  const linted = [...diagnostics];
  for (const test of cases) linted.push(...(await lintCase(test)));
  const mistakes = linted.filter(({ severity }) => severity === 'error');
  if (mistakes.length > 0) throw invalidCases(mistakes);
  const wanted = cases.filter((test) => isWanted(test, choice));
  if (wanted.length === 0) throw new Fault('EvalInvalid', { en: 'no case fits', zh: '没有符合条件的用例' });
  return { chosen, cases: wanted, warnings: speak(linted, runtime.language) };
}

export async function evaluate(loaded: LoadedCases, runtime: Runtime, order: EvalOrder): Promise<Evaluated> {
  const result = await runCases(loaded.cases, runtime, order);
  return { report: await buildReport(loaded, result, runtime, order.baseline), notBegun: result.notBegun };
}

function isWanted(test: Case, { ids, tags }: EvalChoice): boolean {
  const isNamed = ids.length === 0 || ids.includes(test.id);
  return isNamed && (tags.length === 0 || test.tags.some((tag) => tags.includes(tag)));
}

async function runCases(cases: readonly Case[], runtime: Runtime, order: EvalOrder): Promise<SuiteResult> {
  const [{ openEvalWorld }, { runSuite }, { openJournal }] = await Promise.all([
    import('./world.ts'),
    import('../../evals/run-suite.ts'),
    import('../../evals/journal.ts'),
  ]);
  const { repeat, maxCost, stop, workers = Math.min(MOST_WORKERS, availableParallelism()) } = order;
  const judge = await readJudge(order.judge);
  const world = openEvalWorld(runtime, { model: order.model, yes: order.yes });
  const journal = order.journal === undefined ? undefined : openJournal(path.resolve(order.journal));
  try {
    return await runSuite(cases, {
      runCase: world.runCase,
      controlSkill: controlSkill(runtime),
      workers,
      stop,
      ...(judge && { judge }),
      ...(repeat !== undefined && { repeat }),
      ...(maxCost !== undefined && { maxCost }),
      ...(journal && { done: journal.done }),
      onAttempt: (key, attempt, progress) => {
        journal?.add(key, attempt);
        order.onProgress?.(progress);
      },
    });
  } finally {
    journal?.close();
    world.close();
  }
}

/** Any skill whose instructions a model may read. */
function controlSkill(runtime: Runtime): string {
  const usable = runtime
    .index()
    .skills.find(
      ({ state, manifest }) => state === 'visible' && !manifest.disableModelInvocation && manifest.runMode === 'inline',
    );
  if (usable) return usable.name;
  throw new Fault('EvalInvalid', { en: 'there is no skill to control the harness with', zh: '没有可用于对照的技能' });
}

async function buildReport(
  { chosen: { name, skills }, cases: tests }: LoadedCases,
  result: SuiteResult,
  runtime: Runtime,
  baseline: string | undefined,
): Promise<Report> {
  const { makeReport } = await import('../../evals/report/report.ts');
  const compared = baseline === undefined ? undefined : await compareWith(path.resolve(baseline), result);
  const uncovered = findUncovered(skills, tests);
  const facts = { suite: name, base: runtime.project, now: runtime.clock.now(), tests, uncovered };
  return makeReport({ ...facts, ...result, ...compared });
}

async function compareWith(file: string, { results }: SuiteResult) {
  const [{ readBaseline }, { compareResults }] = await Promise.all([
    import('../../evals/report/baseline.ts'),
    import('../../evals/compare.ts'),
  ]);
  const earlier = readBaseline(file);
  return { earlier, comparison: compareResults(earlier, results) };
}

async function readJudge(file: string | undefined) {
  if (file === undefined) return undefined;
  const text = readTextIfThere(path.resolve(file));
  if (text === undefined)
    throw new Fault('EvalInvalid', { en: `there is no file ${visible(file)}`, zh: `没有文件 ${visible(file)}` });
  const verdicts = jsonIfValid(text);
  if (!areVerdicts(verdicts) || Object.keys(verdicts).length === 0)
    throw new Fault('EvalInvalid', { en: `${visible(file)} holds no verdicts`, zh: `${visible(file)} 中没有判定` });
  const { scriptedJudge } = await import('../../evals/judge.ts');
  return scriptedJudge(verdicts);
}

const areVerdicts = isMapOf(isFlag);
