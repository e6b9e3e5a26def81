// What a person meets in their first hour: where paths begin, what failures say, and what to do next.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { makeDigest } from '../../../src/base/value/digest.ts';
import { askMissing } from '../../../src/cli/frame/ask-missing.ts';
import { promptPerson } from '../../../src/cli/frame/question/prompt-person.ts';
import { nameFault } from '../../../src/door/fail.ts';
import { failureOf } from '../../../src/door/output/verdict.ts';
import type { Ended } from '../../../src/process/order.ts';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const ANSWER =
  'import json, sys\nr = json.load(sys.stdin)\nprint(json.dumps({"success": True, "data": r["params"]}))\n';
const PAGE = (title: string) => path.join('mybox/output', `markdown-converter-${title}.html`);

const FILES = {
  ...skillFiles('say', 'name: say\ndescription: Says it.\ncommand: sh say.sh {input}', {
    'say.sh': 'cat "$1" || true\n',
  }),
  ...skillFiles(
    'typed',
    'name: typed\ndescription: x\nentry: a.py\nactions:\n  go:\n    params:\n      source: {type: file, required: true}\n      days: integer\n      text: string\n  free: {}',
    { 'a.py': ANSWER },
  ),
  'notes.md': '# Root\n',
  'sub/deep/notes.md': '# Deep\n',
  'sub/deep/in.md': '# In\n',
};

test('a path is meant from where the person stands, and reaches the script from the project', async (t) => {
  const project = makeProject(t, FILES);
  const deep = path.join(project, 'sub/deep');
  const run = (args: string[], cwd = deep) => runCli([...args, '--yes', '--json'], { cwd, home });
  const page = (name: string) => readFileSync(path.join(project, PAGE(name)), 'utf8');
  assert.equal((await run(['invoke', 'markdown-converter', 'in.md'])).code, 0);
  assert.match(page('in'), /<h1[^>]*>In</);
  await run(['invoke', 'markdown-converter', 'notes.md']);
  assert.match(page('notes'), /<h1[^>]*>Deep</);
  await run(['invoke', 'markdown-converter', '../../notes.md']);
  assert.match(page('notes'), /<h1[^>]*>Root</);
  // With --project, from there; and a text that names no file anywhere stays a text.
  await run(['invoke', 'markdown-converter', 'notes.md', '--project', project]);
  assert.match(page('notes'), /<h1[^>]*>Root</);
  const nothing = JSON.parse(
    (await run(['invoke', 'markdown-converter', 'notes.md'], path.join(project, 'sub'))).stdout,
  );
  assert.match(nothing.summary, /input names no file: sub\/notes\.md/);
  const said = JSON.parse((await run(['invoke', 'say', 'notes.md'])).stdout).data;
  assert.equal(said.stdout, '# Deep\n');
  const called = JSON.parse((await run(['call', 'typed', 'go', 'source=in.md', 'text=in.md'])).stdout).data.response;
  assert.deepEqual(called.data, { source: 'sub/deep/in.md', text: 'in.md' });
});

test('what an action declares is held against a call before anybody is asked', async (t) => {
  const cwd = makeProject(t, FILES);
  const call = async (...args: string[]) =>
    JSON.parse((await runCli(['call', 'typed', ...args, '--json'], { cwd, home })).stdout).data;
  const unknown = await call('goo', 'source=notes.md');
  assert.deepEqual([unknown.type, unknown.hint], ['UNKNOWN_ACTION', 'Did you mean go? It can do: go, free.']);
  const key = await call('go', 'sorce=notes.md');
  assert.deepEqual([key.type, key.hint], ['INVALID_PARAM', 'Did you mean source?']);
  const value = await call('go', 'source=notes.md', 'days=soon');
  assert.deepEqual(
    [value.type, value.hint],
    ['INVALID_PARAM', '`skillwright inspect typed` shows what each parameter takes.'],
  );
  // An action without declared parameters, and what the kits answer, are the skill's own business.
  for (const action of ['free', 'describe', 'test'])
    assert.equal((await call(action, 'any=1')).type, 'ApprovalRequired');
  const { stdout } = await runCli(['help', 'call'], { cwd, home });
  assert.match(stdout, /call csv-insights analyze target=/);
});

