// The report of a suite as a terminal shows it.
import type { Language, Text } from '../../base/language.ts';
import { paint, renderTable, type Terminal } from '../../base/text/terminal.ts';
import { visible } from '../../base/text.ts';
import type { Comparison } from '../../evals/compare.ts';
import type { Rate } from '../../evals/metrics.ts';
import { percent, signed } from '../../evals/report/html-text.ts';
import { type Label, type Say, speak } from '../../evals/report/label.ts';
import type { Report, ReportedCase } from '../../evals/report/report.ts';
import { titledColumns } from './titled-columns.ts';

/** Why a case was not judged is mostly the same for all of them. */
const SKIPPED_SHOWN = 5;

export function showReport(report: Report, terminal: Terminal, language: Language): string {
  const { cases, suspicions, comparison, uncovered } = report;
  const say = speak(language);
  const bad = cases.filter(({ state }) => state === 'failed' || state === 'error');
  const skipped = cases.filter(({ state }) => state === 'skipped');
  const parts = [
    suspicions.map(({ code, message }) => paint(`${code}: ${visible(message[language])}`, 'red', terminal)).join('\n'),
    [...bad, ...skipped.slice(0, SKIPPED_SHOWN)].map((one) => showCase(one, terminal, say)).join('\n'),
    skipped.length > SKIPPED_SHOWN ? `… +${skipped.length - SKIPPED_SHOWN} ${say('skipped')}` : '',
    comparison ? showComparison(comparison, terminal, say) : '',
    showRates(report, terminal, language),
    showTriggers(report, terminal, say),
    uncovered.length > 0 ? `${say('uncovered')}: ${uncovered.map(visible).join(', ')}` : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const MARKS = { passed: '✓', failed: '✗', error: '!', skipped: '-' } as const;

function showCase(
  { id, state, passes, runs, failures, file, line }: ReportedCase,
  terminal: Terminal,
  say: Say,
): string {
  const color = state === 'skipped' ? 'dim' : 'red';
  const place = line === undefined ? file : `${file}:${line}`;
  const how = runs > 0 ? `${passes}/${runs}` : say(state);
  const heading = `${paint(MARKS[state], color, terminal)} ${visible(id)} ${how} ${paint(visible(place), 'dim', terminal)}`;
  return [heading, ...failures.slice(0, 5).map((reason) => `    ${visible(say.reason(reason))}`)].join('\n');
}

function showComparison({ verdict, difference, interval, p, flips }: Comparison, terminal: Terminal, say: Say): string {
  const color = verdict === 'regressed' ? 'red' : verdict === 'improved' ? 'green' : 'yellow';
  const range = `${signed(interval.low)} … ${signed(interval.high)}`;
  const heading = `${say('baseline')}: ${paint(say(verdict), color, terminal)} ${signed(difference)} (95 %: ${range}, p = ${p})`;
  const lines = flips.map(
    ({ id, before, after, direction }) => `  ${direction === 'worse' ? '↓' : '↑'} ${visible(id)} ${before} → ${after}`,
  );
  return [heading, ...(lines.length > 0 ? lines : [`  ${say('unchanged')}`])].join('\n');
}

const RATE_TITLES: readonly Text[] = [
  { en: 'METRIC', zh: '指标' },
  { en: 'VALUE', zh: '值' },
  { en: '95 %', zh: '95 %' },
  { en: 'OF', zh: '总数' },
];

function showRates({ metrics }: Report, terminal: Terminal, language: Language): string {
  const say = speak(language);
  const { pass_rate: cases, attempts, abstention, sequence, output, cost } = metrics;
  const rates = Object.entries({ cases, attempts, abstention, sequence, output }) as [Label, Rate][];
  const rows = rates
    .filter(([, { of }]) => of > 0)
    .map(([name, { rate, of, interval }]) => [
      say(name),
      share(rate),
      `${percent(interval.low)} – ${percent(interval.high)}`,
      String(of),
    ]);
  const total = (name: string) => String(Math.round(cost[name] ?? 0));
  const spent = [
    ...(['tokens', 'tool_calls', 'turns', 'milliseconds'] as const).map((name) => [say(name), total(`${name}_total`)]),
    ...['p50', 'p95'].map((part) => [`${say('milliseconds')} ${part}`, total(`milliseconds_${part}`)]),
  ].map((row) => [...row, '', '']);
  return renderTable(titledColumns(RATE_TITLES, language), [...rows, ...spent], terminal);
}

function showTriggers({ metrics: { triggers } }: Report, terminal: Terminal, say: Say): string {
  const rows = Object.entries(triggers).map(([skill, { precision, recall, f1 }]) => [
    skill,
    share(precision),
    share(recall),
    share(f1),
  ]);
  if (rows.length === 0) return '';
  const titles = [say('skill'), say('precision'), say('recall'), 'F1'].map((title) => title.toUpperCase());
  const columns = titles.map((title, at) => (at === 0 ? { title, style: 'cyan' as const } : { title }));
  return renderTable(columns, rows, terminal);
}

function share(value: number | null): string {
  return value === null ? '–' : percent(value);
}
