// The report as one page that needs nothing else: verdict, charts, changes, every case with its trace.
import { visible, visibleLines } from '../../base/text.ts';
import type { Metrics, Rate } from '../metrics.ts';
import { SCRIPT, STYLE } from './html-style.ts';
import type { Report, ReportedAttempt, ReportedCase } from './report.ts';

export function renderHtml(report: Report): string {
  const { suite, created, verdict, metrics, suspicions, uncovered } = report;
  const { passed, total, failed, error, skipped } = metrics.cases;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Eval ${escapeHtml(suite)}: ${verdict}</title><style>${STYLE}</style></head><body>
<header><h1>Eval ${escapeHtml(suite)} <span class="verdict ${verdict}">${verdict}</span></h1>
<p>${passed} of ${total} cases passed, ${failed} failed, ${error} broke, ${skipped} were not judged.</p>
<p class="soft">${escapeHtml(created)}</p></header><main>
${list(
  'This harness is suspect',
  suspicions.map(({ code, message }) => `${code}: ${message.en}`),
  'suspect',
)}
${renderComparison(report)}
${renderRates(metrics)}
${renderTriggers(metrics)}
${renderCollisions(metrics)}
${list('Skills without a case', uncovered, 'soft')}
${renderCases(report)}
</main><script>${SCRIPT}</script></body></html>
`;
}

function list(title: string, lines: readonly string[], style: string): string {
  if (lines.length === 0) return '';
  const items = lines.map((line) => `<li class="${style}">${escapeHtml(line)}</li>`).join('');
  return `<section><h2>${title}</h2><ul>${items}</ul></section>`;
}

function renderComparison({ comparison }: Report): string {
  if (!comparison) return '';
  const { verdict, difference, interval, p, compared, flips, added, removed } = comparison;
  const rows = flips.map(({ id, before, after, direction }) => {
    return `<tr><td>${escapeHtml(id)}</td><td class="number">${before}</td><td class="number">${after}</td><td class="${direction}">${direction}</td></tr>`;
  });
  const table =
    rows.length > 0
      ? `<table><thead><tr><th>case</th><th>before</th><th>after</th><th>change</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
      : '<p>No case changed.</p>';
  return `<section><h2>Against the baseline: <span class="${verdict}">${verdict}</span></h2>
<p>${compared} cases on both sides: ${signed(difference)} (95 %: ${signed(interval.low)} to ${signed(interval.high)}, McNemar p = ${p}).</p>
${table}${list('New cases', added, 'soft')}${list('Cases that are gone', removed, 'soft')}</section>`;
}

function renderRates({
  pass_rate,
  attempts,
  abstention,
  sequence,
  output,
  pass_at_k,
  pass_hat_k,
  cost,
}: Metrics): string {
  const rates = Object.entries({ cases: pass_rate, attempts, abstention, steps: sequence, output }).filter(
    ([, { of }]) => of > 0,
  );
  const powers = Object.keys(pass_at_k).filter((k) => k !== '1');
  const lines = powers.map((k) => `pass@${k} ${percent(pass_at_k[k] ?? 0)} · pass^${k} ${percent(pass_hat_k[k] ?? 0)}`);
  const spent = ['tokens', 'tool_calls', 'turns', 'milliseconds', 'cost'].map((name) => {
    const cells = ['total', 'p50', 'p95'].map((part) => `<td class="number">${cost[`${name}_${part}`] ?? 0}</td>`);
    return `<tr><td>${name}</td>${cells.join('')}</tr>`;
  });
  return `<section><h2>Rates</h2>${bars(rates)}${lines.map((line) => `<p>${line}</p>`).join('')}
<h2>Cost</h2><table><thead><tr><th></th><th>total</th><th>p50</th><th>p95</th></tr></thead><tbody>${spent.join('')}</tbody></table></section>`;
}

const ROW = 26;
const LEFT = 110;
const WIDTH = 420;

/** One row per rate: where it probably lies, and what was measured. */
function bars(rates: readonly (readonly [string, Rate])[]): string {
  const rows = rates.map(([name, { rate, of, interval }], at) => {
    const y = at * ROW + 4;
    const x = (value: number) => LEFT + value * WIDTH;
    const range = `<rect class="range" x="${x(interval.low)}" y="${y + 3}" width="${Math.max(1, (interval.high - interval.low) * WIDTH)}" height="12"/>`;
    const value = rate === null ? '' : `<rect class="value" x="${x(rate) - 2}" y="${y}" width="4" height="18"/>`;
    const told = `${rate === null ? '–' : percent(rate)} of ${of}`;
    return `<text x="0" y="${y + 14}">${name}</text><rect class="frame" x="${LEFT}" y="${y + 3}" width="${WIDTH}" height="12"/>${range}${value}<text x="${LEFT + WIDTH + 10}" y="${y + 14}">${told}</text>`;
  });
  const label = rates.map(([name, { rate }]) => `${name} ${rate === null ? 'unknown' : percent(rate)}`).join(', ');
  return `<svg role="img" aria-label="${label}" viewBox="0 0 680 ${rates.length * ROW}" width="680" style="max-width:100%">${rows.join('')}</svg>`;
}

