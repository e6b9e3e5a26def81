// What somebody new types wrong, or does not know yet, and the advice that has to lead on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeProject, writeFiles } from './door-support.ts';
import { runCli, temporaryFolder } from './support.ts';

const OWN = '.agent/config.json';

test('the advice to choose a model names the file that can, with a line that works there', async (t) => {
  const [cwd, home] = [makeProject(t, {}), temporaryFolder(t)];
  for (const lang of ['en', 'zh']) {
    const { stdout, stderr } = await runCli(['run', 'make me a sandwich', '--lang', lang], { cwd, home });
    const [, line = ''] = /~\/\.agent\/config\.json: (\{.*\})/.exec(stdout + stderr) ?? [];
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
    const args = ['roles', 'new', 'analyst', '--json'];
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
