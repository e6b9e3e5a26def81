// `eval`: runs suites of cases offline and says whether skills still trigger, behave and answer.
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { type Chosen, chooseSuites, findUncovered } from '../../../app/eval-suite.ts';
import type { Diagnostic } from '../../../base/diagnostic.ts';
import { Fault } from '../../../base/errors.ts';
import { isRecord, parseJson } from '../../../base/json.ts';
import { inLanguage, type Language } from '../../../base/language.ts';
import { readTextIfThere } from '../../../base/read-file.ts';
import { visible } from '../../../base/text.ts';
import type { Case } from '../../../evals/case/case.ts';
import type { Report } from '../../../evals/report/report.ts';
import type { SuiteProgress, SuiteResult } from '../../../evals/run-suite.ts';
import {
  type Command,
  type CommandContext,
  isOn,
  listOption,
  type OptionValues,
  textOption,
} from '../../frame/command.ts';
import { renderDiagnostics } from '../../view/diagnostic.ts';
import { conclude, invalidCases } from '../../view/eval-outcome.ts';
import { REPORT_FORMS, type ReportForm, showReport, writeReports } from '../../view/eval-report.ts';
import { openProgressLine } from '../../view/show-progress.ts';

export const command: Command = {
  positionals: [
    {
      name: 'suite',
      many: true,
      skill: true,
      summary: {
        en: 'a file of cases, a name below .agent/evals, or a skill; everything of the project unless given',
        zh: '用例文件、.agent/evals 下的名称或技能；默认项目中的全部',
      },
    },
  ],
  options: [
    { name: 'all', summary: { en: 'also the cases of user and built-in skills', zh: '包括用户技能与内置技能的用例' } },
    { name: 'repeat', value: 'N', summary: { en: 'run each case so often', zh: '每个用例运行的次数' } },
    { name: 'only', value: 'ID', many: true, summary: { en: 'only these cases', zh: '只运行这些用例' } },
    {
      name: 'tag',
      value: 'TAG',
      many: true,
      summary: { en: 'only cases with such a tag', zh: '只运行带此标签的用例' },
    },
    {
      name: 'model',
      value: 'MODEL',
      summary: {
        en: 'for cases without a script: offline, mock:<file>, recorded:<file>',
        zh: '无脚本用例所用模型: offline、mock:<文件>、recorded:<文件>',
      },
    },
    { name: 'workers', value: 'N', summary: { en: 'how many run at a time', zh: '并行数量' } },
    {
      name: 'max-cost',
      value: 'AMOUNT',
      summary: { en: 'begin no further case above this cost', zh: '超过此费用后不再开始新的用例' },
    },
    {
      name: 'baseline',
      value: 'FILE',
      summary: { en: 'compare with an earlier report.json', zh: '与之前的 report.json 比较' },
    },
    { name: 'strict', summary: { en: 'a skill without cases fails', zh: '没有用例的技能视为失败' } },
    {
      name: 'judge',
      value: 'FILE',
      summary: { en: 'verdicts on rubrics: {"rubric": true}', zh: '评语判定: {"评语": true}' },
    },
    {
      name: 'journal',
      value: 'FILE',
      summary: { en: 'keep results here and go on from them', zh: '在此保存结果并可由此继续' },
    },
    { name: 'out', value: 'FOLDER', summary: { en: 'write reports here', zh: '报告输出目录' } },
    {
      name: 'report',
      value: 'FORM',
      many: true,
      choices: REPORT_FORMS,
      summary: { en: 'which reports; all unless given', zh: '报告格式；默认全部' },
    },
  ],
  examples: [
    'skillwright eval',
    'skillwright eval markdown-converter --repeat 3 --out reports',
    'skillwright eval --baseline reports/report.json --strict',
  ],
  about: {
    en: 'Judged by what was executed, never by what was said about it. Two controls run first. Exit 0: passed; 1: failed or regressed; 2: the cases or the harness are at fault.',
    zh: '依据实际执行而非文字描述进行判定，先运行两个对照。退出码 0 通过，1 失败或退化，2 用例或评测本身有误。',
  },
  async run(context) {
    const { positionals, options, runtime, terminal } = context;
    runtime.requireConfig();
    const chosen = chooseSuites(runtime, positionals, isOn(options, 'all'));
    const { cases, warnings } = await loadCases(chosen, options);
    if (warnings.length > 0) process.stderr.write(`${renderDiagnostics(warnings, runtime.project, terminal)}\n`);
    const result = await runCases(cases, context);
    const report = await buildReport(chosen, cases, result, context);
    const out = textOption(options, 'out');
    const reports =
      out === undefined ? {} : await writeReports(report, path.resolve(out), formsOf(options), runtime.language);
    const outcome = conclude(report, { reports, diagnostics: warnings }, context);
    const hint = result.notBegun > 0 ? goOn(options, runtime.language) : undefined;
    return { outcome, ...(hint !== undefined && { hint }), human: showReport(report, terminal, runtime.language) };
  },
};

/** Throws a Fault that lists every case that cannot be used: a suite with such cases says nothing. */
async function loadCases(chosen: Chosen, options: OptionValues): Promise<{ cases: Case[]; warnings: Diagnostic[] }> {
  const [{ readSuites }, { lintCase }] = await Promise.all([
    import('../../../evals/case/suite.ts'),
    import('../../../evals/lint.ts'),
  ]);
  const { cases, diagnostics } = await readSuites(chosen.files, chosen.name);
  const linted = [...diagnostics];
  for (const test of cases) linted.push(...(await lintCase(test)));
  const mistakes = linted.filter(({ severity }) => severity === 'error');
  if (mistakes.length > 0) throw invalidCases(mistakes);
  const wanted = choose(cases, options);
  if (wanted.length === 0) throw new Fault('EvalInvalid', { en: 'no case fits', zh: '没有符合条件的用例' });
  return { cases: wanted, warnings: linted };
}

