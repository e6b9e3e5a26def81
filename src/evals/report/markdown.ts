// The report for a pull request: the verdict, what changed, what failed and why.
import { visible } from '../../base/text.ts';
import type { Metrics, Rate } from '../metrics.ts';
import type { Report, ReportedCase } from './report.ts';

/**
 * The report for a pull request.
 * @example
 * writeFileSync('report.md', renderMarkdown(report));
 */
export function renderMarkdown(report: Report): string {
  const { suite, verdict, metrics, cases, suspicions, comparison, uncovered } = report;
  const { passed, failed, error, skipped, total } = metrics.cases;
  return `${[
    `# Eval ${cell(suite)}: ${verdict}`,
    `${passed} of ${total} cases passed, ${failed} failed, ${error} broke, ${skipped} were not judged.`,
    section(
      'This harness is suspect',
      suspicions.map(({ code, message }) => `- **${code}**: ${cell(message.en)}`),
    ),
    comparison && compareSection(comparison),
    section('Failed', cases.filter(({ state }) => state === 'failed' || state === 'error').map(failedCase)),
    `## Rates\n\n${ratesTable(metrics)}`,
    costSection(metrics),
    triggersSection(metrics),
    collisionsSection(metrics),
    section(
      'Skills without a case',
      uncovered.map((name) => `- ${cell(name)}`),
    ),
  ]
    .filter(Boolean)
    .join('\n\n')}\n`;
}

function compareSection({
  verdict,
  difference,
  interval,
  p,
  compared,
  flips,
  added,
  removed,
}: NonNullable<Report['comparison']>): string {
  const signed = (value: number) => `${value > 0 ? '+' : ''}${percent(value)}`;
  const lines = flips.map(
    ({ id, before, after, direction }) => `| ${cell(id)} | ${before} | ${after} | ${direction} |`,
  );
  return [
    `## Against the baseline: ${verdict}`,
    `${compared} cases on both sides: ${signed(difference)} (95 %: ${signed(interval.low)} to ${signed(interval.high)}, McNemar p = ${p}).`,
    lines.length > 0 ? `| case | before | after | |\n|---|---|---|---|\n${lines.join('\n')}` : 'No case changed.',
    ...(added.length > 0 ? [`New: ${added.map(cell).join(', ')}`] : []),
    ...(removed.length > 0 ? [`Gone: ${removed.map(cell).join(', ')}`] : []),
  ].join('\n\n');
}

function failedCase({ id, passes, runs, failures, state }: ReportedCase): string {
  const how = state === 'error' ? 'broke' : `${passes}/${runs}`;
  return `- **${cell(id)}** (${how})\n${failures.map((reason) => `  - ${cell(reason)}`).join('\n')}`;
}

function ratesTable({ pass_rate, attempts, abstention, sequence, output, pass_at_k, pass_hat_k }: Metrics): string {
  const rows = Object.entries({ cases: pass_rate, attempts, abstention, sequence, output }).filter(
    ([, { of }]) => of > 0,
  );
  const powers = Object.keys(pass_at_k).filter((k) => k !== '1');
  return [
    '| | rate | 95 % | of |\n|---|---|---|---|',
    ...rows.map(([name, rate]) => `| ${name} | ${rateText(rate)} | ${of(rate)} | ${rate.of} |`),
    ...powers.map(
      (k) => `| pass@${k} · pass^${k} | ${percent(pass_at_k[k] ?? 0)} · ${percent(pass_hat_k[k] ?? 0)} | | |`,
    ),
  ].join('\n');
}

const SPENT = { tokens: 'tokens', tool_calls: 'tool calls', turns: 'turns', milliseconds: 'milliseconds', cost: 'US$' };

/** Of single attempts, beside the total. */
function costSection({ cost }: Metrics): string {
  const rows = Object.entries(SPENT).map(([name, title]) => {
    const cells = ['total', 'p50', 'p95'].map((part) => Math.round((cost[`${name}_${part}`] ?? 0) * 100) / 100);
    return `| ${title} | ${cells.join(' | ')} |`;
  });
  return `## Cost\n\n| | total | p50 | p95 |\n|---|---|---|---|\n${rows.join('\n')}`;
}

function triggersSection({ triggers }: Metrics): string | false {
  const rows = Object.entries(triggers).map(
    ([skill, { precision, recall, f1, false_positives: fp, false_negatives: fn }]) => {
      return `| ${cell(skill)} | ${maybe(precision)} | ${maybe(recall)} | ${maybe(f1)} | ${fp} | ${fn} |`;
    },
  );
  const head = '| skill | precision | recall | F1 | taken wrongly | missed |\n|---|---|---|---|---|---|';
  return rows.length > 0 && `## Choosing skills\n\n${head}\n${rows.join('\n')}`;
}

/** Only where a request went to another skill. */
function collisionsSection({ collisions }: Metrics): string | false {
  const rows = Object.entries(collisions).flatMap(([wanted, row]) =>
    Object.entries(row).flatMap(([chosen, times]) =>
      wanted === chosen ? [] : [`| ${cell(wanted)} | ${cell(chosen)} | ${times} |`],
    ),
  );
  return rows.length > 0 && `## Who took it\n\n| wanted | chosen | times |\n|---|---|---|\n${rows.join('\n')}`;
}

function section(title: string, lines: readonly string[]): string | false {
  return lines.length > 0 && `## ${title}\n\n${lines.join('\n')}`;
}

function rateText({ rate }: Rate): string {
  return maybe(rate);
}

function of({ interval: { low, high } }: Rate): string {
  return `${percent(low)} – ${percent(high)}`;
}

function maybe(value: number | null): string {
  return value === null ? '–' : percent(value);
}

function percent(value: number): string {
  return `${Math.round(value * 1000) / 10} %`;
}

/** Untrusted text, escaped so that it cannot leave its cell or become markup. */
function cell(text: string): string {
  return visible(text)
    .replace(/[\\`*_[\]<>|#!@]/g, '\\$&')
    .slice(0, 400);
}
