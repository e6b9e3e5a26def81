// The shipped protocol skills keep to the conventions of the seed, and run on the grant they ship with.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { call, door, makeProject, responseOf } from '../../support/door-support.ts';

const SALES = `day,sales\n${[10, 12, 11, 50, 12].map((sales, day) => `2026-01-0${day + 1},${sales}`).join('\n')}\n`;

test('000-42 000-43 000-44 000-46 000-53 analyze, report, fetch and full have the shapes of the convention', async (t) => {
  const project = makeProject(t, { 'sales.csv': SALES, 'empty.csv': 'a,b\n' });
  const open = await door(project, { yes: false });
  const dataOf = async (action: string, params: Record<string, string | number>) => {
    const outcome = await call(open, 'csv-insights', action, params);
    assert.equal(outcome.state, 'success', outcome.summary);
    return responseOf(outcome).data as Record<string, unknown>;
  };
  const analyzed = await dataOf('analyze', { target: 'sales.csv', days: 7 });
  assert.ok(Array.isArray(analyzed.insights) && typeof analyzed.metrics === 'object');
  const fetched = await dataOf('fetch', { source: 'sales.csv', query: 'sales > 11' });
  assert.deepEqual([(fetched.items as unknown[]).length, fetched.count], [3, 3]);
  const report = await dataOf('report', { target: 'sales.csv', type: 'daily', format: 'markdown' });
  assert.match(String(report.content), /^# /m);
  assert.match(readFileSync(path.resolve(project, String(report.report_path)), 'utf8'), /^# /m);
  const full = await dataOf('full', { target: 'sales.csv' });
  assert.ok(Object.keys(full).length >= 3, Object.keys(full).join());
  const empty = await call(open, 'csv-insights', 'analyze', { target: 'empty.csv' });
  assert.equal(empty.data.code, 'DATA_NOT_FOUND');
});

test('000-41 daily_briefing needs no parameters', async (t) => {
  const open = await door(makeProject(t, {}), { yes: false });
  const outcome = await call(open, 'build-analysis', 'daily_briefing');
  assert.equal(outcome.state, 'success', outcome.summary);
});
