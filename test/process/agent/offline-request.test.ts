// Requests in a person's own words that the offline model turns into calls: which file is worked on, and from where it is named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProject } from '../../support/door-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const TABLE = 'day,amount\n2026-01-01,1\n2026-01-02,2\n';

test('a Chinese request for the report of a file works on that file, beside others too', async (t) => {
  const cwd = makeProject(t, { 'sales.csv': TABLE, 'other.csv': TABLE });
  const home = temporaryFolder(t);
  for (const request of [
    '生成 sales.csv 的报告',
    '为 sales.csv 生成报告',
    '生成sales.csv的报告',
    '请为“sales.csv”写一份报告',
  ]) {
    const { code, stderr } = await runCli(['run', request], { cwd, home });
    assert.equal(code, 0, `${request}\n${stderr}`);
    assert.match(stderr, /invoke_skill csv-insights report target=sales\.csv(?! output)/, request);
  }
  const absent = await runCli(['run', '生成 gone.csv 的报告'], { cwd, home });
  assert.match(absent.stdout + absent.stderr, /项目中不存在: gone\.csv/);
});

test('a file that the request only names as the result stays the output', async (t) => {
  const cwd = makeProject(t, { 'notes.md': '# Notes\n' });
  const { stderr } = await runCli(['run', '@markdown-converter 把 notes.md 转换为 page.html'], {
    cwd,
    home: temporaryFolder(t),
  });
  assert.match(stderr, /invoke_skill markdown-converter input=notes\.md output=page\.html/);
});
