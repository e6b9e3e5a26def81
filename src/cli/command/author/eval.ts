// `eval`: runs suites of cases offline and says whether skills still trigger, behave and answer.
import path from 'node:path';
import { concludeEval } from '../../../app/eval/outcome.ts';
import { REPORT_FORMS, type ReportForm, writeReports } from '../../../app/eval/report.ts';
import { type EvalOrder, evaluate, loadCases } from '../../../app/eval/run.ts';
import { Fault } from '../../../base/errors.ts';
import { inLanguage, type Language } from '../../../base/language.ts';
import { visible } from '../../../base/text.ts';
import type { SuiteProgress } from '../../../evals/run-suite.ts';
import { type Command, isOn, listOption, type OptionValues, textOption } from '../../frame/command.ts';
import { renderDiagnostics } from '../../view/diagnostic.ts';
import { showReport } from '../../view/eval-report.ts';
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
    { name: 'repeat', value: 'N', summary: { en: 'how many times to run each case', zh: '每个用例运行的次数' } },
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
      summary: { en: 'keep results here and resume from them', zh: '在此保存结果并可由此继续' },
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
  async run({ positionals, options, runtime, terminal }) {
    const { language } = runtime;
    const choice = {
      suites: positionals,
      all: isOn(options, 'all'),
      ids: listOption(options, 'only'),
      tags: listOption(options, 'tag'),
    };
    const loaded = await loadCases(runtime, choice);
    const { warnings } = loaded;
    if (warnings.length > 0) process.stderr.write(`${renderDiagnostics(warnings, runtime.project, terminal)}\n`);
    using watched = watchEval(options, terminal.width);
    const { report, notBegun } = await evaluate(loaded, runtime, watched.order);
    const out = textOption(options, 'out');
    const reports = out === undefined ? {} : await writeReports(report, path.resolve(out), formsOf(options), language);
    const outcome = concludeEval(report, { reports, diagnostics: warnings }, runtime, isOn(options, 'strict'));
    const hint = notBegun > 0 ? goOn(options, language) : outcome.next;
    return { outcome, ...(hint !== undefined && { hint }), human: showReport(report, terminal, language) };
  },
};

/** With a line of progress, and Ctrl-C that begins no further case. */
function watchEval(options: OptionValues, width: number): Disposable & { readonly order: EvalOrder } {
  const order = {
    model: textOption(options, 'model') ?? 'offline',
    yes: isOn(options, 'yes'),
    repeat: numberOption(options, 'repeat'),
    workers: numberOption(options, 'workers'),
    maxCost: numberOption(options, 'max-cost'),
    judge: textOption(options, 'judge'),
    journal: textOption(options, 'journal'),
    baseline: textOption(options, 'baseline'),
  };
  const line = process.stderr.isTTY ? openProgressLine(process.stderr, width) : undefined;
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.once('SIGINT', abort);
  const onProgress = (progress: SuiteProgress) =>
    line?.show({ fraction: progress.done / progress.total, message: told(progress) });
  return {
    order: { ...order, stop: stop.signal, onProgress },
    [Symbol.dispose]() {
      process.removeListener('SIGINT', abort);
      line?.clear();
    },
  };
}

/** What was not begun is begun when the same is run again with the journal that was kept. */
function goOn(options: OptionValues, language: Language): string {
  const journal = textOption(options, 'journal');
  const text =
    journal === undefined
      ? {
          en: 'With --journal FILE the next run resumes where this one ended.',
          zh: '使用 --journal FILE 可从中断处继续。',
        }
      : { en: 'Run the same command again to resume from the journal.', zh: '再次运行相同命令即可从日志继续。' };
  return inLanguage(text, language);
}

function told({ done, total, failed }: SuiteProgress): string {
  return failed > 0 ? `${done}/${total}, ${failed} ✗` : `${done}/${total}`;
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
