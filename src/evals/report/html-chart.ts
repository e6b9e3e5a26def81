// The charts of the HTML report: how the cases ended, each rate with its interval, the distance from the baseline.
import type { CaseState } from '../attempt.ts';
import type { Comparison } from '../compare.ts';
import type { Metrics, Rate } from '../metrics.ts';
import { percent, signed } from './html-text.ts';
import type { Label, Say } from './label.ts';

export const STATE_MARKS: Readonly<Record<CaseState, string>> = { passed: '✓', failed: '✗', error: '!', skipped: '–' };
const STATES = ['passed', 'failed', 'error', 'skipped'] as const;

/** One bar for all cases, with its legend. */
export function stateBar({ cases }: Metrics, say: Say): string {
  const present = STATES.filter((state) => cases[state] > 0);
  const parts = present.map((state) => `<span class="part ${state}" style="flex-grow:${cases[state]}"></span>`);
  const legend = present.map(
    (state) => `<li class="${state}"><b>${STATE_MARKS[state]} ${cases[state]}</b> ${say(state)}</li>`,
  );
  return `<div class="states" aria-hidden="true">${parts.join('')}</div><ul class="legend">${legend.join('')}</ul>`;
}

/** One row per rate: the band is the confidence interval, the mark the measured value. */
export function rateRows(metrics: Metrics, say: Say): string {
  const { pass_rate: cases, attempts, abstention, sequence, output } = metrics;
  const rates = Object.entries({ cases, attempts, abstention, sequence, output }) as [Label, Rate][];
  const rows = rates
    .filter(([, { of }]) => of > 0)
    .map(
      ([
        name,
        {
          rate,
          of,
          interval: { low, high },
        },
      ]) => {
        const told = rate === null ? '–' : percent(rate);
        const mark = rate === null ? '' : `<i class="mark" style="left:${rate * 100}%"></i>`;
        return `<div class="row"><span>${say(name)}</span><span class="track" aria-hidden="true"><i class="band" style="left:${low * 100}%;width:${(high - low) * 100}%"></i>${mark}</span><span class="number"><b>${told}</b> <span class="soft">${percent(low)} – ${percent(high)} · ${say('of')} ${of}</span></span></div>`;
      },
    );
  const axis = ['0', '25', '50', '75', '100 %'].map((tick) => `<span>${tick}</span>`).join('');
  return `<div class="chart">${rows.join('')}<div class="row" aria-hidden="true"><span></span><span class="axis">${axis}</span><span></span></div></div>`;
}

/** The difference and its interval around zero. */
export function changeRow({ difference, interval: { low, high }, verdict }: Comparison): string {
  const reach = Math.max(0.05, Math.abs(low), Math.abs(high), Math.abs(difference)) * 1.15;
  const place = (value: number) => 50 + (value / reach) * 50;
  const band = `<i class="band" style="left:${place(low)}%;width:${place(high) - place(low)}%"></i>`;
  const marks = `<i class="zero" style="left:50%"></i><i class="mark" style="left:${place(difference)}%"></i>`;
  const axis = [-reach, 0, reach].map((value) => `<span>${value === 0 ? '0' : signed(value)}</span>`).join('');
  return `<div class="change ${verdict}" aria-hidden="true"><span class="track">${band}${marks}</span><span class="axis">${axis}</span></div>`;
}
