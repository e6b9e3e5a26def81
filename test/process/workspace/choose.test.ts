// The question about a change set at a terminal: yes, choose or no; and what a person is shown before they answer.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { readAnswer } from '../../support/rule-support.ts';
import { runCli } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';

/** A project with one skill whose script does what its first argument says. */
function place(t: TestContext, files: Record<string, string> = {}) {
  const skill = skillFiles('does', 'name: does\ndescription: Does it.', { 'scripts/do.sh': 'eval "$1"\n' });
  const cwd = makeProject(t, { ...skill, ...files });
  const sw = (...args: string[]) => runCli(args, { cwd, home });
  const exec = (code: string, ...options: string[]) => sw('exec', 'does', 'scripts/do.sh', ...options, '--', code);
  /** Leaves changes that wait. */
  const change = (code: string) => exec(code, '--yes', '--apply', 'never');
  const ask = (args: readonly string[], ...[first, ...more]: [string, string][]) =>
    atTerminal(args, { cwd, home, until: first?.[0] ?? '', type: first?.[1] ?? '', more, columns: 120 });
  const read = (name: string) => readFileSync(path.join(cwd, name), 'utf8');
  const waiting = async () => {
    const { data } = readAnswer(await sw('runs', 'changes', 'latest', '--json'));
    return (data.changes as { path: string }[]).map((one) => one.path);
  };
  return { cwd, sw, exec, change, ask, read, waiting, has: (name: string) => existsSync(path.join(cwd, name)) };
}

const QUESTION = 'Apply these changes? [y/c/N/v/?] ';
const EACH = 'Apply this? [y/N/a/d/v/?] ';

test('choose goes file by file, what is executed first, and applies exactly what was chosen', async (t) => {
  const { cwd, ask, read, has, waiting } = place(t, { 'a.txt': 'old\n', 'b.txt': 'gone\n', 'd/e.txt': 'e\n' });
  const code =
    'echo new > a.txt; rm b.txt; rm -r d; printf "one\\ntwo\\n" > c.txt; echo {} > package.json; mkdir x; echo y > x/y';
  const { code: exit, shown } = await ask(
    ['exec', 'does', 'scripts/do.sh', '--', code],
    ['Enter = no', 'y\n'],
    [QUESTION, '?\n'],
    [QUESTION, 'c\n'],
    [EACH, 'n\n'],
    [EACH, 'y\n'],
    [EACH, 'n\n'],
    [EACH, '?\n'],
    [EACH, 'y\n'],
    [EACH, 'y\n'],
    [EACH, 'd\n'],
  );
  assert.equal(exit, 4, shown);
  const order = [...shown.matchAll(/\((\d)\/6\) (.*?)\r?\n/g)].map(([, number, line]) => `${number} ${line}`);
  assert.deepEqual(
    order,
    [
      '1 new package.json (3B) — executed',
      '2 overwrites a.txt (4B)',
      '3 deletes b.txt',
      '4 new c.txt (8B)',
      '5 deletes d/e.txt',
      '6 new x/y (2B)',
    ],
    shown,
  );
  assert.match(shown, /-old\r\n\+new\r\n/);
  assert.match(shown, /c {2}choose file by file\r\n[\s\S]*a {2}apply this and all the rest\r\n/);
  assert.equal(read('a.txt'), 'new\n');
  assert.equal(read('c.txt'), 'one\ntwo\n');
  // A folder goes with the last file that was in it.
  assert.deepEqual(['b.txt', 'd', 'package.json', 'x'].map(has), [true, false, false, false]);
  assert.deepEqual(await waiting(), ['b.txt', 'package.json', 'x', 'x/y']);
  writeFileSync(path.join(cwd, 'beside.txt'), '');
  const rest = await ask(['runs', 'apply', 'latest'], [QUESTION, 'c\n'], [EACH, 'n\n'], [EACH, 'a\n']);
  assert.equal(rest.code, 0, rest.shown);
  assert.match(rest.shown, /applied 3 changes, 1 left/);
  assert.deepEqual([has('b.txt'), read('x/y'), has('package.json')], [false, 'y\n', false]);
});

