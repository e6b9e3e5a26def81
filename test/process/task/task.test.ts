// Tasks in a real project: what they run, what they refuse, and the outcome each way of ending gives.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseCompact, renderCompact } from '../../../src/base/text/compact.ts';
import { commandLine, runCli } from '../../support/support.ts';
import { openTaskProject } from '../../support/task-support.ts';
import { assertWorkedIn } from '../../support/working-folder.ts';

const SKILL = '---\nname: markdown-converter\ndescription: Converts Markdown files to HTML.\n---\nText.\n';

test('001-02 001-03 001-04 the first example, word for word: the final outcome is the answer, without a task id', async (t) => {
  const { project, home } = openTaskProject(t);
  const { code, stdout } = await runCli(['task', '列出技能', '执行 python bin/skill_manager.py list', '--json'], {
    cwd: project,
    home,
  });
  assert.equal(code, 0);
  const outcome = JSON.parse(stdout);
  assert.equal(outcome.state, 'success');
  assert.equal(outcome.agent, 'worker_agent');
  assert.equal(typeof outcome.data.total, 'number');
  assert.ok(!('task_id' in outcome) && !('task_id' in outcome.data) && !('warnings' in outcome.data));
  const later = await runCli(['task-output', 'x'], { cwd: project, home });
  assert.equal(later.code, 2);
});

test('001-31 list gives the total and the skills', async (t) => {
  const { run, write } = openTaskProject(t);
  write('.agent/skills/md-tools-v1/SKILL.md', SKILL);
  const { data } = await run('执行 python bin/skill_manager.py list');
  const skills = data.skills as { folder_name: string }[];
  assert.equal(data.total, skills.length);
  assert.ok(skills.some(({ folder_name }) => folder_name === 'md-tools-v1'));
});

test('001-14 003-08 search finds the folder of a skill by its name', async (t) => {
  const { run, write } = openTaskProject(t);
  write('.agent/skills/md-tools-v1/SKILL.md', SKILL);
  const { state, data } = await run('执行 python bin/skill_manager.py search markdown', {
    key: 'skill-search:markdown',
  });
  assert.equal(state, 'success');
  assert.ok((data.hits as { folder_name: string }[]).some(({ folder_name }) => folder_name === 'md-tools-v1'));
});

test('001-15 001-28 scan says what is new and what has changed, as the seed writes it', async (t) => {
  const { run, write } = openTaskProject(t);
  const skill = (name: string, text: string) =>
    write(`.agent/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: d\n---\n${text}\n`);
  for (const name of ['skill-c', 'skill-d', 'skill-e']) skill(name, 'one');
  await run('执行 python bin/skill_scanner.py scan');
  for (const name of ['skill-c', 'skill-d', 'skill-e']) skill(name, 'two, and longer');
  for (const name of ['skill-a', 'skill-b']) skill(name, 'one');
  const outcome = await run('执行 python bin/skill_scanner.py scan', { language: 'zh' });
  assert.equal(outcome.summary, '扫描完成: 新增 2 个, 更新 3 个');
  assert.deepEqual(outcome.data.added, ['skill-a', 'skill-b']);
  assert.deepEqual(outcome.data.updated, ['skill-c', 'skill-d', 'skill-e']);
});

test('003-21 record notes the use of a skill, word for word', async (t) => {
  const { run, write } = openTaskProject(t);
  write('.agent/skills/conv/SKILL.md', '---\nname: conv\ndescription: d\ncommand: cat {input}\n---\n');
  const { data } = await run('python bin/skill_manager.py record conv');
  assert.deepEqual([data.recorded, data.count], [true, 1]);
});

test('003-46 003-47 each operation of the file editor works below mybox/ without a question', async (t) => {
  const { run, write, project } = openTaskProject(t);
  const file = write('mybox/notes.md', 'one\nmark\n');
  write('mybox/x.json', '{"a": {"b": 1}}');
  const unattended = { door: { yes: false } };
  for (const words of [
    'replace mybox/notes.md one two',
    'append mybox/notes.md "last line"',
    'insert-after mybox/notes.md mark below',
    'regex mybox/notes.md "l[ao]st" final',
    'update-json mybox/x.json a.b 2',
  ]) {
    const outcome = await run(`python bin/file_editor.py ${words}`, unattended);
    assert.equal(outcome.state, 'success', `${words}: ${outcome.summary}`);
  }
  assert.equal(readFileSync(file, 'utf8'), 'two\nmark\nbelow\nfinal line\n');
  assert.deepEqual(JSON.parse(readFileSync(path.join(project, 'mybox/x.json'), 'utf8')), { a: { b: 2 } });
});

