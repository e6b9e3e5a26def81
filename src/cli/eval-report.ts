// Reports of a suite: written to files in the wanted forms, and shown on a terminal.
import path from 'node:path';
import { makeFolder, writeFileAtomic } from '../base/files.ts';
import type { Language } from '../base/language.ts';
import { paint, renderTable, type Terminal } from '../base/terminal.ts';
import { visible } from '../base/text.ts';
import type { Rate } from '../evals/metrics.ts';
import { renderJunit } from '../evals/report/junit.ts';
import { renderMarkdown } from '../evals/report/markdown.ts';
import type { Report, ReportedCase } from '../evals/report/report.ts';

export const REPORT_FORMS = ['json', 'markdown', 'html', 'junit'] as const;
export type ReportForm = (typeof REPORT_FORMS)[number];

const FILES: Record<ReportForm, string> = {
  json: 'report.json',
  markdown: 'report.md',
  html: 'report.html',
  junit: 'junit.xml',
};

/** The paths, by form. */
export async function writeReports(
  report: Report,
  folder: string,
  forms: readonly ReportForm[],
  language: Language,
): Promise<Partial<Record<ReportForm, string>>> {
  makeFolder(folder, 0o755);
  const written: Partial<Record<ReportForm, string>> = {};
  for (const form of forms) {
    const file = path.join(folder, FILES[form]);
    writeFileAtomic(file, await render(report, form, language), { mode: 0o644 });
    written[form] = file;
  }
  return written;
}

async function render(report: Report, form: ReportForm, language: Language): Promise<string> {
  switch (form) {
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'markdown':
      return renderMarkdown(report);
    case 'junit':
      return renderJunit(report);
    case 'html':
      return (await import('../evals/report/html.ts')).renderHtml(report, language);
  }
}

export function showReport(report: Report, terminal: Terminal): string {
  const { cases, suspicions, comparison, uncovered } = report;
  const parts = [
    suspicions.map(({ code, message }) => paint(`${code}: ${visible(message.en)}`, 'red', terminal)).join('\n'),
    cases
      .filter(({ state }) => state !== 'passed')
      .map((one) => showCase(one, terminal))
      .join('\n'),
    (comparison?.flips ?? []).map(({ id, before, after }) => `${visible(id)}: ${before} → ${after}`).join('\n'),
    showRates(report, terminal),
    showTriggers(report, terminal),
    uncovered.length > 0 ? `no cases: ${uncovered.map(visible).join(', ')}` : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const MARKS = { passed: '✓', failed: '✗', error: '!', skipped: '-' } as const;

function showCase({ id, state, passes, runs, failures, file, line }: ReportedCase, terminal: Terminal): string {
  const color = state === 'skipped' ? 'dim' : 'red';
  const place = line === undefined ? file : `${file}:${line}`;
  const heading = `${paint(MARKS[state], color, terminal)} ${visible(id)} ${passes}/${runs} ${paint(visible(place), 'dim', terminal)}`;
  return [heading, ...failures.slice(0, 5).map((reason) => `    ${visible(reason)}`)].join('\n');
}

function showRates({ metrics }: Report, terminal: Terminal): string {
  const { pass_rate, attempts, abstention, sequence, output, cost } = metrics;
  const rates: [string, Rate][] = [
    ['cases', pass_rate],
    ['attempts', attempts],
    ['abstention', abstention],
    ['steps', sequence],
    ['output', output],
  ];
  const rows = rates
    .filter(([, { of }]) => of > 0)
    .map(([name, { rate, of, interval }]) => [name, String(rate), `${interval.low} – ${interval.high}`, String(of)]);
  const spent = ['tokens', 'tool_calls', 'turns'].map((name) => [name, String(cost[`${name}_total`] ?? 0), '', '']);
  const columns = [{ title: 'METRIC', style: 'cyan' as const }, { title: 'VALUE' }, { title: '95 %' }, { title: 'OF' }];
  return renderTable(columns, [...rows, ...spent], terminal);
}

function showTriggers({ metrics: { triggers } }: Report, terminal: Terminal): string {
  const rows = Object.entries(triggers).map(([skill, { precision, recall, f1 }]) => [
    skill,
    String(precision ?? '–'),
    String(recall ?? '–'),
    String(f1 ?? '–'),
  ]);
  if (rows.length === 0) return '';
  const columns = [
    { title: 'SKILL', style: 'cyan' as const },
    { title: 'PRECISION' },
    { title: 'RECALL' },
    { title: 'F1' },
  ];
  return renderTable(columns, rows, terminal);
}
