// The forms in which SKILL.md files start their scripts: links, Python modules, other interpreters, and how long they may take.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { home, makeProject, skillFiles, writeFiles } from '../../support/door-support.ts';
import { readAnswer } from '../../support/rule-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const FRONTMATTER = 'name: forms\ndescription: Has scripts of many forms.';

function place(t: TestContext, scripts: Record<string, string>, files: Record<string, string> = {}) {
  const cwd = makeProject(t, { ...skillFiles('forms', FRONTMATTER, scripts), ...files });
  const folder = path.join(cwd, '.claude/skills/forms');
  const exec = (words: readonly string[], more: { env?: Record<string, string>; home?: string; input?: string } = {}) =>
    runCli(['exec', 'forms', ...words, ...(words.includes('--') ? [] : ['--yes'])], { cwd, home, ...more });
  return { cwd, folder, exec };
}

test('a script may be a link, or lie behind one, as long as it stays in the skill', async (t) => {
  const { folder, exec } = place(t, { 'lib/impl.py': 'import sys\nprint("ran", sys.argv[0].rsplit("/", 1)[1])\n' });
  mkdirSync(path.join(folder, 'scripts'));
  symlinkSync('../lib/impl.py', path.join(folder, 'scripts/go.py'));
  symlinkSync('../lib/impl.py', path.join(folder, 'scripts/bare'));
  symlinkSync('lib', path.join(folder, 'tools'));
  for (const [script, name] of [
    ['scripts/go.py', 'go.py'],
    ['scripts/bare', 'bare'],
    ['tools/impl.py', 'impl.py'],
  ] as const) {
    const { code, stdout, stderr } = await exec([script]);
    assert.deepEqual([code, stdout], [0, `ran ${name}\n`], stderr);
  }
  const folderLink = await exec(['tools']);
  assert.match(folderLink.stderr, /ScriptNotFound/);
  symlinkSync('../../../secret.py', path.join(folder, 'scripts/out.py'));
  const out = await exec(['scripts/out.py']);
  assert.equal(out.code, 1);
  assert.match(out.stderr, /PathBlocked: .*out\.py leads out of the skill folder/);
});

test('the name of a script is enough where only one has it, and scripts/ comes first', async (t) => {
  const say = 'import sys\nprint(sys.argv[0].split("/forms/")[1])\n';
  const { exec } = place(t, {
    'scripts/hi.py': say,
    'old/hi.py': say,
    'tools/deep/only.py': say,
    'a/twin.py': say,
    'b/twin.py': say,
    'notes/read.txt': 'no script\n',
  });
  assert.equal((await exec(['hi.py'])).stdout, 'scripts/hi.py\n');
  assert.equal((await exec(['only.py'])).stdout, 'tools/deep/only.py\n');
  assert.equal((await exec(['old/hi.py'])).stdout, 'old/hi.py\n', 'a path is taken as it stands');
  const twin = await exec(['twin.py']);
  assert.equal(twin.code, 1);
  assert.match(twin.stderr, /ScriptNotFound: .*twin\.py[\s\S]*say which: a\/twin\.py, b\/twin\.py/);
  assert.match((await exec(['deep/only.py'])).stderr, /ScriptNotFound/, 'the end of a path is no name');
  assert.match((await exec(['read.txt'])).stderr, /ScriptNotFound/);
});

const MODULE = `import sys, json
from . import helper
print(json.__name__, helper.WORD, __name__, __package__, sys.argv[0].endswith('/pkg/mod.py'), sys.argv[1:])
open('made.txt', 'w').write(sys.stdin.read())
`;

test('-m runs a module of the skill as python -m does, and nothing of the project takes its place', async (t) => {
  const evil = 'raise SystemExit("the project was imported")\n';
  const { cwd, exec } = place(
    t,
    {
      'pkg/__init__.py': '',
      'pkg/mod.py': MODULE,
      'pkg/helper.py': 'WORD = "helped"\n',
      'tool/__main__.py': 'print("main of", __package__)\n',
      'plain.py': 'print("no package", repr(__package__))\n',
    },
    { 'json.py': evil, 'runpy.py': evil, 'pkg/__init__.py': evil, 'pkg/mod.py': evil },
  );
  const ran = await exec(['-m', 'pkg.mod', '--yes', '--', 'a b', '-x'], { input: 'piped' });
  assert.deepEqual([ran.code, ran.stdout], [0, "json helped __main__ pkg True ['a b', '-x']\n"], ran.stderr);
  assert.equal(existsSync(path.join(cwd, 'made.txt')), true, 'it works in the project');
  assert.equal((await exec(['-m', 'tool'])).stdout, 'main of tool\n');
  assert.equal((await exec(['--module', 'plain'])).stdout, "no package ''\n");
  const typo = await exec(['-m', 'pkg.mot']);
  assert.match(typo.stderr, /ScriptNotFound: .*forms has no module pkg\.mot\n.*Did you mean pkg\.mod\?/);
  assert.match((await exec(['-m', 'json.tool'])).stderr, /forms has no module json\.tool/);
  assert.match((await exec(['-m', '../x'])).stderr, /forms has no module \.\.\/x/);
  assert.match((await exec([])).stderr, /missing argument: <script>, or a module behind -m/);
});

