// `eval routing`: how well the router finds the right skill, measured on a labelled set.
import path from 'node:path';
import type { Text } from '../../../base/language.ts';
import { inLanguage } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { RoutingReport, RoutingStep } from '../../../evals/routing/routing.ts';
import { renderCatalog } from '../../../loader/catalog.ts';
import type { Command } from '../../frame/command.ts';

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
    const { evaluateRouting } = await import('../../../evals/routing/routing.ts');
    const report = evaluateRouting(path.resolve(positionals[0] ?? ''), {
      catalogTokens,
      onStep: (step, count) => process.stderr.write(`${inLanguage(STEPS[step], runtime.language)} ${count}\n`),
    });
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', summarize(report), { ...report });
    return { outcome, human: renderReport(report, terminal) };
  },
};

/** The catalog a model would get of these skills. */
function catalogTokens(skills: readonly { name: string; description: string }[]): number {
  const entries = skills.map(({ name, description }, at) => ({
    skillId: `project:${at}`,
    name,
    source: 'project' as const,
    state: 'visible' as const,
    manifest: { description, disableModelInvocation: false },
  }));
  return renderCatalog(entries, { shortlist: () => entries.map(({ skillId }) => skillId) }).tokens;
}

function summarize({ pool, queries, metrics }: RoutingReport): Text {
  const recall = (metrics['recall@10'] ?? 0).toFixed(3);
  return {
    en: `recall@10 ${recall} over ${queries} requests and ${pool} skills`,
    zh: `recall@10 ${recall}: ${queries} 个请求, ${pool} 个技能`,
  };
}

function renderReport({ metrics, by_language, intervals }: RoutingReport, terminal: Terminal): string {
  const all = Object.entries(metrics).map(([name, value]) => {
    const interval = intervals[name];
    return [name, String(value), interval ? `${interval.low} – ${interval.high}` : ''];
  });
  const languages = Object.entries(by_language).flatMap(([language, values]) =>
    Object.entries(values).map(([name, value]) => [`${visible(language)} ${name}`, String(value), '']),
  );
  return renderTable(
    [{ title: 'METRIC', style: 'cyan' }, { title: 'VALUE' }, { title: '95 %' }],
    [...all, ...languages],
    terminal,
  );
}
