#!/usr/bin/env node
// Answers questions about CSV files: fetch rows, analyze a table, write a report, or all of it.
//
// Input, one JSON object on stdin:   {"action": "analyze", "params": {"target": "sales.csv", "days": 30}}
// Output, one JSON object on stdout: {"success": true, "action": "analyze", "data": {"insights": [...], "metrics": {...}}}
import path from 'node:path';
import { analyze } from './analysis.mjs';
import { drawChart } from './chart.mjs';
import { defineSkill, SkillError } from './define-skill.mjs';
import { compileQuery } from './query.mjs';
import { renderReport } from './report.mjs';
import { chooseOutput, readTable, writeOutput } from './source.mjs';
import { findColumn, keepRows } from './table.mjs';
import { dateColumn, newestDate } from './trend.mjs';

const DAY = 86_400_000;
// An answer of more than 10 MiB would be refused.
const MAX_ANSWER = 2 * 1024 * 1024;
const SAMPLE = path.join(import.meta.dirname, '..', 'assets', 'sample.csv');

const TARGET = { type: 'string', description: 'the CSV file; the only one of the working folder unless given' };
const QUERY = { type: 'string', default: '', description: 'such as region = North and amount >= 100, or free text' };
const LIMIT = { type: 'integer', default: 100, minimum: 1, maximum: 1000, description: 'how many rows at most' };
const TABLE = {
  days: { type: 'integer', minimum: 1, description: 'only the last days before the newest date' },
  measure: { type: 'string', description: 'the number column of the trend; the first unless given' },
  aggregate: { type: 'string', enum: ['sum', 'mean'], default: 'sum', description: 'how a period is summed up' },
  lang: { type: 'string', enum: ['en', 'zh'], default: localeLanguage(), description: 'language of the sentences' },
};
const REPORT = {
  type: {
    type: 'string',
    enum: ['summary', 'daily', 'weekly', 'monthly'],
    default: 'summary',
    description: 'the period of the trend',
  },
  format: { type: 'string', enum: ['markdown', 'html'], default: 'markdown' },
  output: { type: 'string', description: 'the file to write, or a folder for it; mybox/output unless given' },
};

await defineSkill({
  name: 'csv-insights',
  description: 'Reads CSV files: rows, statistics, trends, outliers, reports.',
  actions: {
    fetch: {
      description: 'Rows that fit a query.',
      params: { source: { ...TARGET, required: true }, query: QUERY, limit: LIMIT },
      example: { source: SAMPLE, query: 'region = North' },
      run: (params) => fetchRows(readTable(params.source), params),
    },
    analyze: {
      description: 'Insights in sentences and metrics as numbers.',
      params: { target: { ...TARGET, required: true }, query: QUERY, ...TABLE },
      example: { target: SAMPLE, days: 14 },
      run: (params) => analyzeTable(chooseRows(readTable(params.target), params), params),
    },
    report: {
      description: 'A report in Markdown or HTML with a chart.',
      params: { target: TARGET, query: QUERY, ...TABLE, ...REPORT },
      run: (params) => writeReport(chooseRows(readTable(params.target), params), params),
    },
    full: {
      description: 'Fetch, analyze and report in one go.',
      params: { target: TARGET, query: QUERY, limit: { ...LIMIT, default: 20 }, ...TABLE, ...REPORT },
      run: runAll,
    },
  },
});

function runAll(params, context) {
  const table = readTable(params.target);
  context.progress(0.3, 'read');
  const fetched = fetchRows(table, params);
  const chosen = chooseRows(table, params);
  const analyzed = analyzeTable(chosen, params);
  context.progress(0.7, 'analyzed');
  return { fetch: fetched, analyze: analyzed, report: writeReport(chosen, params) };
}

function fetchRows(table, { query, limit }) {
  const found = keepMatching(table, query);
  const items = [];
  for (let row = 0, size = 0; row < Math.min(limit, found.rows) && size < MAX_ANSWER; row++) {
    size += found.columns.reduce((sum, { cells }) => sum + cells[row].length, 0);
    items.push(Object.fromEntries(found.columns.map((column) => [column.name, valueOfCell(column, row)])));
  }
  return { items, count: found.rows, truncated: found.rows > items.length };
}

function analyzeTable(table, { measure, type, aggregate, lang }) {
  return analyze(table, { measure: findMeasure(table, measure), type, aggregate, language: lang });
}

function writeReport(table, params) {
  const { type, format, output, lang: language } = params;
  const { insights, metrics } = analyzeTable(table, params);
  const chart = drawChart(table, metrics);
  const usual = `${path.parse(table.name).name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}-${type}`;
  const { folder, base, ending } = chooseOutput(output, usual, format);
  const chartFile = chart && format === 'markdown' ? `${base}.svg` : undefined;
  const content = renderReport({ name: table.name, insights, metrics, chart, chartFile, format, language });
  if (chartFile) writeOutput(folder, chartFile, chart);
  return { report_path: writeOutput(folder, `${base}${ending}`, content), content };
}

function chooseRows(table, { query, days }) {
  return lastDays(keepMatching(table, query), days);
}

function keepMatching(table, query) {
  const found = query.trim() === '' ? table : keepRows(table, compileQuery(table, query));
  if (found.rows === 0) throw new SkillError('DATA_NOT_FOUND', `no row fits the query: ${query}`, { query });
  return found;
}

function lastDays(table, days) {
  if (days === undefined) return table;
  const dates = dateColumn(table);
  if (!dates)
    throw new SkillError('INVALID_PARAM', 'days needs a column of dates, and there is none', { param: 'days' });
  const after = newestDate(dates) - days * DAY;
  return keepRows(table, (row) => dates.values[row] > after);
}

function findMeasure(table, name) {
  if (name === undefined) return undefined;
  const column = findColumn(table, name);
  if (column?.type === 'number') return column;
  const numbers = table.columns.filter(({ type }) => type === 'number').map((known) => known.name);
  throw new SkillError('INVALID_PARAM', `measure must be a number column: ${name}`, {
    param: 'measure',
    columns: numbers,
  });
}

/** Dates as they were written; what is missing is null. */
function valueOfCell({ type, cells, values }, row) {
  if (values[row] === undefined) return null;
  return type === 'date' ? cells[row].trim() : values[row];
}

function localeLanguage() {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  return /^zh/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'zh' : 'en';
}