function renderTriggers({ triggers }: Metrics): string {
  const rows = Object.entries(triggers).map(([skill, one]) => {
    const rates = [one.precision, one.recall, one.f1].map(
      (value) => `<td class="number">${value === null ? '–' : percent(value)}</td>`,
    );
    const counts = [one.true_positives, one.false_positives, one.false_negatives, one.true_negatives].map(
      (value) => `<td class="number">${value}</td>`,
    );
    return `<tr><td>${escapeHtml(skill)}</td>${rates.join('')}${counts.join('')}</tr>`;
  });
  if (rows.length === 0) return '';
  const head = ['skill', 'precision', 'recall', 'F1', 'right', 'wrong', 'missed', 'rightly not'].map(
    (title) => `<th>${title}</th>`,
  );
  return `<section><h2>Choosing skills</h2><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}

function renderCollisions({ collisions }: Metrics): string {
  const wanted = Object.keys(collisions).sort();
  const chosen = [...new Set(wanted.flatMap((row) => Object.keys(collisions[row] ?? {})))].sort();
  if (wanted.length === 0) return '';
  const rows = wanted.map((row) => {
    const cells = chosen.map((column) => {
      const times = collisions[row]?.[column] ?? 0;
      return `<td class="number${row === column ? ' hit' : times > 0 ? ' worse' : ''}">${times || ''}</td>`;
    });
    return `<tr><th scope="row">${escapeHtml(row)}</th>${cells.join('')}</tr>`;
  });
  const head = chosen.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('');
  return `<section><h2>Who took it</h2><p class="soft">Rows: the skill a request wants. Columns: the skill that was chosen.</p>
<table><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}

function renderCases({ cases, comparison }: Report): string {
  const changes = new Map((comparison?.flips ?? []).map((flip) => [flip.id, `${flip.before} → ${flip.after}`]));
  const options = ['passed', 'failed', 'error', 'skipped'].map((state) => `<option>${state}</option>`).join('');
  return `<section><h2>Cases</h2><div class="filter" role="search">
<label>words <input id="words" type="search"></label><label>state <select id="state"><option value="">all</option>${options}</select></label>
<p class="soft" id="shown" aria-live="polite"></p></div>${cases.map((one) => renderCase(one, changes.get(one.id))).join('')}</section>`;
}

function renderCase(one: ReportedCase, change: string | undefined): string {
  const { id, state, passes, runs, input, file, line, tags, attempts } = one;
  const searched = escapeHtml(`${id} ${input} ${tags.join(' ')}`.toLowerCase());
  const place = escapeHtml(line === undefined ? file : `${file}:${line}`);
  const open = state === 'failed' || state === 'error' ? ' open' : '';
  return `<details data-case="${searched}" data-state="${state}"${open}><summary><span class="${state}">${state}</span> ${escapeHtml(id)} <span class="soft">${passes}/${runs}${change === undefined ? '' : ` (was ${change})`}</span></summary>
<div class="inside"><p class="soft">${place}</p><pre>${escapeLines(input)}</pre>${attempts.map(renderAttempt).join('')}</div></details>`;
}

function renderAttempt(attempt: ReportedAttempt, at: number): string {
  const { state, failures, steps, answer, error, tokens, tool_calls, turns } = attempt;
  const marked = new Set(failures.flatMap((failure) => failure.steps));
  const reasons = [
    ...failures.map(({ rule, message }) => `${rule}: ${message}`),
    ...(error === undefined ? [] : [error]),
  ];
  const rows = steps.map(({ step, status, args = '' }, index) => {
    const mark = marked.has(index) ? ' class="mark"' : '';
    return `<tr${mark}><td class="number">${index + 1}</td><td>${escapeHtml(step)}</td><td class="${escapeHtml(status)}">${escapeHtml(status)}</td><td><code>${escapeHtml(args)}</code></td></tr>`;
  });
  const trace =
    rows.length > 0
      ? `<table><thead><tr><th>#</th><th>step</th><th>status</th><th>arguments</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
      : '';
  return `<h3>Run ${at + 1}: <span class="${state}">${state}</span> <span class="soft">${turns} turns, ${tool_calls} calls, ${tokens} tokens</span></h3>
${reasons.length > 0 ? `<ul>${reasons.map((reason) => `<li>${escapeHtml(reason)}</li>`).join('')}</ul>` : ''}${trace}${answer === '' ? '' : `<pre>${escapeLines(answer)}</pre>`}`;
}

function percent(value: number): string {
  return `${Math.round(value * 1000) / 10} %`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${percent(value)}`;
}

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeMarks(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark);
}

function escapeHtml(text: string): string {
  return escapeMarks(visible(text));
}

function escapeLines(text: string): string {
  return escapeMarks(visibleLines(text));
}
