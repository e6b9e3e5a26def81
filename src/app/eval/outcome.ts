// What a finished eval means: passed, failed or regressed, or nothing at all because the cases or the harness are at fault.

import { type Diagnostic, speak } from '../../base/diagnostic.ts';
import { Fault } from '../../base/errors.ts';
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { type Data, failedOutcome, makeOutcome, type Outcome } from '../../base/outcome.ts';
import { counted } from '../../base/text/counted.ts';
import { visible } from '../../base/text.ts';
import { speak as inWords } from '../../evals/report/label.ts';
import type { Report } from '../../evals/report/report.ts';
import type { Runtime } from '../runtime.ts';

/** `strict`: a skill without cases fails. */
export function concludeEval(report: Report, extra: Data, runtime: Runtime, strict: boolean): Outcome {
  const { suite, cases, metrics, verdict, suspicions, comparison, uncovered } = report;
  const data = {
    suite,
    cases: cases.map(({ id, state, passes, runs, failures }) => ({ id, state, passes, runs, failures })),
    metrics,
    verdict,
    suspicions: suspicions.map(({ code, message }) => ({ code, message: inLanguage(message, runtime.language) })),
    uncovered,
    ...(comparison && { comparison }),
    ...extra,
  };
  const by = runtime.answering('skillwright', 'own');
  const fault = faultOf(report, strict);
  if (fault) {
    const hint = inLanguage(fault.hint, runtime.language);
    return failedOutcome(by, fault, { ...data, hint }, { next: hint });
  }
  return makeOutcome(by, report.verdict === 'incomplete' ? 'partial' : 'success', summarize(report), data);
}

const COMPARED: Text = {
  en: '--json has what became worse under `comparison`, case by case.',
  zh: '--json 的 `comparison` 逐例列出退化之处。',
};
const UNCOVERED: Text = {
  en: '`skillwright eval new` makes a case of a run that went well.',
  zh: '`skillwright eval new` 可将一次成功的运行写成用例。',
};

function faultOf(
  { suspicions, metrics: { cases }, comparison, uncovered }: Report,
  strict: boolean,
): Fault | undefined {
  const [suspicion] = suspicions;
  if (suspicion) return new Fault('EvalInvalid', suspicion.message);
  if (cases.failed > 0)
    return new Fault(
      'CheckFailed',
      { en: `${cases.failed} of ${counted(cases.total, 'case')}`, zh: `${cases.total} 个用例中 ${cases.failed} 个` },
      {
        hint: {
          en: '--only ID runs one case alone, --out FOLDER writes what happened in each.',
          zh: '--only ID 单独运行一个用例，--out 目录 写出每个用例的过程。',
        },
      },
    );
  if (comparison?.verdict === 'regressed')
    return new Fault('CheckFailed', { en: 'worse than the baseline', zh: '较基线退化' }, { hint: COMPARED });
  if (cases.error > 0)
    return new Fault('EvalInvalid', { en: `${counted(cases.error, 'case')} broke`, zh: `${cases.error} 个用例出错` });
  if (strict && uncovered.length > 0) {
    const list = uncovered.map(visible).join(', ');
    return new Fault(
      'CheckFailed',
      { en: `no cases for ${list}`, zh: `以下技能没有用例: ${list}` },
      { hint: UNCOVERED },
    );
  }
  return undefined;
}

function summarize({ metrics: { cases }, verdict, comparison }: Report): Text {
  const skipped =
    cases.skipped > 0 ? { en: `, ${cases.skipped} not judged`, zh: `，${cases.skipped} 个未判定` } : { en: '', zh: '' };
  const change = describeChange(comparison);
  const word = comparison && verdict !== 'incomplete' ? 'passed' : verdict;
  return {
    en: `${word}: ${cases.passed} of ${counted(cases.total, 'case')}${skipped.en}${change.en}`,
    zh: `${inWords('zh')(word)}: ${cases.total} 个用例中 ${cases.passed} 个通过${skipped.zh}${change.zh}`,
  };
}

function describeChange(comparison: Report['comparison']): Text {
  if (!comparison) return { en: '', zh: '' };
  const { flips, verdict } = comparison;
  if (flips.length === 0) return { en: '; as in the baseline', zh: '；与基线一致' };
  return { en: `; ${flips.length} changed: ${verdict}`, zh: `；${flips.length} 个有变化: ${inWords('zh')(verdict)}` };
}

const SHOWN = 5;

/** Cases that cannot be used, all of them in its details. */
export function invalidCases(mistakes: readonly Diagnostic[]): Fault {
  const rest = mistakes.length - SHOWN;
  const more = rest > 0 ? { en: ` and ${rest} more`, zh: `，另有 ${rest} 处` } : { en: '', zh: '' };
  const detail = { en: sayMistakes(mistakes, 'en') + more.en, zh: sayMistakes(mistakes, 'zh') + more.zh };
  return new Fault('EvalInvalid', detail, { details: { diagnostics: speak(mistakes, 'en') } });
}

function sayMistakes(mistakes: readonly Diagnostic[], language: Language): string {
  const said = speak(mistakes.slice(0, SHOWN), language).map(({ path, line, message, fix }) => {
    const place = line === undefined ? path : `${path}:${line}`;
    return `${place}: ${message}${fix === undefined ? '' : ` (${fix})`}`;
  });
  return visible(said.join('; '));
}