test('resume shows what call would have shown', async (t) => {
  const cwd = makeProject(t, FILES);
  const run = (...args: string[]) => runCli(args, { cwd, home });
  const asked = await run('call', 'typed', 'go', 'source=notes.md', '--json');
  const id = String(JSON.parse(asked.stdout).data.id);
  const [resumed, called] = [
    await run('resume', id, '--decide', 'approve'),
    await run('call', 'typed', 'go', 'source=notes.md', '--yes'),
  ];
  assert.equal(resumed.stdout, called.stdout);
  assert.match(resumed.stdout, /"source": "notes\.md"/);
});

test('the body of a prompt skill comes without its fields, a long text in a response by its beginning', async (t) => {
  const cwd = makeProject(t, { ...FILES, 'big.csv': `a,b\n${'1,2\n'.repeat(50)}` });
  const prompt = await runCli(['invoke', 'skill-author'], { cwd, home });
  assert.match(prompt.stdout, /^✅ prompt loaded: skill-author\n# /);
  const args = ['call', 'csv-insights', 'report', 'target=big.csv', 'format=html'];
  const report = await runCli(args, { cwd, home });
  assert.match(report.stdout, /"content": "<!doctype html>.*… \(--json: \d+\)"/);
});

test('a result elsewhere in the project waits; one outside of it is refused with the folder to use', async (t) => {
  const cwd = makeProject(t, FILES);
  const invoke = (output: string) =>
    runCli(['invoke', 'markdown-converter', 'notes.md', `output=${output}`], { cwd, home });
  const waits = await invoke('x.html');
  assert.equal(waits.code, 4, waits.stdout + waits.stderr);
  assert.equal(existsSync(path.join(cwd, 'x.html')), false);
  const refused = await invoke('../x.html');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /hint: Results go to mybox\/output: /);
});

test('a sandbox that could not be set up is named, with advice', () => {
  const ended = (stderr: string, exit: number, unstarted?: string): Ended => ({
    ...(unstarted !== undefined && { unstarted }),
    why: 'exit',
    exit,
    signal: null,
    stdout: Buffer.alloc(0),
    stderr: Buffer.from(stderr),
    durationMs: 1,
  });
  const bind = failureOf(ended('', 1, "Can't bind mount /oldroot/etc/passwd on /newroot/etc/passwd: No such file"));
  assert.deepEqual([bind.type, bind.detail.en], ['PathBlocked', '/etc/passwd cannot be shown inside the sandbox']);
  assert.match(bind.hint.en, /Copy it into the project/);
  const other = failureOf(ended('', 125, 'limits: no: Operation not permitted'));
  assert.match(other.detail.en, /^the sandbox could not be set up: limits/);
  assert.match(other.hint.en, /skillwright doctor/);
  // The same words of a program that ran are its own.
  assert.equal(failureOf(ended('sandbox: mine\n', 125)).details?.sandbox, undefined);
  assert.equal(failureOf(ended('oops\nbwrap: x\n', 1)).details?.sandbox, undefined);
});

test('what the file system forbids is named with its path, in the project and under home', async (t) => {
  const cwd = makeProject(t, FILES);
  const [own, closedHome] = [temporaryFolder(t), temporaryFolder(t)];
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot ? { uid: 65534 } : {};
  const closed = path.join(cwd, '.agent/runs');
  mkdirSync(closed);
  for (const folder of [cwd, own, closedHome, path.join(cwd, '.agent'), closed]) {
    chmodSync(folder, 0o755);
    if (isRoot) chownSync(folder, 65534, 65534);
  }
  const invoke = async (home: string) => {
    const { stdout } = await runCli(['invoke', 'markdown-converter', 'notes.md', '--json'], { cwd, home, ...uid });
    return JSON.parse(stdout).data;
  };
  chmodSync(closed, 0o555);
  const inProject = await invoke(own);
  assert.equal(inProject.type, 'PermissionDenied');
  assert.ok(String(inProject.details.path).startsWith(closed), inProject.details.path);
  chmodSync(closed, 0o755);
  chmodSync(closedHome, 0o555);
  const underHome = await invoke(closedHome);
  chmodSync(closedHome, 0o755);
  assert.equal(underHome.type, 'PermissionDenied');
  assert.ok(String(underHome.details.path).startsWith(closedHome), underHome.details.path);
});

