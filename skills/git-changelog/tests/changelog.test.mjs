// Runs the script as a process in real repositories.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const script = path.join(import.meta.dirname, '..', 'scripts', 'changelog.mjs');

test('everything since the last tag, grouped', (t) => {
  const { run, commit, git } = repository(t);
  commit('feat: old');
  git('tag', 'v1.0.0');
  commit(
    'feat(ui): dark mode',
    'fix!: drop `old` API\n\nCloses #3',
    '修复：登录失败',
    'just words',
    '✨ feat: sparkle',
  );
  commit('refactor: core\n\nBREAKING CHANGE: configuration moved\nto config.json\n\nmore');
  const { text, done } = run();
  assert.match(done.stdout, /^✅ changelog written: mybox\/output\/CHANGELOG\.md \(6 changes\)/);
  assert.match(
    text,
    /^# Changelog\n\n## Unreleased\n\n6 changes by 1 person since v1\.0\.0\.\n\n### Breaking changes\n\n/,
  );
  assert.match(text, /- configuration moved to config\.json \([0-9a-f]{7}\)\n- drop `old` API \(/);
  assert.match(text, /### Features\n\n- sparkle \([0-9a-f]{7}\)\n- \*\*ui:\*\* dark mode/);
  assert.match(text, /### Fixes\n\n- 登录失败/);
  assert.match(text, /### Other changes\n\n- just words/);
  assert.match(text, /### Contributors\n\n- Ada Example \(6\)\n$/);
  assert.doesNotMatch(text, /old \(/);
});

test('several releases, a tagged end, Chinese headings, one path', (t) => {
  const { run, commit, git, folder } = repository(t);
  commit('feat: first');
  git('tag', '-a', 'v1', '-m', 'one');
  mkdirSync(path.join(folder, 'docs'));
  commit('fix: second');
  git('tag', 'v2');
  const { text } = run('--releases=5', '--lang=zh', '--authors=no');
  assert.match(
    text,
    /## v2 \(\d{4}-\d\d-\d\d\)\n\n自 v1 以来，1 人提交 1 项变更。\n\n### 修复\n\n- second .*\n\n## v1 \([\d-]+\)\n\n1 人提交 1 项变更。/,
  );
  writeFileSync(path.join(folder, 'docs', 'a.md'), 'a');
  commit('docs: guide');
  assert.match(
    run('--from=v1', '--path=docs').text,
    /## Unreleased\n\n1 change by 1 person since v1\.\n\n### Documentation/,
  );
});

test('a repository without tags, without commits, and no repository', (t) => {
  const { run, commit, folder } = repository(t);
  assert.match(run().text, /^# Changelog\n\nNo changes\.\n$/);
  commit('first');
  assert.match(run().text, /1 change by 1 person\.\n\n### Other changes\n\n- first/);
  rmSync(path.join(folder, '.git'), { recursive: true });
  const { done } = run('--output=never.md');
  assert.deepEqual([done.status, existsSync(path.join(folder, 'never.md'))], [1, false]);
  assert.match(done.stderr, /not in a git repository/);
});

test('the commits as data', (t) => {
  const { run, commit, folder } = repository(t);
  commit('feat(ui)!: dark mode');
  run('--format=json', '--output=log.json');
  const { shallow, releases } = JSON.parse(readFileSync(path.join(folder, 'log.json'), 'utf8'));
  const { hash, ...one } = releases[0].commits[0];
  assert.match(hash, /^[0-9a-f]{40}$/);
  assert.deepEqual([shallow, releases.length], [false, 1]);
  assert.deepEqual(one, { author: 'Ada Example', type: 'feat', scope: 'ui', text: 'dark mode', breaking: 'dark mode' });
});

test('a shallow clone says what it lacks', (t) => {
  const { commit, folder, git } = repository(t);
  commit('feat: one', 'feat: two');
  const clone = path.join(folder, 'clone');
  git('clone', '-q', '--depth=1', `file://${folder}`, clone);
  const { text } = runIn(clone);
  assert.match(text, /_The clone is shallow: older changes are missing\._/);
  assert.match(text, /1 change by/);
});

test('names that look like options, hostile messages and settings do nothing', (t) => {
  const { run, commit, git, folder } = repository(t);
  commit('feat: <img src=x onerror=alert(1)> [x](javascript:1) __init__ *a* \u202e`<b>`');
  const trap = path.join(folder, 'trap');
  git('config', 'core.fsmonitor', `touch ${trap}`);
  git('config', 'core.pager', `touch ${trap}`);
  const { text } = run();
  assert.match(
    text,
    /- &lt;img src=x onerror=alert\(1\)\\> \\\[x\\\]\(javascript:1\) \\_\\_init\\_\\_ \\\*a\\\* `<b>`/,
  );
  for (const name of ['--output=x', '-1', 'HEAD --all', '$(touch trap)', 'no\nsuch', '']) {
    const { done } = run(`--from=${name}`, '--output=never.md');
    assert.equal(done.status, 1);
    assert.match(done.stderr, /there is no commit/);
  }
  assert.deepEqual([existsSync(trap), existsSync(path.join(folder, 'never.md'))], [false, false]);
});

test('wrong arguments show the usage', (t) => {
  const { run } = repository(t);
  for (const args of [
    ['--releases=0'],
    ['--releases=x'],
    ['--lang=fr'],
    ['--format=constructor'],
    ['--nope'],
    ['word'],
  ]) {
    const { done } = run(...args);
    assert.deepEqual([done.status, /^usage: /.test(done.stderr)], [2, true]);
  }
});

function repository(t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'git-changelog-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const who = {
    GIT_AUTHOR_NAME: 'Ada Example',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  };
  const git = (...args) => {
    const done = spawnSync('git', args, { cwd: folder, encoding: 'utf8', env: { ...environment(), ...who } });
    assert.equal(done.status, 0, done.stderr);
  };
  git('init', '-q', '-b', 'main');
  const commit = (...messages) => {
    for (const message of messages) {
      git('add', '--all', '.');
      git('commit', '-q', '--allow-empty', '-m', message);
    }
  };
  return { folder, git, commit, run: (...args) => runIn(folder, ...args) };
}

function runIn(folder, ...args) {
  const done = spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8', env: environment() });
  const file = path.join(folder, 'mybox/output/CHANGELOG.md');
  return { done, text: existsSync(file) ? readFileSync(file, 'utf8') : '' };
}

function environment() {
  return { PATH: process.env.PATH, HOME: tmpdir(), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
}