test('no, an empty line and Ctrl-C leave everything waiting; yes applies all; paths and --yes are not asked', async (t) => {
  const { change, ask, has, waiting, read } = place(t, { 'a.txt': 'old\n' });
  await change('echo new > a.txt; echo b > b.txt; echo c > c.txt');
  for (const answer of ['n\n', '\n', '\u0003']) {
    const { code, shown } = await ask(['runs', 'apply', 'latest'], [QUESTION, answer]);
    assert.equal(code, 4, shown);
    assert.match(shown, /applied 0 changes, 3 left[\s\S]*hint: skillwright runs apply /);
  }
  assert.deepEqual([read('a.txt'), has('b.txt'), (await waiting()).length], ['old\n', false, 3]);
  const named = await ask(['runs', 'apply', 'latest', 'b.txt'], ['Apply', 'n\n']);
  assert.deepEqual([named.code, named.asked, has('b.txt'), has('c.txt')], [0, false, true, false], named.shown);
  const all = await ask(['runs', 'apply', 'latest'], [QUESTION, 'y\n']);
  assert.deepEqual([all.code, read('a.txt'), has('c.txt')], [0, 'new\n', true], all.shown);
  await change('echo d > d.txt');
  const yes = await ask(['runs', 'apply', 'latest', '--yes'], ['Apply', 'n\n']);
  assert.deepEqual([yes.code, yes.asked, has('d.txt')], [0, false, true], yes.shown);
});

const GUARDED = 'as soon as it is in the project. Apply it? [y/c/N/v/?] ';

test('what other tools obey has a question of its own that names it; a yes to the rest and --yes do not answer it', async (t) => {
  const { change, ask, has, exec } = place(t);
  const code =
    'echo p > plain.txt; echo obey > AGENTS.md; mkdir -p .github/workflows; echo x > .github/workflows/x.yml';
  await change(code);
  const no = await ask(['runs', 'apply', 'latest'], [QUESTION, 'y\n'], [GUARDED, '\n']);
  assert.match(no.shown, /new AGENTS\.md \(5B\) — obeyed by .*\r\n/);
  assert.deepEqual([has('plain.txt'), has('AGENTS.md'), has('.github')], [true, false, false], no.shown);
  const yes = await ask(['runs', 'apply', 'latest', '--yes'], [GUARDED, '\n']);
  assert.deepEqual([yes.code, yes.asked, has('AGENTS.md')], [4, true, false], yes.shown);
  const chosen = await ask(['runs', 'apply', 'latest'], [GUARDED, 'c\n'], [EACH, 'n\n'], [EACH, 'y\n']);
  assert.deepEqual([has('AGENTS.md'), has('.github')], [true, false], chosen.shown);
  assert.doesNotMatch(chosen.shown, /Apply these changes/);
  await exec('echo z > z.txt; echo obey > CLAUDE.md', '--yes');
  assert.deepEqual([has('z.txt'), has('CLAUDE.md')], [true, false]);
});

test('a person sees sizes, modes, links, types and hidden characters; equal bytes are no change', async (t) => {
  const { cwd, change, sw } = place(t, {
    'same.txt': 'same\n',
    'run.sh': 'echo\n',
    'bidi.txt': 'plain\n',
    'latin.txt': 'x\n',
    turn: 'file\n',
  });
  chmodSync(path.join(cwd, 'run.sh'), 0o644);
  const code = [
    'printf "same\\n" > new.tmp; cat new.tmp > same.txt; rm new.tmp; touch same.txt',
    'chmod 755 run.sh; stat -c %a run.sh; ln -s run.sh go',
    'printf "pl\\342\\200\\256ain\\n" > bidi.txt',
    'printf "\\351\\n" > latin.txt',
    'printf "\\177ELF\\0\\1" > photo.png; head -c 70000 /dev/zero | tr "\\0" x > long.txt',
    'rm turn; mkdir turn; echo 1 > turn/in.txt',
  ].join('; ');
  // The weakest tier lets a script believe that it has changed a mode.
  const hasModes = (await change(code)).stdout === '755\n';
  const { stdout } = await sw('runs', 'changes', 'latest', '--diff');
  assert.doesNotMatch(stdout, /same\.txt/);
  if (hasModes) assert.match(stdout, /^ {2}changes the mode of run\.sh \(5B, mode 0644 → 0755\) — executed$/m);
  else t.diagnostic('not run: this tier changes no modes');
  assert.match(stdout, /^ {2}new go \(leads to run\.sh\) — executed$/m);
  assert.match(stdout, /^ {2}overwrites turn \(a file becomes a folder, with 1 below\)$/m);
  assert.match(stdout, /^-plain\n\+pl\\u\{202e\}ain$/m);
  assert.match(stdout, /^-x\n\+é$/m);
  assert.match(stdout, /^photo\.png: not shown: a program \(ELF\), 6B$/m);
  assert.match(stdout, /^long\.txt: not shown: text, 68\.4KB$/m);
  const chinese = await sw('runs', 'changes', 'latest', '--diff', '--lang', 'zh');
  if (hasModes) assert.match(chinese.stdout, /^ {2}更改权限 run\.sh \(5B, 权限 0644 → 0755\) — 会被执行$/m);
  assert.match(chinese.stdout, /^photo\.png: 未展示: 程序 \(ELF\)，6B$/m);
});

