// What somebody new types wrong, or does not know yet, and the advice that has to lead on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeProject, writeFiles } from '../../support/door-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const OWN = '.agent/config.json';

test('the advice to choose a model names the file that can, with a line that works there', async (t) => {
  const [cwd, home] = [makeProject(t, {}), temporaryFolder(t)];
  for (const lang of ['en', 'zh']) {
    const { stdout, stderr } = await runCli(['run', 'make me a sandwich', '--lang', lang], { cwd, home });
    const [, line = ''] = /~\/\.agent\/config\.json[^{]*(\{.*\})/.exec(stdout + stderr) ?? [];
    assert.equal(JSON.parse(line).model.provider, 'anthropic', stdout + stderr);
    const user = temporaryFolder(t);
    writeFiles(user, { [OWN]: line });
    const chosen = await runCli(['run', 'make me a sandwich'], { cwd, home: user });
    assert.match(chosen.stdout + chosen.stderr, /ANTHROPIC_API_KEY holds no key/);
  }
});

test('a project that chooses a model is told where it is chosen', async (t) => {
  const cwd = makeProject(t, { [OWN]: '{"model":{"provider":"mock"}}' });
  const at = { cwd, home: temporaryFolder(t) };
  assert.match(
    (await runCli(['list'], at)).stderr,
    /only your own settings may choose this \(~\/\.agent\/config\.json\)/,
  );
  assert.match(
    (await runCli(['list', '--lang', 'zh'], at)).stderr,
    /仅您自己的配置可选定此项（~\/\.agent\/config\.json）/,
  );
});

test('a setting by the name of another tool is led to ours, and an unknown provider to the known ones', async (t) => {
  const cwd = makeProject(t, {});
  const listed = async (settings: string, ...args: string[]) => {
    const home = temporaryFolder(t);
    writeFiles(home, { [OWN]: settings });
    const { stdout, stderr } = await runCli(args, { cwd, home });
    return stdout + stderr;
  };
  const wrong = '{"model":{"provider":"openai","model":"gpt-x"}}';
  assert.match(await listed(wrong, 'list'), /unknown setting model\.model\n.*did you mean name\?/);
  assert.match(await listed('{"model":{"zzz":1}}', 'list'), /known here: provider, name, base_url/);
  const unknown = await listed('{"model":{"provider":"openai","name":"gpt-x"}}', 'run', 'make me a sandwich');
  assert.match(unknown, /"?openai"? is unknown: choose offline, mock, recorded, anthropic, openai-compatible/);
});

test('a new role keeps the time zone of its machine, and says which', async (t) => {
  for (const zone of ['Europe/Berlin', 'UTC', 'Nowhere/Here']) {
    const cwd = makeProject(t, {});
    const args = ['roles', 'new', 'analyst', '--template', 'dev_efficiency_analyst', '--json'];
    const { stdout } = await runCli(args, { cwd, home: temporaryFolder(t), env: { TZ: zone } });
    const expected = zone === 'Nowhere/Here' ? 'UTC' : zone;
    const { summary, data } = JSON.parse(stdout);
    assert.equal(data.timezone, expected);
    assert.ok(summary.includes(expected), summary);
    assert.ok(readFileSync(path.join(cwd, 'agents/analyst/agent.yaml'), 'utf8').includes(`timezone: ${expected}\n`));
  }
});

test('what init wrote changes nothing, so doctor and trust list nothing; what is added is shown whole', async (t) => {
  const at = { cwd: temporaryFolder(t), home: temporaryFolder(t) };
  assert.equal((await runCli(['init'], at)).code, 0);
  for (const command of ['doctor', 'trust']) {
    const { stdout, stderr } = await runCli([command], at);
    assert.doesNotMatch(stdout + stderr, /require_approval_for/);
  }
  writeFiles(at.home, { [OWN]: '{"execution":{"require_approval_for":["write_file"]}}' });
  const shown = await runCli(['trust'], at);
  assert.match(
    shown.stdout + shown.stderr,
    /require_approval_for: \[[^\]]*"run_command"[^\]]*\], not \["write_file"\]/,
  );
});

test('a new skill counts one word as well as two', async (t) => {
  const at = { cwd: makeProject(t, {}), home: temporaryFolder(t) };
  await runCli(['new', 'counter', '--kind', 'protocol'], at);
  const { stdout } = await runCli(['call', 'counter', 'analyze', 'text=hi', '--yes', '--json'], at);
  const { summary, data } = JSON.parse(stdout);
  assert.deepEqual([summary, data.response.data.insights[0]], ['words measured: 1', 'words: 1, lines: 1']);
});

test('a usage error names the whole line that helps', async (t) => {
  const at = { cwd: makeProject(t, { 'sales.csv': 'a,b\n1,2\n' }), home: temporaryFolder(t) };
  const cases: [string, RegExp, RegExp][] = [
    ['call', /skillwright call --help/, /skillwright call --help/],
    ['jobs show', /skillwright jobs show --help/, /skillwright jobs show --help/],
    ['repeat', /`skillwright --help` lists/, /`skillwright --help` 列出/],
    ['explain csv-insights', /Tools: .*run_script.*write_file/, /工具: .*run_script/],
    ['explain foo', /Tools: .*run_script/, /工具: .*run_script/],
    ['call csv-insights analyze sales.csv', /Write target=sales\.csv/, /请写成 target=sales\.csv/],
    ['validate ./nope/SKILL.md', /there is no file or folder \.\/nope\/SKILL\.md/, /没有文件或目录 \.\/nope/],
    [
      'install anthropics/skills',
      /write github:anthropics\/skills\. A source is/,
      /请写 github:anthropics\/skills。来源可以是/,
    ],
    ['install nowhere.zip', /hint: A source is a folder, an archive/, /来源可以是目录/],
  ];
  for (const [line, english, chinese] of cases) {
    for (const [lang, said] of Object.entries({ en: english, zh: chinese })) {
      const { code, stderr } = await runCli([...line.split(' '), '--lang', lang], at);
      assert.notEqual(code, 0, line);
      assert.match(stderr, said);
    }
  }
  const { code, stdout } = await runCli(['-v'], at);
  assert.deepEqual([code, stdout], [0, (await runCli(['--version'], at)).stdout]);
});

/** Answers the first question of a command at a terminal of its own, and says how it ended and all it showed. */
const AT_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown, answered = b'', False
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if not answered and b'Enter = no' in shown:
        os.write(terminal, sys.argv[1].encode())
        answered = True
sys.stdout.write(shown.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

test('at the prompt approve is a clear yes; after Ctrl-C or Ctrl-D the failure has a line of its own', async (t) => {
  const at = { cwd: makeProject(t, {}), home: temporaryFolder(t), env: { TERM: 'dumb' } };
  await runCli(['new', 'counter', '--kind', 'protocol'], at);
  const ends: [string, number, RegExp][] = [
    ['approve\r', 0, /✅/],
    ['aprove\r', 1, /❌/],
    ['\u0003', 130, /Enter = no [^\n]*\n❌ .*stopped at the question/],
    ['\u0004', 1, /Enter = no [^\n]*\n❌ .*the answer was no/],
  ];
  for (const [typed, expected, said] of ends) {
    const through = ['python3', '-c', AT_TERMINAL, typed];
    const { code, stdout } = await runCli(['call', 'counter', 'analyze', 'text=hi'], { ...at, through });
    assert.equal(code, expected, stdout);
    assert.match(stdout.replace(/\r/g, ''), said);
  }
});
