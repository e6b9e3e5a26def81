// The cases in the HTML report: a list to filter, each with its request, what failed, its steps and its answer.

import { STATE_MARKS } from './html-chart.ts';
import { column, escapeHtml, escapeLines, table } from './html-text.ts';
import type { Say } from './label.ts';
import type { Report, ReportedAttempt, ReportedCase } from './report.ts';
import { diffSteps } from './step-diff.ts';

/** This many failed cases are expanded at first; more would bury the list. */
const OPEN_LIMIT = 10;

export function renderCases({ cases, comparison }: Report, say: Say): string {
  const states = ['passed', 'failed', 'error', 'skipped'] as const;
  const options = states.map((state) => `<option value="${state}">${say(state)}</option>`).join('');
  const changed = comparison
    ? `<label class="check"><input id="changed" type="checkbox"> ${say('changed')}</label>`
    : '';
  const open = new Set(cases.filter(isBad).slice(0, OPEN_LIMIT));
  return `<section aria-labelledby="cases"><h2 id="cases" tabindex="-1">${say('all_cases')}</h2>
<form class="filter" role="search" hidden><label>${say('words')} <kbd>/</kbd><input id="words" type="search" placeholder="${say('words_hint')}" autocomplete="off"></label>
<label>${say('state')}<select id="state"><option value="">${say('all')}</option>${options}</select></label>${changed}<output id="shown" class="soft"></output></form>
<div class="cases">${cases.map((one) => renderCase(one, open.has(one), say)).join('')}</div><p id="nothing" class="soft" hidden>${say('none_fits')}</p></section>`;
}

function isBad({ state }: ReportedCase): boolean {
  return state === 'failed' || state === 'error';
}

function renderCase(one: ReportedCase, open: boolean, say: Say): string {
  const { id, state, passes, runs, input, file, line, tags, attempts, before } = one;
  const searched = escapeHtml(`${id} ${input} ${tags.join(' ')}`.toLowerCase());
  const place = escapeHtml(line === undefined ? file : `${file}:${line}`);
  const was = before ? `<span class="soft">${before.passes}/${before.runs} →</span> ` : '';
  const chips = tags.map((tag) => `<span class="chip">${escapeHtml(tag)}</span>`).join(' ');
  return `<details data-case="${searched}" data-state="${state}"${before ? ' data-changed' : ''}${open ? ' open' : ''}>
<summary><span class="badge ${state}">${STATE_MARKS[state]} ${say(state)}</span><span class="name"><b>${escapeHtml(id)}</b><span class="soft">${escapeHtml(input.slice(0, 200))}</span></span><span class="number">${was}${passes}/${runs}</span></summary>
<div class="inside"><p class="soft place">${place} ${chips}</p><h3>${say('request')}</h3><pre>${escapeLines(input)}</pre>${renderDiff(one, say)}${groupRuns(
    attempts,
  )
    .map((same) => renderRuns(same, say))
    .join('')}</div></details>`;
}

/** Compared with the most informative run: one that failed, if any did. */
function renderDiff({ before, attempts }: ReportedCase, say: Say): string {
  const shown = attempts.find(({ state }) => state === 'failed') ?? attempts[0];
  if (before?.steps === undefined || !shown) return '';
  const lines = diffSteps(
    before.steps,
    shown.steps.map(({ step }) => step),
  );
  const heading = `<h3>${say('diff')}</h3>`;
  if (lines.every(({ side }) => side === 'both')) return `${heading}<p>${say('same_steps')}</p>`;
  const signs = { both: ' ', before: '−', after: '+' } as const;
  const items = lines.map(
    ({ side, step }) => `<li class="${side}"><span>${signs[side]}</span> ${escapeHtml(step)}</li>`,
  );
  return `${heading}<ul class="diff">${items.join('')}</ul>`;
}

interface SameRuns {
  readonly attempt: ReportedAttempt;
  readonly numbers: readonly number[];
}

/** Runs with the same steps are shown once. */
function groupRuns(attempts: readonly ReportedAttempt[]): SameRuns[] {
  const groups = Map.groupBy(attempts.entries(), ([, { state, failures, steps, answer, error }]) =>
    JSON.stringify([state, failures, steps, answer, error]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ attempt: first[1], numbers: group.map(([at]) => at + 1) }] : [];
  });
}

function renderRuns({ attempt, numbers }: SameRuns, say: Say): string {
  const { state, failures, answer, error, tokens, tool_calls, turns } = attempt;
  const reasons = [
    ...failures.map(({ rule, message }) => `<b>${escapeHtml(rule)}</b>: ${escapeHtml(say.reason(message))}`),
    ...(error === undefined ? [] : [escapeHtml(say.reason(error))]),
  ];
  const spent = `${say('turns')} ${turns} · ${say('tool_calls')} ${tool_calls} · ${say('tokens')} ${tokens}`;
  const list = reasons.length > 0 ? `<ul class="reasons">${reasons.map((one) => `<li>${one}</li>`).join('')}</ul>` : '';
  const said = answer === '' ? '' : `<h4>${say('answer')}</h4><pre>${escapeLines(answer)}</pre>`;
  return `<h3>${say('run')} ${numbers.join(', ')}: <span class="${state}">${STATE_MARKS[state]} ${say(state)}</span> <span class="soft">${spent}</span></h3>${list}${renderSteps(attempt, say)}${said}`;
}

function renderSteps({ steps, failures }: ReportedAttempt, say: Say): string {
  if (steps.length === 0) return `<p class="soft">${say('no_steps')}</p>`;
  const blamed = new Set(failures.flatMap((failure) => failure.steps));
  const rows = steps.map(({ step, status, args = '' }, at) => {
    const mark = blamed.has(at) ? ' class="mark"' : '';
    return `<tr${mark}><td class="number soft">${at + 1}</td><td class="code">${escapeHtml(step)}</td><td class="status ${escapeHtml(status)}">${escapeHtml(status)}</td><td class="code args">${escapeHtml(args)}</td></tr>`;
  });
  const head = [column('#', true), column(say('step')), column(say('status')), column(say('arguments'))];
  return table(say('sequence'), head, rows);
}
