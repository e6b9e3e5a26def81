// What a failure or an empty answer tells a newcomer to do next: each hint is one that helps there.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCli, temporaryFolder } from '../../support/support.ts';

function makePlace(t: TestContext, files: Record<string, string> = {}) {
  const folder = temporaryFolder(t);
  const [cwd, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  for (const one of [cwd, home]) mkdirSync(one, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), text);
  }
  const run = (...args: string[]) => runCli(args, { cwd, home });
  return { cwd, home, run };
}

const skill = (name: string, fields = '') => ({
  [`.agent/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}.\n${fields}---\nText.\n`,
});

test('eval without cases names a skill that has some, or the command that writes one', async (t) => {
  const { run } = makePlace(t, skill('adder'));
  const [here, named, chinese] = await Promise.all([
    run('eval'),
    run('eval', 'adder'),
    run('eval', 'adder', '--lang', 'zh'),
  ]);
  const suggested = /no eval cases here\n.*run those of a skill: skillwright eval (\S+)$/m.exec(here.stderr)?.[1];
  assert.ok(suggested !== undefined && suggested !== 'adder', here.stderr);
  assert.match(named.stderr, /adder has no evals\n +hint: `skillwright eval new --from latest`/);
  assert.match(chinese.stderr, /写成 \.agent\/evals 中的用例/);
  assert.equal((await run('eval', suggested)).code, 0, suggested);
});

test('a task in an empty folder names init, before and after the folder is trusted', async (t) => {
  const { run } = makePlace(t);
  const task = (...more: string[]) => run('task', 'list all skills', 'run python bin/skill_manager.py list', ...more);
  assert.match((await task()).stderr, /NotTrusted[\s\S]*hint: There is no bin\/ here: `skillwright init`/);
  assert.match((await task('--lang', 'zh')).stderr, /`skillwright init` 写入其中的脚本/);
  assert.equal((await run('trust', '--yes')).code, 0);
  assert.match((await task()).stderr, /ScriptNotFound[\s\S]*hint: `skillwright init` writes this script/);
  const own = await run('task', 'run my script', 'run python bin/mine.py');
  assert.match(own.stderr, /ScriptNotFound[\s\S]*hint: Check the path/);
  assert.equal((await run('init')).code, 0);
  assert.equal((await task()).code, 0);
});

test('config speaks of trust only where settings of the project wait for it', async (t) => {
  const empty = makePlace(t);
  const waiting = makePlace(t, { '.agent/config.json': '{"output_folder":"results"}' });
  assert.doesNotMatch((await empty.run('config')).stdout, /skillwright trust/);
  assert.match((await waiting.run('config')).stdout, /`skillwright trust` lets the settings of the project count/);
  assert.equal((await waiting.run('trust', '--yes')).code, 0);
  const { stdout, stderr } = await waiting.run('config');
  assert.match(stdout + stderr, /`skillwright schema config` lists what can be set\./);
  assert.doesNotMatch(stdout + stderr, /skillwright trust/);
});

test('a case from a run without a model says which runs cases are made of', async (t) => {
  const { run } = makePlace(t, { 'a.md': '# A\n' });
  assert.equal((await run('invoke', 'markdown-converter', 'a.md')).code, 0);
  const { stderr } = await run('eval', 'new', '--from', 'latest');
  assert.match(stderr, /no decisions of a model\n +hint: A case is written from what `skillwright run "…"` did/);
  assert.match((await run('eval', 'new', '--from', 'latest', '--lang', 'zh')).stderr, /用例由 `skillwright run "…"`/);
});

test('a file that no interpreter fits is answered with what runs, by name and by ending', async (t) => {
  const { run } = makePlace(t, { ...skill('notes', 'command: notes.md\n'), '.agent/skills/notes/notes.md': 'x\n' });
  const { stderr } = await run('invoke', 'notes', '--yes');
  assert.match(stderr, /interpreter "\.md" is not in the list\n +hint: Scripts run by python, node, .*\.py, \.js/);
});

test('a number says one thing in the singular', async (t) => {
  const fetches = 'import urllib.request\nurllib.request.urlopen("https://example.org")\n';
  const { run } = makePlace(t, { ...skill('one'), '.agent/skills/one/scripts/a.py': fetches });
  assert.match((await run('vet', '.agent/skills/one')).stdout, /^✅ 1 finding; everything was inspected$/m);
});

test('of two skills of one name, uninstall says how each comes back, and restore which one it was', async (t) => {
  const { run, home } = makePlace(t, skill('adder'));
  const ofUser = path.join(home, '.agent/skills/adder');
  mkdirSync(ofUser, { recursive: true });
  writeFileSync(path.join(ofUser, 'SKILL.md'), '---\nname: adder\ndescription: Of the user.\n---\nText.\n');
  const first = await run('uninstall', 'adder');
  const second = await run('uninstall', 'user:adder', '--lang', 'zh');
  const [project, user] = [first, second].map(({ stdout }) => /`skillwright restore (\S+)`/.exec(stdout)?.[1] ?? '');
  assert.notEqual(project, user);
  assert.match(first.stdout, /uninstalled: adder \(project\)/);
  const listed = (await run('restore')).stdout;
  assert.match(listed, new RegExp(`^${project} +adder +project`, 'm'));
  assert.match(listed, new RegExp(`^${user} +adder +user`, 'm'));
  assert.match((await run('restore', project ?? '')).stdout, /restored: adder \(project\)/);
  assert.match((await run('restore', user ?? '', '--lang', 'zh')).stdout, /已恢复: adder \(user\)/);
});

test('a key that no case has is told with those there are, in both languages', async (t) => {
  const { run } = makePlace(t, {
    '.agent/evals/odd.yaml': 'cases:\n  - id: a\n    input: x\n    zzz: 1\n    constraints: {qqq: 1}\n    repeat: 0\n',
  });
  const [english, chinese] = await Promise.all([run('eval', 'odd'), run('eval', 'odd', '--lang', 'zh')]);
  assert.match(english.stderr, /odd\.yaml:4: unknown key zzz \(the keys here are id, name, .*constraints/);
  assert.match(english.stderr, /unknown key qqq in constraints \(the keys here are max_turns, [a-z_, ]+\)/);
  assert.match(chinese.stderr, /未知的键 zzz \(此处可用的键: id, name/);
  assert.match(chinese.stderr, /未知的键 qqq（constraints）/);
  assert.doesNotMatch(chinese.stderr, /unknown key|is expected/);
});

test('words of a state are told in Chinese: evals, verify and the trace of a run', async (t) => {
  const { run } = makePlace(t, { ...skill('adder'), 'a.md': '# A\n', '.agent/evals/one.json': ONE_CASE });
  const [evaluated, verified, traced] = await Promise.all([
    run('eval', 'one', '--lang', 'zh'),
    run('verify', '--lang', 'zh'),
    run('run', '@markdown-converter a.md', '--lang', 'zh'),
  ]);
  assert.match(evaluated.stdout, /^✅ 通过: 1 个用例中 1 个通过/);
  assert.match(verified.stdout, /^未锁定 adder sha256:/m);
  assert.match(traced.stderr, /→ markdown-converter \(builtin\): 已载入/);
  assert.match(traced.stderr, /→ 成功: /);
});

const ONE_CASE = JSON.stringify([
  { id: 'a', input: 'hello', mock: [{ type: 'final_answer', content: 'hi' }], output: 'hi' },
]);

test('times in tables have one form, and say their zone', async (t) => {
  const { run } = makePlace(t);
  assert.equal((await run('trust', '--yes')).code, 0);
  assert.match((await run('log')).stdout, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +project +trust/m);
});

test('help for a name nobody has suggests one or lists the commands, and the first screen tells what runs unasked', async (t) => {
  const { run } = makePlace(t);
  const [none, near, first, chinese] = await Promise.all([
    run('help', 'nope'),
    run('help', 'lst'),
    run('--help'),
    run('help', 'nope', '--lang', 'zh'),
  ]);
  assert.match(none.stderr, /unknown command: nope\n +hint: `skillwright --help` lists the commands\./);
  assert.match(near.stderr, /hint: Did you mean list/);
  assert.match(first.stdout, /only built-in skills run without your yes/);
  assert.match(chinese.stderr, /`skillwright --help` 列出全部命令/);
});
