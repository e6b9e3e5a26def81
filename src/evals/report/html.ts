// The report as one self-contained page: verdict, charts, changes, every case with its steps.
import type { Language } from '../../base/language.ts';
import type { Metrics } from '../metrics.ts';
import { renderCases } from './html-case.ts';
import { changeRow, rateRows, stateBar } from './html-chart.ts';
import { SCRIPT, STYLE } from './html-style.ts';
import { amount, column, escapeHtml, percent, signed, table } from './html-text.ts';
import { type Label, type Say, speak } from './label.ts';
import type { Report } from './report.ts';

const TAGS: Record<Language, string> = { en: 'en', zh: 'zh-CN' };

/**
 * The report as one page that needs no network.
 * @example
 * writeFileSync('report.html', renderHtml(report, 'en'));
 */
export function renderHtml(report: Report, language: Language = 'en'): string {
  const { suite, verdict, metrics, suspicions, uncovered } = report;
  const say = speak(language);
  const told = suspicions.map(({ code, message }) => `${code}: ${message[language]}`);
  return `<!doctype html>
<html lang="${TAGS[language]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${say('title')} ${escapeHtml(suite)}: ${say(verdict)}</title><style>${STYLE}</style></head><body>
<a class="skip" href="#cases">${say('skip')}</a>
${renderHeader(report, say)}<main>
${list(say('suspicions'), told, 'suspect')}
${renderComparison(report, say)}
<section><h2>${say('rates')}</h2><p class="soft">${say('rates_note')}</p>${rateRows(metrics, say)}${renderPowers(metrics)}</section>
${renderTriggers(metrics, say)}
${renderCollisions(metrics, say)}
${renderCost(metrics, say)}
${list(say('uncovered'), uncovered, 'skipped')}
${renderCases(report, say)}
</main><script>${SCRIPT}</script></body></html>
`;
}

function renderHeader({ suite, verdict, created, metrics }: Report, say: Say): string {
  const time = created.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  return `<header><p class="soft">${say('title')} · <time datetime="${escapeHtml(created)}">${escapeHtml(time)}</time></p>
<h1>${escapeHtml(suite)} <span class="badge ${verdict}">${say(verdict)}</span></h1>${stateBar(metrics, say)}</header>`;
}

function list(title: string, lines: readonly string[], style: string): string {
  if (lines.length === 0) return '';
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
  return `<section class="note ${style}"><h2>${title}</h2><ul>${items}</ul></section>`;
}

function renderComparison({ comparison }: Report, say: Say): string {
  if (!comparison) return '';
  const { verdict, difference, interval, p, compared, flips, added, removed, unusable } = comparison;
  const rows = flips.map(({ id, before, after, direction }) => {
    return `<tr><td>${escapeHtml(id)}</td><td class="number">${before}</td><td class="number">${after}</td><td class="${direction}">${direction === 'worse' ? '↓' : '↑'} ${say(direction)}</td></tr>`;
  });
  const head = [column(say('case')), column(say('before'), true), column(say('after'), true), column(say('change'))];
  const changes = rows.length > 0 ? table(say('baseline'), head, rows) : `<p>${say('unchanged')}</p>`;
  const others = (['added', 'removed', 'unusable'] as const).map((kind) =>
    names(say(kind), { added, removed, unusable }[kind]),
  );
  return `<section><h2>${say('baseline')} <span class="badge ${verdict}">${say(verdict)}</span></h2>
<p><b>${signed(difference)}</b> <span class="soft">(95 %: ${signed(interval.low)} … ${signed(interval.high)} · McNemar p = ${p} · ${compared} ${say('compared')})</span></p>
${changeRow(comparison)}${changes}${others.join('')}</section>`;
}

function names(title: string, ids: readonly string[]): string {
  return ids.length > 0 ? `<p>${title}: ${ids.map(escapeHtml).join(', ')}</p>` : '';
}

/** For repeated runs: at least one of k succeeds, all of k succeed. */
function renderPowers({ pass_at_k, pass_hat_k }: Metrics): string {
  const powers = Object.keys(pass_at_k).filter((k) => k !== '1');
  const parts = powers.map(
    (k) =>
      `<span>pass@${k} <b>${percent(pass_at_k[k] ?? 0)}</b></span><span>pass^${k} <b>${percent(pass_hat_k[k] ?? 0)}</b></span>`,
  );
  return parts.length > 0 ? `<p class="powers">${parts.join('')}</p>` : '';
}

function renderTriggers({ triggers }: Metrics, say: Say): string {
  const rows = Object.entries(triggers).map(([skill, one]) => {
    const rates = [one.precision, one.recall, one.f1].map(
      (value) =>
        `<td class="number">${value === null ? '–' : `<span class="meter" aria-hidden="true"><i style="width:${value * 100}%"></i></span><span class="rate">${percent(value)}</span>`}</td>`,
    );
    const counts = [one.true_positives, one.false_positives, one.false_negatives, one.true_negatives].map(
      (value) => `<td class="number">${value}</td>`,
    );
    return `<tr><th scope="row">${escapeHtml(skill)}</th>${rates.join('')}${counts.join('')}</tr>`;
  });
  if (rows.length === 0) return '';
  const titles = [say('precision'), say('recall'), 'F1', say('right'), say('wrong'), say('missed'), say('rightly_not')];
  const head = [column(say('skill')), ...titles.map((title) => column(title, true))];
  return `<section><h2>${say('triggers')}</h2>${table(say('triggers'), head, rows)}</section>`;
}

function renderCollisions({ collisions }: Metrics, say: Say): string {
  const wanted = Object.keys(collisions).sort();
  const chosen = [...new Set(wanted.flatMap((row) => Object.keys(collisions[row] ?? {})))].sort();
  if (wanted.length === 0) return '';
  const named = (skill: string) => (skill === '(none)' ? say('none') : escapeHtml(skill));
  const rows = wanted.map((row) => {
    const cells = chosen.map((column) => {
      const times = collisions[row]?.[column] ?? 0;
      const kind = times === 0 ? '' : row === column ? ' hit' : ' theft';
      return `<td class="number${kind}">${times || '<span class="soft" aria-label="0">·</span>'}</td>`;
    });
    return `<tr><th scope="row">${named(row)}</th>${cells.join('')}</tr>`;
  });
  const head = ['<td></td>', ...chosen.map((one) => column(named(one), true))];
  return `<section><h2>${say('collisions')}</h2><p class="soft">${say('collisions_note')}</p>${table(say('collisions'), head, rows)}</section>`;
}

const SPENT: readonly [name: string, label: Label][] = [
  ['tokens', 'tokens'],
  ['tool_calls', 'tool_calls'],
  ['turns', 'turns'],
  ['milliseconds', 'milliseconds'],
  ['cost', 'money'],
];

function renderCost({ cost }: Metrics, say: Say): string {
  const rows = SPENT.map(([name, label]) => {
    const cells = ['total', 'p50', 'p95'].map(
      (part) => `<td class="number">${amount(cost[`${name}_${part}`] ?? 0)}</td>`,
    );
    return `<tr><th scope="row">${say(label)}</th>${cells.join('')}</tr>`;
  });
  const head = ['<td></td>', column(say('total'), true), column('p50', true), column('p95', true)];
  return `<section class="narrow"><h2>${say('cost')}</h2>${table(say('cost'), head, rows)}</section>`;
}