test('elsewhere in the project the file editor needs a yes', async (t) => {
  const { run, write } = openTaskProject(t);
  const file = write('README.md', 'one');
  const outcome = await run('python bin/file_editor.py replace README.md one two', { door: { yes: false } });
  assert.deepEqual([outcome.state, outcome.data.type], ['interrupted', 'ApprovalRequired']);
  assert.equal(readFileSync(file, 'utf8'), 'one');
  assert.equal((await run('python bin/file_editor.py replace README.md one two')).state, 'success');
});

test('001-18 missing arguments of a shipped script are asked for', async (t) => {
  const { run } = openTaskProject(t);
  const outcome = await run('执行 python bin/skill_manager.py search', { language: 'zh' });
  assert.deepEqual([outcome.state, outcome.summary], ['pending', '等待参数: 需要 keyword']);
  assert.deepEqual(outcome.data.required, ['keyword']);
  const wrong = await run('执行 python bin/skill_manager.py destroy');
  assert.equal(wrong.data.type, 'InvalidArgs');
  assert.match(String((wrong.data.details as { help: string }).help), /usage: skill_manager\.py/);
});

test('a shipped script that was changed is an ordinary script', async (t) => {
  const { run, write } = openTaskProject(t);
  write('bin/skill_manager.py', 'print("mine")\n');
  const asked = await run('执行 python bin/skill_manager.py list', { door: { yes: false } });
  assert.equal(asked.data.type, 'ApprovalRequired');
  const { data } = await run('执行 python bin/skill_manager.py list');
  assert.equal(data.stdout, 'mine\n');
});

test('001-05 another agent is refused', async (t) => {
  const { data } = await openTaskProject(t).run('执行 python bin/skill_manager.py list', { agent: 'x' });
  assert.deepEqual([data.type, (data.details as { check: string }).check], ['InvalidArgs', 'agent']);
});

test('001-06 a description of twenty words warns, an empty one is a mistake', async (t) => {
  const { run } = openTaskProject(t);
  const prompt = '执行 python bin/skill_scanner.py scan';
  const warned = await run(prompt, { description: 'word '.repeat(20) });
  assert.equal(warned.state, 'success');
  assert.deepEqual(warned.data.warnings, ['the description should have 3 to 5 words']);
  for (const description of ['列出技能', 'list all skills', '扫描所有技能目录'])
    assert.ok(!('warnings' in (await run(prompt, { description })).data), description);
  assert.equal((await run(prompt, { description: ' ' })).data.type, 'Usage');
});

test('a folder that is not trusted runs no task', async (t) => {
  const { data } = await openTaskProject(t).run('执行 python bin/skill_manager.py list', { trusted: false });
  assert.equal(data.type, 'NotTrusted');
});

test('001-16 001-17 001-35 a missing script is named and nothing is started', async (t) => {
  const { run, write, project } = openTaskProject(t);
  write('outside.py', 'open("ran", "w")\n');
  symlinkSync('../outside.py', path.join(project, 'bin/link.py'));
  for (const script of ['bin/nope.py', 'bin/link.py']) {
    const { summary, data } = await run(`执行 python bin/skill_scanner.py scan\n执行 python ${script}`, {
      language: 'zh',
    });
    assert.equal(summary, `ScriptNotFound: 脚本不存在: ${script}`);
    assert.equal(data.recoverable, false);
  }
  assert.ok(!existsSync(path.join(project, 'ran')));
});

test('001-24 001-29 what a script prints as JSON is the data, in the project folder, with its arguments', async (t) => {
  const { run, write, project } = openTaskProject(t);
  write('bin/x.py', 'import json, os, sys\nprint(json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd()}))\n');
  write('bin/lib.mjs', 'export const n = 7;\n');
  write('bin/y.mjs', 'import { n } from "./lib.mjs";\nconsole.log(JSON.stringify({ n }));\n');
  write('bin/z.sh', 'echo "{\\"sh\\": 1}"\n');
  const { state, data } = await run(`执行 python bin/x.py "a b" --flag`);
  assert.equal(state, 'success');
  assert.deepEqual(data.argv, ['a b', '--flag']);
  await assertWorkedIn(data.cwd, project, t);
  assert.ok(data.sandbox);
  assert.equal((await run('run node bin/y.mjs')).data.n, 7);
  assert.equal((await run('run bash bin/z.sh')).data.sh, 1);
});

test('001-21 `> /dev/null` runs the script and drops what it prints', async (t) => {
  const { run, write } = openTaskProject(t);
  write('bin/x.py', 'print("{\\"a\\": 1}")\n');
  const { state, data } = await run('执行 python bin/x.py > /dev/null');
  assert.deepEqual([state, data.a, data.stdout], ['success', undefined, undefined]);
});