test('a home that is no folder and a full disk are no mistakes of ours', async (t) => {
  const cwd = makeProject(t, FILES);
  const { stdout } = await runCli(['run', 'hello', '--json'], { cwd, home: path.join(cwd, 'notes.md') });
  const { type, hint } = JSON.parse(stdout).data;
  assert.equal(type, 'StateUnusable');
  assert.match(hint, /a folder is needed/);
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  assert.equal(nameFault(full).type, 'LIMIT_DISK');
});

test('a conform that waits for a yes has a record that ended', async (t) => {
  const cwd = makeProject(t, FILES);
  assert.equal((await runCli(['conform', 'typed', '--non-interactive'], { cwd, home })).code, 4);
  const [run] = readdirSync(path.join(cwd, '.agent/runs')).filter((name) => !name.startsWith('.'));
  const summary = JSON.parse(readFileSync(path.join(cwd, '.agent/runs', run ?? '', 'run.json'), 'utf8'));
  assert.equal(summary.outcome, 'interrupted');
});

test('a skill that cannot be read is damaged, not missing; a path names it too', async (t) => {
  const cwd = makeProject(t, {
    ...FILES,
    ...skillFiles('bad', 'name: bad'),
    '.claude/skills/lower/skill.md': '---\nname: lower\ndescription: Says it.\n---\n# x\n',
    '.claude/skills/empty/notes.md': 'x',
  });
  const run = (...args: string[]) => runCli(args, { cwd, home });
  for (const written of ['bad', '.claude/skills/bad']) {
    const { stderr } = await run('inspect', written);
    assert.match(stderr, /MetadataMissing: .*bad\/SKILL\.md:\d+: Add a description[\s\S]*`skillwright validate .*bad`/);
  }
  assert.match((await run('inspect', './.claude/skills/say')).stdout, /^✅ project:say\n/);
  assert.match((await run('inspect', 'sub/deep')).stderr, /SkillNotFound[\s\S]*skillwright validate/);
  assert.match((await run('invoke', 'empty')).stderr, /MetadataMissing[\s\S]*Put a SKILL\.md into/);
  const lower = await run('validate', '.claude/skills/lower');
  assert.match(lower.stdout, /all passed\n[\s\S]*skill-file-name Rename skill\.md to SKILL\.md/);
  assert.doesNotMatch(lower.stdout, /name-folder/);
  assert.match((await run('validate', '.claude/skills/empty')).stderr, /A skill is a folder with a SKILL\.md in it/);
});

test('broken settings are neither validated past nor trusted', async (t) => {
  const cwd = makeProject(t, { ...FILES, '.agent/config.json': '{"x' });
  for (const command of ['validate', 'trust']) {
    const { code, stderr } = await runCli([command], { cwd, home });
    assert.deepEqual([code, /ConfigInvalid/.test(stderr)], [1, true]);
  }
  assert.equal(JSON.parse((await runCli(['trust', '--show', '--json'], { cwd, home })).stdout).data.trusted, false);
});

test('a group of commands explains itself; nothing found says what to try', async (t) => {
  const cwd = makeProject(t, FILES);
  const run = (...args: string[]) => runCli(args, { cwd, home });
  for (const args of [
    ['runs', '--help'],
    ['help', 'runs'],
  ]) {
    const { code, stdout } = await run(...args);
    assert.equal(code, 0);
    assert.match(stdout, /skillwright runs <subcommand>[\s\S]*\n {2}runs verify {3}Verify/);
  }
  assert.match((await run('search', 'zzzqqq')).stdout, /no skill for: zzzqqq\n {2}hint: Say it in other words/);
});