function choose(cases: readonly Case[], options: OptionValues): Case[] {
  const ids = listOption(options, 'only');
  const tags = listOption(options, 'tag');
  return cases.filter(
    (test) =>
      (ids.length === 0 || ids.includes(test.id)) && (tags.length === 0 || test.tags.some((tag) => tags.includes(tag))),
  );
}

async function runCases(cases: readonly Case[], { options, runtime, terminal }: CommandContext): Promise<SuiteResult> {
  const [{ openEvalWorld }, { runSuite }, { openJournal }] = await Promise.all([
    import('../../../app/eval-world.ts'),
    import('../../../evals/run-suite.ts'),
    import('../../../evals/journal.ts'),
  ]);
  const judge = await readJudge(textOption(options, 'judge'));
  const maxCost = numberOption(options, 'max-cost');
  const repeat = numberOption(options, 'repeat');
  const journalFile = textOption(options, 'journal');
  const world = openEvalWorld(runtime, { model: textOption(options, 'model') ?? 'offline', yes: isOn(options, 'yes') });
  const journal = journalFile === undefined ? undefined : openJournal(path.resolve(journalFile));
  const line = process.stderr.isTTY ? openProgressLine(process.stderr, terminal.width) : undefined;
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.once('SIGINT', abort);
  try {
    return await runSuite(cases, {
      runCase: world.runCase,
      controlSkill: controlSkill(runtime),
      workers: numberOption(options, 'workers') ?? Math.min(4, availableParallelism()),
      stop: stop.signal,
      ...(judge && { judge }),
      ...(repeat !== undefined && { repeat }),
      ...(maxCost !== undefined && { maxCost }),
      ...(journal && { done: journal.done }),
      onAttempt: (key, attempt, progress) => {
        journal?.add(key, attempt);
        line?.show({ fraction: progress.done / progress.total, message: told(progress) });
      },
    });
  } finally {
    process.removeListener('SIGINT', abort);
    line?.clear();
    journal?.close();
    world.close();
  }
}

/** What was not begun is begun when the same is run again with the journal that was kept. */
function goOn(options: OptionValues, language: Language): string {
  const journal = textOption(options, 'journal');
  const text =
    journal === undefined
      ? {
          en: 'With --journal FILE the next run goes on where this one ended.',
          zh: '使用 --journal FILE 可从中断处继续。',
        }
      : { en: 'Run the same again to go on from the journal.', zh: '再次运行相同命令即可从日志继续。' };
  return inLanguage(text, language);
}

function told({ done, total, failed }: SuiteProgress): string {
  return failed > 0 ? `${done}/${total}, ${failed} ✗` : `${done}/${total}`;
}

/** Any skill whose instructions a model may read. */
function controlSkill({ index }: CommandContext['runtime']): string {
  const usable = index().skills.find(
    ({ state, manifest }) => state === 'visible' && !manifest.disableModelInvocation && manifest.runMode === 'inline',
  );
  if (usable) return usable.name;
  throw new Fault('EvalInvalid', { en: 'there is no skill to control the harness with', zh: '没有可用于对照的技能' });
}

async function buildReport(
  { name, skills }: Chosen,
  tests: readonly Case[],
  result: SuiteResult,
  { options, runtime }: CommandContext,
): Promise<Report> {
  const { makeReport } = await import('../../../evals/report/report.ts');
  const baseline = textOption(options, 'baseline');
  const compared = baseline === undefined ? undefined : await compareWith(path.resolve(baseline), result);
  const uncovered = findUncovered(skills, tests);
  return makeReport({
    suite: name,
    base: runtime.project,
    now: runtime.clock.now(),
    tests,
    ...result,
    uncovered,
    ...compared,
  });
}

async function compareWith(file: string, { results }: SuiteResult) {
  const [{ readBaseline }, { compareResults }] = await Promise.all([
    import('../../../evals/report/baseline.ts'),
    import('../../../evals/compare.ts'),
  ]);
  const earlier = readBaseline(file);
  return { earlier, comparison: compareResults(earlier, results) };
}

async function readJudge(file: string | undefined) {
  if (file === undefined) return undefined;
  const text = readTextIfThere(path.resolve(file));
  if (text === undefined)
    throw new Fault('EvalInvalid', { en: `there is no file ${visible(file)}`, zh: `没有文件 ${visible(file)}` });
  const value = parseJson(text);
  const verdicts = isRecord(value) ? Object.entries(value) : [];
  if (verdicts.length === 0 || verdicts.some(([, pass]) => typeof pass !== 'boolean'))
    throw new Fault('EvalInvalid', { en: `${visible(file)} holds no verdicts`, zh: `${visible(file)} 中没有判定` });
  const { scriptedJudge } = await import('../../../evals/judge.ts');
  return scriptedJudge(Object.fromEntries(verdicts) as Record<string, boolean>);
}

function formsOf(options: OptionValues): readonly ReportForm[] {
  const wanted = listOption(options, 'report');
  return wanted.length === 0 ? REPORT_FORMS : REPORT_FORMS.filter((form) => wanted.includes(form));
}

function numberOption(options: OptionValues, name: string): number | undefined {
  const written = textOption(options, name);
  if (written === undefined) return undefined;
  const value = Number(written);
  if (written.trim() !== '' && value > 0 && (name === 'max-cost' || Number.isSafeInteger(value))) return value;
  const shown = visible(written);
  throw new Fault('Usage', {
    en: `--${name} takes a number above 0, not ${shown}`,
    zh: `--${name} 需要大于 0 的数值，而不是 ${shown}`,
  });
}
