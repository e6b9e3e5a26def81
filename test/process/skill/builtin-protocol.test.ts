// The built-in skills behind their interfaces: conventional shapes, the same answer twice, and values nobody expects.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { callScript, importScript, runScript, skills } from '../../support/builtin-support.ts';
import { count, temporaryFolder } from '../../support/support.ts';

const CSV = 'csv-insights/scripts/main.mjs';
const BUILD = 'build-analysis/scripts/main.py';
const MARKDOWN = 'markdown-converter/scripts/convert.mjs';
const CHANGELOG = 'git-changelog/scripts/changelog.mjs';

const JUNIT =
  '<testsuite name="s" timestamp="2026-01-05T10:00:00"><testcase name="a" time="1"/><testcase name="b"><failure message="no"/></testcase></testsuite>';

function project(t: TestContext): string {
  const folder = temporaryFolder(t);
  cpSync(path.join(skills, 'csv-insights/assets/sample.csv'), path.join(folder, 'sample.csv'));
  mkdirSync(path.join(folder, 'test-results'));
  writeFileSync(path.join(folder, 'test-results', 'junit.xml'), JUNIT);
  writeFileSync(path.join(folder, 'note.md'), '# Note\n');
  return folder;
}

test('the same request gives the same data', (t) => {
  const folder = project(t);
  for (const [script, action] of [
    [CSV, 'full'],
    [BUILD, 'daily_briefing'],
    [BUILD, 'report'],
  ] as const) {
    assert.deepEqual(callScript(script, action, {}, folder).data, callScript(script, action, {}, folder).data);
  }
});

const HOSTILE = [
  '',
  ' ',
  '--help',
  '-rf',
  '-',
  '; touch trap',
  '$(touch trap)',
  '`touch trap`',
  '| touch trap',
  'a\nb',
  'a\'b"c\\',
  '../../../../etc/passwd',
  '/etc/passwd',
  'file:///etc/passwd',
  '%2e%2e%2f',
  '{input}',
  '__proto__',
  'constructor',
  '\u202egnp.exe',
  '\ud800',
  '中文 😀',
  '<script>alert(1)</script>',
  '*'.repeat(100_000),
  ' '.repeat(100_000),
];

test('hostile values of every text parameter are answered in one JSON document and touch nothing', (t) => {
  const folder = project(t);
  const before = listing(folder);
  const calls: [script: string, action: string, param: string, more: object][] = [
    [CSV, 'fetch', 'source', {}],
    [CSV, 'fetch', 'query', { source: 'sample.csv' }],
    [CSV, 'analyze', 'measure', { target: 'sample.csv' }],
    [BUILD, 'analyze', 'target', {}],
    [BUILD, 'daily_briefing', 'target', {}],
  ];
  for (const [script, action, param, more] of calls) {
    for (const value of [...sampled(HOSTILE), '\0', null, 7, [], { a: 1 }]) {
      const answer = callScript(script, action, { ...more, [param]: value }, folder);
      assert.equal(typeof answer.success, 'boolean', `${script} ${action} ${param} ${JSON.stringify(value)}`);
      if (!answer.success) assert.notEqual(answer.error?.code, 'INTERNAL_ERROR', `${param} ${JSON.stringify(value)}`);
    }
  }
  assert.deepEqual(listing(folder), before);
});

/** A short run takes every third. */
function sampled<Value>(values: readonly Value[]): Value[] {
  return values.filter((_, index) => index % count(1, 3) === 0);
}

test('hostile values of every option are taken literally by the command skills', (t) => {
  const folder = project(t);
  for (const value of sampled(HOSTILE.filter((one) => one.isWellFormed()))) {
    const page = runScript(MARKDOWN, ['note.md', '--output=page.html', `--title=${value}`, `--lang=${value}`], folder);
    assert.equal(page.code, 0, page.stderr);
    const [, title = ''] =
      /<title>([\s\S]*?)<\/title>/.exec(readFileSync(path.join(folder, 'page.html'), 'utf8')) ?? [];
    assert.equal(unescapeHtml(title), value === '' ? 'Note' : value);
    const changelog = runScript(CHANGELOG, [`--from=${value}`, `--path=${value}`, '--output=log.md'], folder);
    assert.equal(changelog.code, 1);
  }
  assert.equal(existsSync(path.join(folder, 'trap')), false);
  assert.equal(existsSync(path.join(folder, 'log.md')), false);
});

test('property: a table written as CSV is read back, whatever stands in its cells', async () => {
  const { parseCsv } = await importScript<{ parseCsv(text: string, delimiter?: string): { rows: string[][] } }>(
    'csv-insights/scripts/csv.mjs',
  );
  const cell = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('"', ',', ';', '\n', '\r\n', '', '""', '中'));
  const table = fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }));
  const written = (rows: string[][], delimiter: string) =>
    rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(delimiter)).join('\r\n');
  fc.assert(
    fc.property(table, fc.constantFrom(',', ';', '\t', '|'), (rows, delimiter) => {
      assert.deepEqual(parseCsv(written(rows, delimiter), delimiter).rows, rows);
    }),
    { numRuns: count(20_000, 1000) },
  );
});

test('property: figures lie where they must', async () => {
  const { describeNumbers } = await importScript<{ describeNumbers(values: number[]): Record<string, number> }>(
    'csv-insights/scripts/statistics.mjs',
  );
  const numbers = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(numbers, (values) => {
      const {
        min = 0,
        p5 = 0,
        q1 = 0,
        median = 0,
        q3 = 0,
        p95 = 0,
        max = 0,
        mean = 0,
        stdev = 0,
      } = describeNumbers(values);
      const order = [min, p5, q1, median, q3, p95, max];
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a - b),
      );
      assert.ok(mean >= min - 1e-6 && mean <= max + 1e-6 && stdev >= 0 && stdev <= max - min + 1e-6);
    }),
    { numRuns: count(20_000, 1000) },
  );
});

function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => !name.startsWith('mybox'))
    .sort();
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