test('new: a name is no option, a programming language makes a command skill, and each kind says what to try', async (t) => {
  const cwd = makeProject(t, {});
  const run = (...args: string[]) => runCli(['new', ...args], { cwd, home });
  assert.equal((await run('--', '-x')).code, 1);
  assert.ok(!existsSync(path.join(cwd, '.agent/skills/-x')));
  assert.match(
    (await run('one', '--lang', 'python')).stdout,
    /created command skill: one[\s\S]*skillwright invoke one/,
  );
  assert.match((await run('two', '--kind', 'prompt', '--lang', 'bash')).stderr, /choose --kind command or protocol/);
  assert.match((await run('three', '--kind', 'protocol')).stdout, /skillwright conform three --yes/);
});

test('edit batch says in plain words what is wrong, and replace how many places changed', async (t) => {
  const cwd = makeProject(t, { 'a.md': 'x x x\n', 'b.json': '[{"op":"swap"}]', 'c.json': '{}' });
  const run = (...args: string[]) => runCli(['edit', ...args], { cwd, home });
  assert.match(
    (await run('batch', 'a.md', 'b.json')).stderr,
    /edit 1 has no known op: "swap"\n {2}hint: Write \[\{"op":"replace"/,
  );
  assert.match((await run('batch', 'a.md', 'c.json')).stderr, /batch takes a JSON list of edits/);
  assert.match((await run('replace', 'a.md', 'x', 'y')).stdout, /^✅ changed: a\.md \(3 places\)\n/);
  assert.match((await run('--help')).stdout, /delete-between removes from each start/);
});

test('--lang reaches the scripts, and the titles of tables', async (t) => {
  const cwd = makeProject(t, FILES);
  const run = (args: string[], env = {}) => runCli(args, { cwd, home, env });
  assert.match((await run(['invoke', 'markdown-converter', 'notes.md', '--lang', 'zh'])).stdout, /\n✅ 转换完成: /);
  const english = await run(['invoke', 'markdown-converter', 'notes.md', '--lang', 'en'], { LC_ALL: 'zh_CN.UTF-8' });
  assert.match(english.stdout, /\n✅ converted: /);
  assert.match((await run(['list', '--lang', 'zh'])).stdout, /\n名称 +类型 +来源 +描述\n/);
  assert.match((await run(['runs', 'list', '--lang', 'zh'])).stdout, /\n运行 +类型 +结果 +调用 +请求\n/);
  assert.match((await run(['doctor', '--lang', 'zh'])).stdout, /\n目录 +来源 +技能数 +状态\n.*已读取|不存在/);
});

test('validate shows no empty remedy', async (t) => {
  const cwd = makeProject(t, FILES);
  const file = path.join(cwd, '.claude/skills/say/SKILL.md');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'));
  const { stdout } = await runCli(['validate', 'say'], { cwd, home });
  assert.match(stdout, /line-endings/);
  assert.doesNotMatch(stdout, /(?:fix|write): *$/m);
});

test('at a terminal a missing parameter is asked for; an empty answer leaves it open', async () => {
  const ask = (typed: string, missing: string[]) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const answered = askMissing({ missing }, () => ({ input, output }));
    input.end(typed);
    return answered;
  };
  assert.deepEqual(await ask('notes.md\n', ['input']), { input: 'notes.md' });
  assert.equal(await ask('\n', ['input']), undefined);
  assert.equal(await ask('', ['input']), undefined);
});

test('Ctrl-C at a question does nothing and says that it was stopped', async () => {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const typed = Object.assign(input, { isTTY: true, setRawMode: () => input });
  const ask = promptPerson('en', () => ({ input: typed, output }));
  const subject = { digest: makeDigest('x'), tool: 'run_script', network: false, writes: false } as const;
  const answered = ask({ subject, risk: 'medium', words: ['a.py'] });
  // What is typed before the question stands there is no answer to it.
  input.write('y\n');
  await once(output, 'data');
  input.write('\u0003');
  await assert.rejects(answered, { details: { signal: 'SIGINT' } });
});

test('Ctrl-C instead of a parameter stops the command, too', async () => {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const ends = { input: Object.assign(input, { isTTY: true, setRawMode: () => input }), output };
  const answered = askMissing({ missing: ['input', 'format'] }, () => ends);
  await once(output, 'data');
  input.write('\u0003');
  await assert.rejects(answered, { details: { signal: 'SIGINT' } });
});
