// How the numbers move over a column of dates.
import { largest, meanOf, middleOf, smallest, tidy } from './statistics.mjs';

const DAY = 86_400_000;
const NOTABLE_CHANGE = 0.1;
const NOTABLE_ORDER = 0.3;
const MAX_JUDGED = 1000;
const PERIODS = { daily: 'day', weekly: 'week', monthly: 'month' };

export function dateColumn(table) {
  return table.columns.find(({ type }) => type === 'date');
}

/** The newest date of the table; days are counted back from it, so that the same file gives the same answer. */
export function newestDate(column) {
  return largest(column.values.filter((value) => value !== undefined));
}

/** `{date_column, measure, period, points: [{period, value, rows}], direction, change}`, or undefined. */
export function findTrend(table, measure, { type, aggregate }) {
  const dates = dateColumn(table);
  if (!dates || !measure) return undefined;
  const oldest = smallest(dates.values.filter((value) => value !== undefined));
  const newest = newestDate(dates);
  const period = PERIODS[type] ?? periodFor((newest - oldest) / DAY);
  const points = group(dates.values, measure.values, period, aggregate);
  const judged = withoutPartial(points, period, oldest, newest);
  if (judged.length < 3) return undefined;
  return {
    date_column: dates.name,
    measure: measure.name,
    aggregate,
    period,
    points: points.map(({ start, value, rows }) => ({ period: isoDay(start), value: tidy(value), rows })),
    ...judge(judged.map(({ value }) => value)),
  };
}

export function isoDay(time) {
  return new Date(time).toISOString().slice(0, 10);
}

function periodFor(days) {
  if (days <= 62) return 'day';
  return days <= 400 ? 'week' : 'month';
}

function group(dates, values, period, aggregate) {
  const groups = new Map();
  for (const [row, date] of dates.entries()) {
    if (date === undefined || values[row] === undefined) continue;
    const start = startOf(date, period);
    const one = groups.get(start) ?? { start, sum: 0, rows: 0 };
    one.sum += values[row];
    one.rows++;
    groups.set(start, one);
  }
  return [...groups.values()]
    .sort((a, b) => a.start - b.start)
    .map(({ start, sum, rows }) => ({ start, rows, value: aggregate === 'mean' ? sum / rows : sum }));
}

function startOf(time, period) {
  const day = Math.floor(time / DAY) * DAY;
  // Weeks begin on Monday; the epoch was a Thursday.
  if (period === 'week') return day - ((Math.floor(day / DAY) + 3) % 7) * DAY;
  const date = new Date(day);
  return period === 'month' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) : day;
}

// A week or month that is only half there would look like a fall.
function withoutPartial(points, period, oldest, newest) {
  if (period === 'day') return points;
  const day = (time) => Math.floor(time / DAY) * DAY;
  const whole = points.filter(({ start }) => start >= day(oldest) && endOf(start, period) <= day(newest) + DAY);
  return whole.length >= 3 ? whole : points;
}

function endOf(start, period) {
  if (period === 'week') return start + 7 * DAY;
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

// The middle of all slopes and the order of all pairs: one wild value moves neither.
function judge(points) {
  const values = thin(points);
  const slopes = [];
  let order = 0;
  for (let right = 1; right < values.length; right++) {
    for (let left = 0; left < right; left++) {
      order += Math.sign(values[right] - values[left]);
      slopes.push((values[right] - values[left]) / (right - left));
    }
  }
  const slope = middleOf(slopes);
  const mean = Math.abs(meanOf(values));
  const change = mean === 0 ? 0 : (slope * (values.length - 1)) / mean;
  const tau = order / slopes.length;
  const isNotable = Math.abs(change) >= NOTABLE_CHANGE && Math.abs(tau) >= NOTABLE_ORDER;
  return { direction: !isNotable ? 'steady' : slope > 0 ? 'rising' : 'falling', change: tidy(change), tau: tidy(tau) };
}

function thin(values) {
  const every = Math.ceil(values.length / MAX_JUDGED);
  return values.filter((_, index) => index % every === 0);
}
