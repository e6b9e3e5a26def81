// Runs the script as a process, as its caller does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const script = path.join(import.meta.dirname, '..', 'scripts', 'main.mjs');
const SALES =
  'date,region,amount\n2026-01-01,North,10\n2026-01-02,South,20\n2026-01-03,North,30\n2026-01-04,North,40\n';

test('fetch: rows that fit, as values', (t) => {
  const { call } = folder(t, { 'sales.csv': SALES });
  assert.deepEqual(call('fetch', { source: 'sales.csv', query: 'region = north and amount > 10' }).data, {
    items: [
      { date: '2026-01-03', region: 'North', amount: 30 },
      { date: '2026-01-04', region: 'North', amount: 40 },
    ],
    count: 2,
    truncated: false,
  });
  assert.equal(call('fetch', { source: 'sales.csv', query: 'date >= 2026-01-02 and region ~ OUT' }).data.count, 1);
  assert.equal(call('fetch', { source: 'sales.csv', query: 'south' }).data.count, 1);
  assert.deepEqual(call('fetch', { source: 'sales.csv', limit: 1 }).data.truncated, true);
});

test('analyze: statistics, types, missing values, top categories, trend', (t) => {
  const { call } = folder(t, { 'sales.csv': `${SALES}2026-01-05,North,NA\n` });
  const { insights, metrics } = call('analyze', { target: 'sales.csv' }).data;
  assert.deepEqual(
    metrics.columns.map(({ type }) => type),
    ['date', 'category', 'number'],
  );
  const { outliers, p5, p95, ...amount } = metrics.columns[2];
  assert.deepEqual(amount, {
    name: 'amount',
    type: 'number',
    missing: 1,
    distinct: 4,
    count: 4,
    sum: 100,
    mean: 25,
    median: 25,
    stdev: 12.9099444874,
    min: 10,
    q1: 17.5,
    q3: 32.5,
    max: 40,
  });
  assert.deepEqual([outliers.count, p5, p95], [0, 11.5, 38.5]);
  assert.deepEqual(metrics.columns[1].top[0], { value: 'North', count: 4, share: 0.8 });
  assert.deepEqual([metrics.trend.direction, metrics.trend.period, metrics.trend.tau], ['rising', 'day', 1]);
  assert.ok(insights.includes('amount is rising by about 120 % over 4 days.'));
  assert.ok(insights.includes('amount is missing in 20 % of the rows.'));
});

test('analyze: days count back from the newest date', (t) => {
  const { call } = folder(t, { 'sales.csv': SALES, 'plain.csv': 'a,b\nx,1\ny,2\n' });
  assert.equal(call('analyze', { target: 'sales.csv', days: 2 }).data.metrics.rows, 2);
  assert.equal(call('analyze', { target: 'plain.csv', days: 2 }).error.code, 'INVALID_PARAM');
});

test('analyze: outliers and correlations', (t) => {
  const rows = Array.from({ length: 30 }, (_, i) => `${i % 7},${(i % 7) * -2 + 1}`);
  const { call } = folder(t, { 'a.csv': `x,y\n${rows.join('\n')}\n99,-197\n` });
  const { metrics } = call('analyze', { target: 'a.csv' }).data;
  assert.deepEqual(metrics.columns[0].outliers.examples, [{ row: 31, value: 99 }]);
  assert.deepEqual(metrics.correlations, [{ columns: ['x', 'y'], r: -1 }]);
});

test('files as the world writes them', (t) => {
  const { call } = folder(t, {
    'excel.csv': '\ufeffName;Betrag\r\n"Müller; Söhne";1.234,50\r\n"say ""hi""\r\nthere";2,5\r\n',
    'tabs.tsv': 'a\tb\n1\t2\n',
    'bare.csv': '1,2\n3,4\n',
    'uneven.csv': 'a,b\n1\n2,3,4\n\n5,6\n',
    'gbk.csv': Buffer.from('c3fbb3c62ccafdc1bf0ac6bbb9fb2c330a', 'hex'),
  });
  const items = (source) => call('fetch', { source }).data.items;
  assert.deepEqual(items('excel.csv'), [
    { Name: 'Müller; Söhne', Betrag: 1234.5 },
    { Name: 'say "hi"\r\nthere', Betrag: 2.5 },
  ]);
  assert.deepEqual(items('tabs.tsv'), [{ a: 1, b: 2 }]);
  assert.deepEqual(items('bare.csv')[1], { column_1: 3, column_2: 4 });
  assert.deepEqual(items('uneven.csv'), [
    { a: 1, b: null },
    { a: 2, b: 3 },
    { a: 5, b: 6 },
  ]);
  assert.deepEqual(items('gbk.csv'), [{ 名称: '苹果', 数量: 3 }]);
});