test('ignored files are one line by the rules of the project, not by those the run wrote, and one question', async (t) => {
  const { change, ask, has, sw } = place(t, { '.gitignore': 'node_modules/\n*.py[co]\n!keep.pyc\n' });
  await change(
    'mkdir -p node_modules/a; echo 1 > node_modules/a/i.js; echo {} > node_modules/a/package.json; echo 1 > m.pyc; echo 1 > keep.pyc; echo "*" >> .gitignore; echo s > seen.txt',
  );
  const { stdout } = await sw('runs', 'changes', 'latest');
  assert.match(stdout, /^ {2}ignored by git: 3 files in m\.pyc, node_modules \(\d+B\) — 1 executed$/m);
  assert.match(stdout, /^ {2}new keep\.pyc/m);
  assert.match(stdout, /^ {2}new seen\.txt/m);
  assert.doesNotMatch(stdout, /i\.js/);
  const told = readAnswer(await sw('runs', 'changes', 'latest', '--json')).data.changes as Record<string, unknown>[];
  assert.deepEqual(told.find((one) => one.path === 'm.pyc')?.ignored, true);
  const steps: [string, string][] = Array.from({ length: 3 }, () => [EACH, 'n\n']);
  const { shown } = await ask(['runs', 'apply', 'latest'], [QUESTION, 'c\n'], ...steps, [EACH, 'v\n'], [EACH, 'y\n']);
  assert.match(shown, /\(4\/4\) ignored by git[\s\S]*\+\+\+ node_modules\/a\/i\.js/);
  assert.deepEqual([has('node_modules/a/i.js'), has('m.pyc'), has('seen.txt')], [true, true, false], shown);
});

test('a long diff is shown in pages, and in Chinese the question is Chinese', async (t) => {
  const { change, ask, has } = place(t);
  await change('seq 100 > n.txt; seq 101 200 > o.txt');
  const { shown } = await ask(
    ['runs', 'apply', 'latest', '--lang', 'zh'],
    ['应用这些更改？ [y/c/N/v/?] ', 'v\n'],
    ['-- 回车继续，q 结束 -- ', '\n'],
    ['-- 回车继续，q 结束 -- ', 'q\n'],
    ['应用这些更改？ [y/c/N/v/?] ', 'c\n'],
    ['应用此项？ [y/N/a/d/v/?] ', 'y\n'],
    ['应用此项？ [y/N/a/d/v/?] ', 'q\n'],
  );
  assert.match(shown, /…（v 显示全部）/);
  assert.match(shown, /\(1\/2\) 新增 n\.txt/);
  assert.doesNotMatch(shown, /^\+200/m);
  assert.deepEqual([has('n.txt'), has('o.txt')], [true, false], shown);
});

test('results that are not delivered are told with the reason', async (t) => {
  const { exec } = place(t);
  const code =
    'mkdir -p "$SKILL_OUTPUT_DIR/.git"; echo x > "$SKILL_OUTPUT_DIR/.git/config"; echo r > "$SKILL_OUTPUT_DIR/r.txt"';
  const english = await exec(code, '--yes');
  assert.match(english.stderr, /^\.git\/config was not delivered: other tools would execute or obey it/m);
  assert.doesNotMatch(english.stderr, /r\.txt was not delivered/);
  const chinese = await exec(code, '--yes', '--lang', 'zh');
  assert.match(chinese.stderr, /^\.git\/config 未交付: 其他工具会执行或遵循它/m);
});
