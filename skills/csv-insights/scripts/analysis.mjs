// One table to metrics (numbers for machines) and insights (sentences for people).

import { writeInsights } from './insight.mjs';
import { correlate, describeNumbers, largest, outlierRange, smallest, tidy } from './statistics.mjs';
import { findTrend, isoDay } from './trend.mjs';

const MAX_TOP = 5;
const MAX_EXAMPLES = 5;
const MAX_CORRELATED = 20;
const STRONG = 0.5;

/** `measure` names the number column the trend is about; else the first one. */
export function analyze(table, { measure, type = 'summary', aggregate = 'sum', language }) {
  const metrics = {
    rows: table.rows,
    columns: table.columns.map(describeColumn),
    missing_cells: table.columns.reduce((sum, { missing }) => sum + missing, 0),
    uneven_rows: table.uneven,
    duplicate_rows: countDuplicates(table),
    correlations: findCorrelations(table),
    trend:
      findTrend(table, measure ?? table.columns.find((column) => column.type === 'number'), { type, aggregate }) ??
      null,
  };
  return { insights: writeInsights(table, metrics, language), metrics };
}

function describeColumn(column) {
  const values = column.values.filter((value) => value !== undefined);
  const { name, type, missing, distinct } = column;
  const common = { name, type, missing, distinct: distinct - (missing > 0 ? 1 : 0) };
  if (values.length === 0) return common;
  if (type === 'number') return { ...common, ...describeNumbers(values), outliers: findOutliers(column, values) };
  if (type === 'date') return { ...common, ...dateRange(values) };
  return type === 'category' || type === 'boolean' ? { ...common, top: topValues(values) } : common;
}

function findOutliers(column, values) {
  const range = outlierRange(values);
  if (!range) return { count: 0, low: null, high: null, examples: [] };
  const [low, high] = range;
  const found = [];
  for (const [row, value] of column.values.entries()) {
    if (value < low || value > high) found.push({ row: row + 1, value });
  }
  const middle = (low + high) / 2;
  const farthest = found.toSorted((a, b) => Math.abs(b.value - middle) - Math.abs(a.value - middle) || a.row - b.row);
  return { count: found.length, low: tidy(low), high: tidy(high), examples: farthest.slice(0, MAX_EXAMPLES) };
}

function dateRange(values) {
  return { first: isoDay(smallest(values)), last: isoDay(largest(values)) };
}

function topValues(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([a, most], [b, more]) => more - most || (String(a) < String(b) ? -1 : 1))
    .slice(0, MAX_TOP)
    .map(([value, count]) => ({ value, count, share: tidy(count / values.length) }));
}

function countDuplicates({ columns, rows }) {
  const seen = new Set();
  for (let row = 0; row < rows; row++) seen.add(JSON.stringify(columns.map(({ cells }) => cells[row])));
  return rows - seen.size;
}

function findCorrelations({ columns }) {
  const numbers = columns.filter(({ type }) => type === 'number').slice(0, MAX_CORRELATED);
  const found = numbers.flatMap((left, index) =>
    numbers
      .slice(index + 1)
      .map((right) => ({ columns: [left.name, right.name], r: correlate(left.values, right.values) })),
  );
  return found
    .filter(({ r }) => r !== undefined && Math.abs(r) >= STRONG)
    .sort((a, b) => Math.abs(b.r) - Math.abs(a.r))
    .slice(0, 10);
}