test('report: Markdown with a chart beside it, HTML with everything inside, Chinese', (t) => {
  const { call, read } = folder(t, { 'sales.csv': SALES });
  const markdown = call('report', { type: 'daily', format: 'markdown' }).data;
  assert.equal(markdown.report_path, 'mybox/output/sales-daily.md');
  assert.equal(read(markdown.report_path), markdown.content);
  assert.match(markdown.content, /!\[Chart\]\(sales-daily\.svg\)/);
  assert.match(read('mybox/output/sales-daily.svg'), /^<svg [^>]*>.*<path d="M/);
  const html = call('report', { target: 'sales.csv', format: 'html', output: 'out/x', lang: 'zh' }).data;
  assert.equal(html.report_path, 'out/x/sales-summary.html');
  assert.match(read(html.report_path), /<html lang="zh">[\s\S]*<h2>要点<\/h2>[\s\S]*<svg /);
});

test('full: the parts of fetch, analyze and report', (t) => {
  const { call } = folder(t, { 'sales.csv': SALES });
  const { data } = call('full', { query: 'region = North' });
  assert.deepEqual(
    [data.fetch.count, data.analyze.metrics.rows, data.report.report_path],
    [3, 3, 'mybox/output/sales-summary.md'],
  );
});

test('failures carry their codes', (t) => {
  const { call } = folder(t, { 'a.csv': SALES, 'b.csv': SALES, 'empty.csv': '', 'head.csv': 'a,b\n' });
  const code = (action, params) => call(action, params).error.code;
  assert.equal(code('fetch', {}), 'MISSING_PARAM');
  assert.deepEqual(call('report', {}).error.details.found, ['a.csv', 'b.csv', 'empty.csv', 'head.csv']);
  for (const days of [-1, 0, 1.5, '7']) assert.equal(code('analyze', { target: 'a.csv', days }), 'INVALID_PARAM');
  for (const target of ['empty.csv', 'head.csv', 'absent.csv', '.'])
    assert.equal(code('analyze', { target }), 'DATA_NOT_FOUND');
  assert.equal(code('fetch', { source: 'a.csv', query: 'region = West' }), 'DATA_NOT_FOUND');
  assert.equal(code('fetch', { source: 'a.csv', query: 'color = red' }), 'INVALID_PARAM');
  assert.equal(code('fetch', { source: 'a.csv', query: 'amount > much' }), 'INVALID_PARAM');
  assert.equal(code('analyze', { target: 'a.csv', measure: 'region' }), 'INVALID_PARAM');
  assert.equal(code('report', { target: 'a.csv', output: 'b.csv' }), 'INVALID_PARAM');
  assert.equal(code('report', { target: 'a.csv', output: '/sys' }), 'PERMISSION_DENIED');
  assert.equal(code('dance', {}), 'UNKNOWN_ACTION');
});

test('text of the file does nothing in a report', (t) => {
  const cell = '<script>alert(1)</script>';
  const { call } = folder(t, { 'x.csv': `${cell},n\n${cell},1\n${cell},2\n"a|b",3\n` });
  assert.doesNotMatch(call('report', { format: 'html' }).data.content, /<script/);
  assert.doesNotMatch(call('report', { format: 'markdown' }).data.content, /<script|[^\\]\|b/);
});

test('describe and test', (t) => {
  const { call } = folder(t, {});
  assert.deepEqual(
    call('describe').data.actions.map(({ name }) => name),
    ['fetch', 'analyze', 'report', 'full'],
  );
  assert.deepEqual(call('test').data, { status: 'ok', tried: ['fetch', 'analyze'] });
});

function folder(t, files) {
  const place = mkdtempSync(path.join(tmpdir(), 'csv-insights-'));
  t.after(() => rmSync(place, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(place, name), text);
  const call = (action, params) => {
    const done = spawnSync(process.execPath, [script], {
      cwd: place,
      input: JSON.stringify({ action, params }),
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    });
    return JSON.parse(done.stdout);
  };
  return { call, read: (name) => readFileSync(path.join(place, name), 'utf8') };
}