test('a script that prints an outcome is taken at its word, but never against its exit code', async (t) => {
  const { run, write } = openTaskProject(t);
  const print = (text: string, exit = 0) =>
    write('bin/x.py', `import sys\nprint(${JSON.stringify(text)})\nsys.exit(${exit})\n`);
  print('⚠️ worker_agent 部分完成: 3/5\n  state: partial | data: {succeeded: ["a"], failed: ["b"]} | meta: {}');
  const partial = await run('执行 python bin/x.py');
  assert.deepEqual([partial.state, partial.summary, partial.data.failed], ['partial', '部分完成: 3/5', ['b']]);
  print('{"state": "success", "summary": "all good", "data": {"n": 1}, "agent": "skills"}');
  const json = await run('执行 python bin/x.py');
  assert.deepEqual([json.state, json.agent, json.summary, json.data.n], ['success', 'worker_agent', 'all good', 1]);
  print('✅ worker_agent fine\n  state: success | data: {} | meta: {}', 1);
  assert.equal((await run('执行 python bin/x.py')).state, 'error');
  print('⏱️ worker_agent Timeout\n  state: timeout | data: {} | meta: {}');
  assert.equal((await run('执行 python bin/x.py')).state, 'success');
});

test('001-33 an error the script states itself keeps its own type', async (t) => {
  const { run, write } = openTaskProject(t);
  const text = [
    '❌ worker_agent RuntimeError: 脚本执行失败',
    '  state: error',
    '  data: {type: "FileNotFoundError", msg: "bin/script.py not found"}',
    '  meta: {agent: worker_agent, time: 0.1, ts: "2025-01-29T10:30:00Z"}',
  ].join('\n');
  write('bin/x.py', `import sys\nprint(${JSON.stringify(text)})\nsys.exit(1)\n`);
  const outcome = await run('执行 python bin/x.py');
  assert.deepEqual([outcome.state, outcome.summary], ['error', 'RuntimeError: 脚本执行失败']);
  assert.deepEqual([outcome.data.type, 'recoverable' in outcome.data], ['FileNotFoundError', false]);
});

test('001-36 a script that exits 2 with its usage is InvalidArgs with that help', async (t) => {
  const { run, write } = openTaskProject(t);
  write(
    'bin/x.py',
    'import argparse\np = argparse.ArgumentParser()\np.add_argument("--n", type=int, required=True)\np.parse_args()\n',
  );
  const { summary, data } = await run('执行 python bin/x.py', { language: 'zh' });
  assert.match(summary, /^InvalidArgs: 参数错误: the following arguments are required: --n/);
  assert.equal(data.recoverable, true);
  assert.match(String((data.details as { help: string }).help), /^usage: x\.py/);
});

test('001-27 001-37 001-39 any other failure is a RuntimeError with what stderr ended with, and advice', async (t) => {
  const { run, write } = openTaskProject(t);
  write('bin/x.py', 'raise ValueError("no such month")\n');
  const { state, summary, data } = await run('执行 python bin/x.py', { language: 'zh' });
  assert.deepEqual([state, summary], ['error', 'RuntimeError: 执行失败: ValueError: no such month']);
  assert.deepEqual([data.type, data.recoverable, data.code], ['ValueError', null, 'RUNTIME_FAILED']);
  assert.match(String((data.details as { stderr: string }).stderr), /Traceback/);
  assert.ok(data.hint);
});

test('001-38 a script nobody may read is PermissionDenied', async (t) => {
  const { run, write } = openTaskProject(t);
  chmodSync(write('bin/x.py', 'print(1)\n'), 0);
  const { summary, data } = await run('执行 python bin/x.py', { language: 'zh' });
  assert.match(summary, /^PermissionDenied: 权限不足/);
  assert.equal(data.recoverable, false);
});

test('001-26 001-32 some of several scripts fail: partial, with the names of both kinds and exit code 6', async (t) => {
  const { run, write, project, home } = openTaskProject(t);
  for (const name of ['a', 'b', 'c']) write(`bin/${name}.py`, `print("${name}")\n`);
  for (const name of ['d', 'e']) write(`bin/${name}.py`, 'raise SystemExit(1)\n');
  const prompt = ['a', 'b', 'c', 'd', 'e'].map((name) => `执行 python bin/${name}.py`).join('\n');
  const { state, summary, data } = await run(prompt, { language: 'zh' });
  assert.deepEqual([state, summary], ['partial', '部分完成: 3/5 个脚本执行成功']);
  assert.deepEqual(
    [data.succeeded, data.failed],
    [
      ['a.py', 'b.py', 'c.py'],
      ['d.py', 'e.py'],
    ],
  );
  const cli = await runCli(['task', 'three words here', prompt, '--yes', '--format', 'compact'], {
    cwd: project,
    home,
  });
  assert.equal(cli.code, 6);
  assert.match(
    cli.stdout,
    /^⚠️ worker_agent partly done: 3 of 5 scripts succeeded\n {2}state: partial \| data: \{.*\} \| meta: \{.*\}\n$/,
  );
});

