// One answer speaks one language: that of --lang, else that of the request, else that of the locale; and says a failure once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProject } from '../../support/door-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const CHINESE = /\p{Script=Han}/u;

test('the whole answer to a request has the language of the request, and --lang goes before it', async (t) => {
  const at = { cwd: makeProject(t, { 'a.md': '# A\n' }), home: temporaryFolder(t) };
  const chinese = await runCli(['run', '@markdown-converter 把 a.md 转换成网页'], at);
  assert.match(chinese.stdout, /^执行成功: convert → .*\n✅ 转换完成: .*\n\n已写入:\n/);
  assert.doesNotMatch(chinese.stderr, /success|loaded|record/);
  const forced = [
    await runCli(['run', '@markdown-converter 把 a.md 转换成网页', '--lang', 'en'], at),
    await runCli(['run', 'convert a.md to html'], { ...at, env: { LANG: 'zh_CN.UTF-8' } }),
  ];
  for (const { stdout, stderr } of forced) {
    assert.match(stdout, /Written:\n/);
    assert.doesNotMatch(stdout + stderr, CHINESE);
  }
  const said = await runCli(['run', 'convert a.md to html', '--lang', 'zh'], at);
  assert.match(said.stdout, /已写入:/);
  const locale = await runCli(['run', '@markdown-converter'], { ...at, env: { LANG: 'zh_CN.UTF-8' } });
  assert.match(locale.stdout + locale.stderr, /还需要 input/);
});

test('a failure is said once, with its advice once', async (t) => {
  const at = { cwd: makeProject(t, { 'sales.csv': 'a,b\n1,2\n' }), home: temporaryFolder(t) };
  const { stdout, stderr } = await runCli(['run', '@csv-insights report sales.csv output=sales.csv', '--quiet'], at);
  const all = stdout + stderr;
  assert.equal(all.match(/output is no markdown file/g)?.length, 1, all);
  assert.equal(all.match(/execution failed/g)?.length, 1, all);
  assert.match(all, /hint: .*skillwright inspect csv-insights/);
  assert.doesNotMatch(all, /excerpt of stderr/);
});

test('what a skill answered wrong is said in the language of the person', async (t) => {
  const cwd = makeProject(t, {
    '.agent/skills/mute/SKILL.md':
      '---\nname: mute\ndescription: Says nothing.\nentry: main.mjs\nactions:\n  go: {description: Go.}\n---\n# Mute\n',
    '.agent/skills/mute/main.mjs': '',
  });
  const at = { cwd, home: temporaryFolder(t) };
  assert.match((await runCli(['call', 'mute', 'go', '--yes'], at)).stderr, /invalid response: stdout is empty/);
  assert.match((await runCli(['call', 'mute', 'go', '--yes', '--lang', 'zh'], at)).stderr, /技能返回无效: stdout 为空/);
});

test('a question that was asked in one language is refused in another', async (t) => {
  const at = { cwd: makeProject(t, { 'a.md': 'one\n' }), home: temporaryFolder(t) };
  await runCli(['init', '--yes'], at);
  const prompt = '执行 python bin/file_editor.py replace a.md one two';
  const asked = await runCli(['task', '改文件', prompt, '--lang', 'zh', '--json'], at);
  const { id, question } = JSON.parse(asked.stdout).data;
  assert.match(question, /^智能体/);
  const { stdout, stderr } = await runCli(['resume', id, '--decide', 'deny', '--lang', 'en'], at);
  assert.match(stdout + stderr, /refused: The agent/);
  assert.doesNotMatch(stdout + stderr, CHINESE);
});
