// `eval routing`: how well the router finds the right skill, measured on a labelled set.
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { renderTable, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { RoutingReport, RoutingStep } from '../../../evals/routing/routing.ts';
import type { Command } from '../../frame/command.ts';
import { titledColumns } from '../../view/titled-columns.ts';

const STEPS: Record<RoutingStep, Text> = {
  index: { en: 'indexing skills:', zh: '建立技能索引:' },
  requests: { en: 'ranking requests:', zh: '检索请求:' },
  intervals: { en: 'computing intervals:', zh: '计算置信区间:' },
};

export const command: Command = {
  positionals: [
    {
      name: 'folder',
      required: true,
      summary: {
        en: 'with pool.jsonl, queries.jsonl and negatives.jsonl',
        zh: '含 pool.jsonl、queries.jsonl 和 negatives.jsonl',
      },
    },
  ],
  options: [],
  examples: ['skillwright eval routing ./routing', 'skillwright eval routing ./routing --json'],
  about: {
    en: 'Recall at 1, 5, 10 and 20, MRR and near misses with intervals at 95 %, by language, and what a request costs.',
    zh: '给出 1、5、10、20 处的召回率、MRR 与误选率及其 95 % 置信区间，按语言细分，以及每次请求的开销。',
  },
  async run({ positionals, runtime, terminal }) {
    const { measureRouting } = await import('../../../app/eval/routing.ts');
    const { outcome, report } = measureRouting(positionals[0] ?? '', runtime, (step, count) =>
      process.stderr.write(`${inLanguage(STEPS[step], runtime.language)} ${count}\n`),
    );
    return { outcome, human: renderReport(report, runtime.language, terminal) };
  },
};

const TITLES: readonly Text[] = [
  { en: 'METRIC', zh: '指标' },
  { en: 'VALUE', zh: '值' },
  { en: '95 %', zh: '95 %' },
];

function renderReport(
  { metrics, by_language, intervals }: RoutingReport,
  language: Language,
  terminal: Terminal,
): string {
  const all = Object.entries(metrics).map(([name, value]) => {
    const interval = intervals[name];
    return [name, String(value), interval ? `${interval.low} – ${interval.high}` : ''];
  });
  const languages = Object.entries(by_language).flatMap(([spoken, values]) =>
    Object.entries(values).map(([name, value]) => [`${visible(spoken)} ${name}`, String(value), '']),
  );
  return renderTable(titledColumns(TITLES, language), [...all, ...languages], terminal);
}