test('several scripts that all fail are an error, several that all end well a success', async (t) => {
  const { run, write } = openTaskProject(t);
  write('bin/a.py', 'print(1)\n');
  write('bin/b.py', 'raise SystemExit(1)\n');
  assert.equal((await run('run python bin/b.py\nrun python bin/b.py')).state, 'error');
  const mixed = await run('python bin/skill_manager.py record nobody\nrun python bin/a.py');
  assert.deepEqual([mixed.state, mixed.data.failed], ['partial', ['skill_manager.py']]);
  assert.equal((await run('run python bin/a.py\nrun python bin/a.py')).state, 'success');
});

test('001-48 the banner of a second analysis fills analysis_prompt', async (t) => {
  const { run, write } = openTaskProject(t);
  write('bin/x.py', 'print("{\\"n\\": 1}")\nprint("【LLM 二次分析任务】")\nprint("Look at a and b.")\n');
  const { data } = await run('执行 python bin/x.py');
  assert.deepEqual([data.n, data.analysis_prompt], [1, 'Look at a and b.']);
});

test('001-50 a script that never ends is ended, and the outcome is a timeout', async (t) => {
  const { run, write, home } = openTaskProject(t);
  write('bin/x.py', 'import time\ntime.sleep(600)\n');
  const { mkdirSync, writeFileSync } = await import('node:fs');
  mkdirSync(path.join(home, '.agent'), { recursive: true });
  writeFileSync(path.join(home, '.agent/config.json'), JSON.stringify({ limits: { timeout_seconds: 1 } }));
  const { state, data } = await run('执行 python bin/x.py');
  assert.deepEqual([state, data.limit, data.recoverable], ['timeout', 1, true]);
});

test('without a person a script of the project needs a grant; with a yes it runs, and only as approved', async (t) => {
  const { run, resume, write } = openTaskProject(t);
  write('bin/x.py', 'print("{\\"a\\": 1}")\n');
  const asked = await run('执行 python bin/x.py', { door: { yes: false } });
  assert.deepEqual([asked.state, asked.data.type, asked.agent], ['interrupted', 'ApprovalRequired', 'worker_agent']);
  const done = await resume(String(asked.data.id), ['approve'], { door: { yes: false } });
  assert.deepEqual([done.state, done.data.a], ['success', 1]);
  const again = await run('执行 python bin/x.py', { door: { yes: false } });
  write('bin/other.py', 'print(2)\n');
  const changed = await resume(String(again.data.id), ['approve'], { door: { yes: false } });
  assert.equal(changed.data.type, 'IntegrityMismatch');
});

test('001-22 001-23 001-34 the compact form of an outcome can be read back', async (t) => {
  const { run } = openTaskProject(t);
  const outcome = await run('执行 python bin/skill_scanner.py scan');
  const text = renderCompact(outcome);
  assert.equal(text.split('\n').length, 2);
  assert.deepEqual(await parseCompact(text), JSON.parse(JSON.stringify(outcome)));
  assert.match(outcome.meta.ts, /Z$/);
});

test('001-51 init writes the worker and its scripts, and leaves what is there alone', async (t) => {
  const { project, home, write } = openTaskProject(t);
  write('bin/skill_manager.py', 'print("mine")\n');
  const { code } = await runCli(['init', '--json'], { cwd: project, home });
  assert.equal(code, 0);
  assert.equal(readFileSync(path.join(project, 'bin/skill_manager.py'), 'utf8'), 'print("mine")\n');
  assert.match(
    readFileSync(path.join(project, '.claude/agents/worker_agent.md'), 'utf8'),
    /^---\nname: worker_agent\n/,
  );
});