test('an approval shows a module as it is started, and a yes that comes later starts it', async (t) => {
  const { cwd, exec } = place(t, { 'pkg/mod.py': 'print("ran")\n' });
  const asked = readAnswer(await exec(['-m', 'pkg.mod', '--json', '--', 'word']));
  assert.equal(asked.state, 'interrupted');
  assert.match(String(asked.data.question), /1: -m\n\s*2: pkg\.mod\n\s*3: word\n/);
  const [, , id = ''] = String(asked.data.resume_command).split(' ');
  const done = await runCli(['resume', id, '--decide', 'approve'], { cwd, home });
  assert.match(done.stdout, /ran -m pkg\.mod\nran\n/, done.stderr);
});

/** The folder of a program of that name that prints its arguments; only its owner writes there. */
function fakeProgram(t: TestContext, name: string): string {
  const folder = path.join(temporaryFolder(t), 'bin');
  writeFiles(folder, { [name]: '#!/bin/sh\necho "fake" "$@"\n' });
  chmodSync(folder, 0o755);
  chmodSync(path.join(folder, name), 0o755);
  return folder;
}

const isInstalled = (name: string) =>
  ['/usr/local/bin', '/usr/bin', '/bin'].some((folder) => existsSync(path.join(folder, name)));

test('R, bun, deno and uv run what asks for them, by the first line or the ending', async (t) => {
  const scripts = {
    'a.R': 'cat("x")\n',
    'b.ts': '#!/usr/bin/env bun\n',
    'd.ts': '#!/usr/bin/env -S deno run --allow-read\n',
    'u.py': '#!/usr/bin/env -S uv run --script\n# /// script\n# dependencies = []\n# ///\nprint("by python")\n',
    uvless: '#!/usr/bin/env -S uv run --script\nprint("by python, without an ending")\n',
  };
  const { exec } = place(t, scripts);
  for (const [script, program, flags] of [
    ['a.R', 'Rscript', '--vanilla '],
    ['b.ts', 'bun', ''],
    ['d.ts', 'deno', 'run --no-prompt --allow-all '],
    ['u.py', 'uv', 'run --no-config --script '],
  ] as const) {
    const env = { PATH: `${fakeProgram(t, program)}:${process.env.PATH}` };
    const { stdout, stderr } = await exec([script, '--yes', '--', '1'], { env });
    assert.match(stdout, new RegExp(`^fake ${flags}\\S*/forms/${script} 1\\n$`), `${program}: ${stderr}`);
  }
  if (isInstalled('uv')) t.diagnostic('not run: uv is installed');
  else {
    assert.equal((await exec(['u.py'])).stdout, 'by python\n');
    assert.equal((await exec(['uvless'])).stdout, 'by python, without an ending\n');
  }
  if (isInstalled('Rscript')) return t.diagnostic('not run: Rscript is installed');
  const missing = await exec(['a.R']);
  assert.match(
    missing.stderr,
    /Rscript is not installed.*\n.*hint: .*Install Rscript \(https:\/\/cran\.r-project\.org\)/,
  );
  const chinese = await exec(['a.R', '--lang', 'zh']);
  assert.match(chinese.stderr, /未安装 Rscript.*\n.*请自行安装 Rscript/);
});

test('the time of scripts and commands is a setting; a person may ask for more, up to the limit of the user', async (t) => {
  const own = path.join(temporaryFolder(t), 'home');
  const limits = { script_seconds: 1, command_seconds: 1, timeout_seconds: 20 };
  mkdirSync(path.join(own, '.agent'), { recursive: true });
  writeFileSync(path.join(own, '.agent/config.json'), JSON.stringify({ limits }));
  const { cwd, exec } = place(
    t,
    { 'slow.sh': 'sleep 3; echo done\n' },
    skillFiles('waits', 'name: waits\ndescription: Waits.\ncommand: sh wait.sh', { 'wait.sh': 'sleep 3; echo done\n' }),
  );
  const late = await exec(['slow.sh'], { home: own });
  assert.equal(late.code, 5);
  assert.match(late.stderr, /ran longer than 1 s/);
  const longer = await exec(['slow.sh', '--timeout', '15'], { home: own });
  assert.deepEqual([longer.code, longer.stdout], [0, 'done\n'], longer.stderr);
  const invoke = (...more: string[]) => runCli(['invoke', 'waits', '--yes', ...more], { cwd, home: own });
  const cut = await invoke();
  assert.equal(cut.code, 5);
  assert.match(cut.stderr, /ran longer than 1 s\n.*hint: .*--timeout/);
  assert.equal((await invoke('--timeout', '15')).code, 0);
  writeFileSync(path.join(own, '.agent/config.json'), JSON.stringify({ limits: { ...limits, timeout_seconds: 2 } }));
  assert.match((await exec(['slow.sh', '--timeout', '15'], { home: own })).stderr, /ran longer than 2 s/);
  const shown = readAnswer(await runCli(['inspect', 'waits', '--json'], { cwd, home: own }));
  assert.deepEqual(shown.data.limits, { timeout: 1 });
});
