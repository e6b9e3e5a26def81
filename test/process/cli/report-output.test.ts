// Where a report of a built-in skill goes: `output` is the file to write or a folder for it, and everybody is told so.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePlace } from '../../support/place.ts';

const JUNIT = '<testsuite name="a" tests="1"><testcase classname="a" name="b" time="0.1"/></testsuite>';
const FILES = {
  'project/sales.csv': 'day,amount\n2026-01-01,1\n2026-01-02,2\n',
  'project/build/r.xml': JUNIT,
  'project/notes.md': 'mine\n',
};
const REPORTS = [
  { skill: 'csv-insights', target: 'sales.csv', usual: 'sales-summary.md' },
  { skill: 'build-analysis', target: 'build', usual: 'build-daily.md' },
] as const;

for (const { skill, target, usual } of REPORTS)
  test(`${skill}: output is a file or a folder, and never a file of another kind`, async (t) => {
    const { cwd, run } = makePlace(t, FILES);
    const report = (output: string) =>
      run('call', skill, 'report', `target=${target}`, `output=${output}`, '--yes', '--json');
    const written = async (output: string, file: string) => {
      const { code, stdout } = await report(output);
      assert.equal(code, 0, stdout);
      assert.ok(readFileSync(path.join(cwd, file), 'utf8').startsWith('# '), file);
    };
    await written('r.md', 'r.md');
    await written('deep/er/r.md', 'deep/er/r.md');
    await written('folder', `folder/${usual}`);
    const refused = await report('sales.csv');
    assert.notEqual(refused.code, 0);
    assert.match(refused.stdout, /output is no markdown file: sales\.csv; name a folder, or a file that ends in \.md/);
    assert.equal(readFileSync(path.join(cwd, 'sales.csv'), 'utf8'), FILES['project/sales.csv']);
    const { stdout } = await run('inspect', skill);
    assert.match(stdout, /output \(path\): the file to write, or a folder for it; mybox\/output unless given/);
  });

test('csv-insights: the ending of output fits the format', async (t) => {
  const { cwd, run } = makePlace(t, FILES);
  const report = (...params: string[]) =>
    run('call', 'csv-insights', 'report', 'target=sales.csv', ...params, '--yes', '--json');
  assert.match((await report('output=r.html')).stdout, /output is no markdown file: r\.html/);
  assert.equal(existsSync(path.join(cwd, 'r.html')), false);
  assert.equal((await report('output=r.html', 'format=html')).code, 0);
  assert.match(readFileSync(path.join(cwd, 'r.html'), 'utf8'), /^<!doctype html>/);
});