test('001-12 run by hand, a shipped script calls the command line', async (t) => {
  const { project, home } = openTaskProject(t);
  const { spawnSync } = await import('node:child_process');
  const cli = commandLine();
  const folder = path.dirname(process.execPath);
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: home, SKILLWRIGHT: cli };
  const byHand = (...words: string[]) => spawnSync('python3', words, { cwd: project, env, encoding: 'utf8' });
  const found = byHand('bin/skill_manager.py', 'search', 'markdown');
  assert.equal(found.status, 0, found.stderr);
  assert.ok(JSON.parse(found.stdout).data.total > 0);
  byHand('bin/file_editor.py', 'append', 'mybox/x.md', '- item');
  assert.equal(readFileSync(path.join(project, 'mybox/x.md'), 'utf8'), '- item');
  const wrong = byHand('bin/skill_scanner.py');
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^usage: skill_scanner\.py/);
  for (const script of ['skill_manager.py', 'skill_scanner.py', 'file_editor.py']) {
    const { status, stdout, stderr } = byHand(`bin/${script}`, '--help');
    assert.deepEqual([status, stdout.startsWith(`usage: ${script} <operation>`), stderr], [0, true, '']);
  }
  const asTask = await runCli(['task', 'show its help', 'run python bin/skill_manager.py --help'], {
    cwd: project,
    home,
  });
  assert.equal(asTask.code, 0, asTask.stderr);
  assert.match(asTask.stdout, /usage: skill_manager\.py <operation>/);
});

test('001-12 003-46 by hand, a script finds the program by words, and without PATH the one init was run with', async (t) => {
  const { project, home } = openTaskProject(t);
  const read = (name: string) => readFileSync(path.join(project, name), 'utf8');
  const { spawnSync } = await import('node:child_process');
  const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout.trim();
  const append = (env: Record<string, string>) =>
    spawnSync(python, ['bin/file_editor.py', 'append', 'mybox/x.md', 'tail'], {
      cwd: project,
      env: { PATH: '/nowhere', HOME: home, ...env },
      encoding: 'utf8',
    });
  const nothing = append({ SKILLWRIGHT: '/no/such/program --x' });
  assert.deepEqual(
    [nothing.status, nothing.stderr],
    [127, 'cannot start /no/such/program --x: No such file or directory\n'],
  );
  assert.match(append({}).stderr, /no alias reaches a script/);
  const words = append({ SKILLWRIGHT: `'${process.execPath}' '${commandLine()}'` });
  assert.equal(words.status, 0, words.stderr);
  assert.equal((await runCli(['init'], { cwd: project, home })).code, 0);
  const remembered = append({});
  assert.equal(remembered.status, 0, remembered.stderr);
  assert.equal(read('mybox/x.md'), 'tail\ntail');
  assert.match(read('.claude/agents/skills.md'), /^---\nname: skills\ndescription: .+\ncolor: purple\n/);
});

test('a grant for a script of bin/ lets it run with nobody there, until anything in bin/ changes', async (t) => {
  const { run, write, project, home } = openTaskProject(t);
  write('bin/x.py', 'import sys\nprint(sys.argv[1:])\n');
  const unattended = { door: { yes: false } };
  const tier = (await run('run python bin/x.py')).data.sandbox as { tier: string };
  const add = await runCli(['grants', 'add', 'bin', 'go', '--script', 'bin/x.py', '--tier', tier.tier], {
    cwd: project,
    home,
  });
  assert.equal(add.code, 0, add.stderr);
  assert.equal((await run('run python bin/x.py go on', unattended)).state, 'success');
  assert.equal((await run('run python bin/x.py stop', unattended)).state, 'interrupted');
  const listed = async () => JSON.parse((await runCli(['grants', 'list', '--json'], { cwd: project, home })).stdout);
  assert.equal((await listed()).data.grants[0].state, 'active');
  write('bin/lib.py', '# new\n');
  assert.equal((await run('run python bin/x.py go on', unattended)).state, 'interrupted');
  assert.equal((await listed()).data.grants[0].state, 'changed');
  const missing = await runCli(['grants', 'add', 'bin', '--script', 'nope.py'], { cwd: project, home });
  assert.equal(missing.code, 1);
});

test('001-02 001-05 the library has it too: one call, the outcome is its value', async (t) => {
  const { project, home } = openTaskProject(t);
  const { createRuntime, task } = await import('../../../src/index.ts');
  const runtime = await createRuntime({ project, home, language: 'zh' });
  const request = { agent: 'worker_agent', description: '列出技能', prompt: '执行 python bin/skill_manager.py list' };
  const outcome = await task({ ...request, idempotency_key: 'skill-list' }, { runtime });
  assert.deepEqual([outcome.state, outcome.agent], ['success', 'worker_agent']);
  assert.equal((await task({ ...request, idempotency_key: 'skill-list' }, { runtime })).data.cached, true);
  assert.equal((await task({ ...request, agent: 'x' }, { runtime })).data.type, 'InvalidArgs');
});
