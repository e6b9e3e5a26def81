// Runs the script as a process, as its caller does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const script = path.join(import.meta.dirname, '..', 'scripts', 'convert.mjs');

test('writes a page below mybox/output and says so', (t) => {
  const { folder, run } = project(t, { 'note.md': '# Über 中文\n\ntext\n' });
  const done = run('note.md');
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stdout, /^✅ converted: mybox\/output\/note\.html \(\d+\.\dKB\)\n$/);
  const page = readFileSync(path.join(folder, 'mybox/output/note.html'), 'utf8');
  assert.match(page, /<title>Über 中文<\/title>/);
  assert.match(page, /<h1 id="über-中文">Über 中文<\/h1>\n<p>text<\/p>/);
});

test('speaks Chinese under a Chinese locale', (t) => {
  const { run } = project(t, { '说明.md': '# 标题\n\n这是中文。\n' });
  const done = run('说明.md', '--output=out.html');
  assert.match(done.stdout, /^✅ converted: out\.html/);
  assert.match(run.chinese('说明.md', '--output=out.html').stdout, /^✅ 转换完成: out\.html/);
});

test('front matter gives title and language, options win over it', (t) => {
  const { folder, run } = project(t, { 'a.md': '---\ntitle: "From file"\nlang: fr\n---\n# Head\n' });
  run('a.md', '--output=a.html');
  assert.match(readFileSync(path.join(folder, 'a.html'), 'utf8'), /<html lang="fr">[\s\S]*<title>From file<\/title>/);
  run('a.md', '--output=a.html', '--title=--x', '--lang=zh-CN');
  assert.match(readFileSync(path.join(folder, 'a.html'), 'utf8'), /<html lang="zh-CN">[\s\S]*<title>--x<\/title>/);
});

test('the list of contents appears from three headings on, or when asked for', (t) => {
  const { folder, run } = project(t, { 'a.md': '# T\n## A\n### B\n## C\n', 'b.md': '# T\n## A\n' });
  const contents = (...args) => {
    run(...args, '--output=x.html');
    return /<nav[\s\S]*<\/nav>/.exec(readFileSync(path.join(folder, 'x.html'), 'utf8'))?.[0];
  };
  assert.match(
    contents('a.md'),
    /<a href="#a">A<\/a><ul>\n<li><a href="#b">B<\/a><\/li>\n<\/ul>\n<\/li>\n<li><a href="#c">/,
  );
  assert.equal(contents('b.md'), undefined);
  assert.ok(contents('b.md', '--contents=yes'));
  assert.equal(contents('a.md', '--contents=no'), undefined);
});

test('plain text', (t) => {
  const { folder, run } = project(t, {
    'a.md': '# T\n\n- [x] **done**\n\n| 名 | n |\n|---|--:|\n| 甲 | 10 |\n\n[a](http://b)\n',
  });
  assert.equal(run('a.md', '--to=text', '--output=sub/').status, 0);
  const text = readFileSync(path.join(folder, 'sub/a.txt'), 'utf8');
  assert.equal(text, 'T\n=\n\n- [x] done\n\n名     n\n---  ---\n甲    10\n\na (http://b)\n');
});

test('a missing input is named, the input is never replaced', (t) => {
  const { folder, run } = project(t, { 'a.md': 'x' });
  const missing = run('absent.md');
  assert.deepEqual([missing.status, /absent\.md/.test(missing.stderr)], [1, true]);
  assert.equal(run('a.md', '--output=./a.md').status, 1);
  assert.equal(readFileSync(path.join(folder, 'a.md'), 'utf8'), 'x');
  assert.equal(existsSync(path.join(folder, 'mybox')), false);
});

test('wrong arguments show the usage', (t) => {
  const { run } = project(t, { 'a.md': 'x' });
  for (const args of [[], ['a.md', '--to=pdf'], ['a.md', '--nope'], ['a.md', 'b.md'], ['a.md', '--to=constructor']]) {
    const done = run(...args);
    assert.deepEqual([done.status, /^usage: /.test(done.stderr)], [2, true]);
  }
});

function project(t, files) {
  const folder = mkdtempSync(path.join(tmpdir(), 'markdown-converter-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const start =
    (locale) =>
    (...args) =>
      spawnSync(process.execPath, [script, ...args], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, LANG: locale },
      });
  return { folder, run: Object.assign(start('C.UTF-8'), { chinese: start('zh_CN.UTF-8') }) };
}
