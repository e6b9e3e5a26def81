// Requests in a person's own words that the offline model turns into calls: which file is worked on, and from where it is named.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeProject, writeFiles } from '../../support/door-support.ts';
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

test('files of a request are meant from where the person stands, and never lie outside of the project', async (t) => {
  const project = makeProject(t, { 'a.md': '# A\n', 'sub/b.md': '# B\n', 'sub/deep/c.md': '# C\n' });
  const at = { cwd: path.join(project, 'sub'), home: temporaryFolder(t) };
  const calls = {
    '@markdown-converter b.md': 'input=sub/b.md',
    '@markdown-converter ../a.md': 'input=a.md',
    '@markdown-converter input=deep/c.md': 'input=sub/deep/c.md',
    '@markdown-converter b.md to out.html': 'input=sub/b.md output=sub/out.html',
  };
  for (const [request, call] of Object.entries(calls)) {
    const { stderr } = await runCli(['run', request], at);
    assert.ok(stderr.includes(`invoke_skill markdown-converter ${call} `), `${request}\n${stderr}`);
  }
  writeFiles(path.dirname(project), { [`${path.basename(project)}-beside.md`]: '# Beside\n' });
  t.after(() => rmSync(`${project}-beside.md`));
  for (const outside of [`../../${path.basename(project)}-beside.md`, 'a.md']) {
    const { stdout, stderr } = await runCli(['run', `@markdown-converter ${outside}`], at);
    assert.match(stdout + stderr, /Not found in the project/);
  }
  const { code, stderr } = await runCli(['run', '@markdown-converter a.md', '--project', project], at);
  assert.equal(code, 0, stderr);
});

test('a name with a space is found without quotes, and an absent one is named whole', async (t) => {
  const at = {
    cwd: makeProject(t, { '我的 文档.md': '# A\n', 'my notes.md': '# B\n' }),
    home: temporaryFolder(t),
  };
  for (const [request, file] of [
    ['@markdown-converter 把 我的 文档.md 转成 html', '我的 文档.md'],
    ['@markdown-converter my notes.md', 'my notes.md'],
  ] as const) {
    const { stderr } = await runCli(['run', request], at);
    assert.ok(stderr.includes(`invoke_skill markdown-converter input=${file} `), stderr);
  }
  const { stdout, stderr } = await runCli(['run', '@markdown-converter 把 报告.md 转成 html'], at);
  assert.match(stdout + stderr, /项目中不存在: 报告\.md/);
});
