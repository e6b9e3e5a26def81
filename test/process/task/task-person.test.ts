// A task as a person types it: what is shown, what is asked, and which command goes on.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CliResult, runCli } from '../../support/support.ts';
import { openTaskProject } from '../../support/task-support.ts';

interface Desk {
  readonly project: string;
  write(name: string, content: string): string;
  sw(...args: string[]): Promise<CliResult>;
}

function openDesk(t: TestContext): Desk {
  const { project, home, write } = openTaskProject(t);
  return { project, write, sw: (...args) => runCli(args, { cwd: project, home }) };
}

const asking = (question: object, more = '') =>
  `import json, sys
if "--resume" in sys.argv:
    print(json.dumps({"resumed": True, "decided": json.load(sys.stdin)}))
else:
    ${more}
    json.dump(${JSON.stringify(question)}, open("langgraph_interrupt.json", "w"))
    print("[INTERRUPT]")
`;

const QUESTION = {
  interrupted_skills: ['skill_a', 'skill_b'],
  question: 'Which stay?',
  resume_command: 'python bin/audit.py --resume',
};

test('001-40 001-46 an interrupted task shows id, skills, question, choices and the command that decides; resume shows what the script answered', async (t) => {
  const { write, sw } = openDesk(t);
  write('bin/audit.py', asking(QUESTION));
  const asked = await sw('task', 'audit the skills', 'run python bin/audit.py', '--yes');
  assert.equal(asked.code, 4, asked.stderr);
  const id = /^ {2}id +([0-9a-f]{24})$/m.exec(asked.stdout)?.[1] ?? '';
  assert.match(asked.stdout, /^ {2}skills +skill_a, skill_b$/m);
  assert.match(asked.stdout, /^ {2}question +Which stay\?$/m);
  assert.match(asked.stdout, /^ {2}choices +keep \| uninstall$/m);
  assert.match(asked.stdout, new RegExp(`hint: skillwright resume ${id} --decide skill_a=keep skill_b=keep$`, 'm'));
  assert.doesNotMatch(asked.stdout + asked.stderr, /bin\/audit\.py --resume/);
  const done = await sw('resume', id, '--decide', 'skill_a=keep', 'skill_b=uninstall', '--yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /"resumed": true[\s\S]*"skill_b": "uninstall"/);
});

test('001-48 what a script printed with its question stays in the data, and a person reads it in Chinese', async (t) => {
  const { write, sw } = openDesk(t);
  const extra = 'print(json.dumps({"id": "mine", "seen": 2})); print("【LLM 二次分析任务】\\nlook at skill_b")';
  write('bin/audit.py', asking(QUESTION, extra));
  const { stdout } = await sw('task', 'audit the skills', 'run python bin/audit.py', '--yes', '--json');
  const { data } = JSON.parse(stdout);
  assert.deepEqual([data.printed, data.analysis_prompt], [{ id: 'mine', seen: 2 }, 'look at skill_b']);
  assert.match(data.id, /^[0-9a-f]{24}$/);
  const told = await sw('task', '检查所有技能', 'run python bin/audit.py', '--yes', '--lang', 'zh');
  assert.match(told.stdout, /^ {2}问题 +Which stay\?$/m);
  assert.match(told.stdout, /look at skill_b/);
});

test('001-40 an interrupted outcome that a script prints, without marker and file, is asked like one with them', async (t) => {
  const { write, sw } = openDesk(t);
  const block = (data: string) =>
    ['⏸️ worker_agent 工作流已暂停: 2 个技能需 LLM 分析', '  state: interrupted', `  data: ${data}`].join('\n');
  const whole = '{interrupted_skills: ["a", "b"], resume_command: "python bin/next.py"}';
  write('bin/next.py', 'import sys\nprint(sys.stdin.read())\n');
  write('bin/block.py', `print(${JSON.stringify(block(whole))})\n`);
  const asked = await sw('task', 'print a block', 'run python bin/block.py', '--yes', '--json');
  assert.equal(asked.code, 4, asked.stdout);
  const { id, interrupted_skills: skills } = JSON.parse(asked.stdout).data;
  assert.deepEqual(skills, ['a', 'b']);
  const done = await sw('resume', id, '--decide', '{"a":"keep","b":"uninstall"}', '--yes');
  assert.match(done.stdout, /"a": "keep",\n {2}"b": "uninstall"/);
  write('bin/block.py', `print(${JSON.stringify(block('{interrupted_skills: ["a"]}'))})\n`);
  const half = await sw('task', 'print a block', 'run python bin/block.py', '--yes', '--json');
  assert.deepEqual([half.code, JSON.parse(half.stdout).data.details.field], [1, 'resume_command']);
});

test('001-06 001-48 a person sees the warning about the description and what a model should analyse', async (t) => {
  const { write, sw } = openDesk(t);
  write('bin/x.py', 'print("{\\"n\\": 1}\\n【LLM 二次分析任务】\\nis one enough?")\n');
  const { code, stdout, stderr } = await sw(
    'task',
    'one two three four five six seven',
    'run python bin/x.py',
    '--yes',
  );
  assert.equal(code, 0, stderr);
  assert.match(stdout, /"n": 1[\s\S]*for a model to analyse:\nis one enough\?/);
  assert.match(stderr, /^ {2}warning: the description should have 3 to 5 words$/m);
});

test('001-36 the help of a script keeps its lines', async (t) => {
  const { write, sw } = openDesk(t);
  write('bin/x.py', 'import argparse\np = argparse.ArgumentParser()\np.add_argument("name")\np.parse_args()\n');
  const { code, stderr } = await sw('task', 'show the help', 'run python bin/x.py', '--yes');
  assert.equal(code, 1);
  assert.match(stderr, /^ {2}hint:\n {4}usage: x\.py \[-h\] name\n {4}x\.py: error: /m);
});

test('001-33 a script that really raises is named by its exception, in Python and in Node', async (t) => {
  const { write, sw } = openDesk(t);
  write('bin/x.py', 'open("nowhere.txt")\n');
  write('bin/y.mjs', 'null.length;\n');
  const python = JSON.parse((await sw('task', 'open a file', 'run python bin/x.py', '--yes', '--json')).stdout);
  assert.deepEqual([python.data.type, python.data.code], ['FileNotFoundError', 'RUNTIME_FAILED']);
  assert.match(python.summary, /^RuntimeError: execution failed: FileNotFoundError: /);
  write('bin/z.py', 'raise SystemExit(3)\n');
  const said = await sw('task', 'end with three', 'run python bin/z.py', '--yes');
  assert.match(said.stderr, /^❌ RuntimeError: execution failed: /m);
  const node = JSON.parse((await sw('task', 'read a length', 'run node bin/y.mjs', '--yes', '--json')).stdout);
  assert.equal(node.data.type, 'TypeError');
});

test('001-03 001-04 001-05 the seed’s three arguments, an empty description, and what fetches results later', async (t) => {
  const { sw } = openDesk(t);
  const three = await sw('task', 'worker_agent', '列出技能', '执行 python bin/skill_manager.py list', '--json');
  assert.deepEqual([three.code, JSON.parse(three.stdout).agent], [0, 'worker_agent']);
  const four = await sw('task', 'list', 'skills', 'run python bin/skill_manager.py list');
  assert.equal(four.code, 2);
  assert.match(four.stderr, /one argument too many[\s\S]*quotes/);
  const empty = await sw('task', '', '执行 python bin/skill_manager.py list');
  assert.equal(empty.code, 2);
  assert.match(empty.stderr, /the description is empty/);
  for (const word of ['task-output', 'TaskOutput']) {
    const { code, stderr } = await sw(word, 'x');
    assert.equal(code, 2);
    assert.match(stderr, /there is no task id/);
  }
});

test('001-49 a script of a role is answered with the command that calls it', async (t) => {
  const { sw } = openDesk(t);
  const script = 'agents/dev_efficiency_analyst/.claude/skills/build_analysis.py';
  const { code, stderr } = await sw('task', 'analyse the builds', `执行 python ${script}`);
  assert.equal(code, 1);
  assert.match(stderr, /skillwright call dev_efficiency_analyst\/build_analysis <action>/);
});

test('001-44 uninstall of the shipped script asks, and goes on with the decision; install is left to a person', async (t) => {
  const { project, write, sw } = openDesk(t);
  write('.agent/skills/old/SKILL.md', '---\nname: old\ndescription: Says nothing new.\n---\n\n# Old\n');
  const prompt = (words: string) => `执行 python bin/skill_manager.py ${words}`;
  const missing = await sw('task', 'remove a skill', prompt('uninstall nope'), '--json');
  assert.equal(JSON.parse(missing.stdout).data.type, 'SkillNotFound');
  const asked = await sw('task', 'remove a skill', prompt('uninstall old'), '--json');
  assert.equal(asked.code, 4, asked.stdout);
  const { id, interrupted_skills: skills, allowed } = JSON.parse(asked.stdout).data;
  assert.deepEqual([skills, allowed], [['project:old'], ['keep', 'uninstall']]);
  assert.ok(existsSync(path.join(project, '.agent/skills/old')));
  const done = await sw('resume', id, '--decide', 'uninstall');
  assert.match(done.stdout, /1 uninstalled[\s\S]*skillwright restore/);
  assert.ok(!existsSync(path.join(project, '.agent/skills/old')));
  const install = await sw('task', 'install a pack', prompt('install pack.zip'));
  assert.match(install.stderr, /`skillwright install <source>`/);
});

test('a question of a script can be dismissed, also after bin/ has changed', async (t) => {
  const { write, sw } = openDesk(t);
  write('bin/audit.py', asking(QUESTION));
  const asked = await sw('task', 'audit the skills', 'run python bin/audit.py', '--yes', '--json');
  const { id } = JSON.parse(asked.stdout).data;
  write('bin/other.py', 'print(1)\n');
  const refused = await sw('resume', id, '--decide', 'skill_a=keep', 'skill_b=keep');
  assert.match(refused.stderr, new RegExp(`skillwright resume ${id} --decide deny`));
  const gone = await sw('resume', id, '--decide', 'deny');
  assert.deepEqual([gone.code, gone.stdout.split('\n')[0]], [0, '✅ dismissed: nothing was run']);
  assert.deepEqual(JSON.parse((await sw('interrupts', '--json')).stdout).data.items, []);
});

test('skills that a script lists or finds are a table for people, stored or not; other answers stay as they are', async (t) => {
  const { write, sw } = openDesk(t);
  assert.equal((await sw('init')).code, 0);
  const list = ['task', 'list all skills', 'run python bin/skill_manager.py list', '--key', 'skill-list'];
  for (const [heading, name] of [
    [/^✅ 5 skills/, /^NAME +FOLDER +SOURCE +DESCRIPTION$/m],
    [/^⏭️ /, /^csv-insights +csv-insights +builtin +Analyzes CSV/m],
  ] as const) {
    const { code, stdout } = await sw(...list);
    assert.deepEqual([code, heading.test(stdout), name.test(stdout)], [0, true, true], stdout);
    assert.doesNotMatch(stdout, /skill_id|[{}]/);
  }
  assert.equal(JSON.parse((await sw(...list, '--fresh', '--json')).stdout).data.skills.length, 5);
  const found = await sw('task', '查找 转换 技能', '执行 python bin/skill_manager.py search markdown', '--lang', 'zh');
  assert.match(found.stdout, /^名称 +目录 +来源$\n^markdown-converter /m);
  write('bin/own.py', 'import json\nprint(json.dumps({"skills": [{"name": "a"}], "cost": 3}))\n');
  const own = await sw('task', 'what they cost', 'run python bin/own.py', '--yes');
  assert.match(own.stdout, /"cost": 3/);
});

test('001-08 the fourth argument of the signature is the key, as JSON or as the protocol writes it', async (t) => {
  const { write, sw } = openDesk(t);
  write('bin/once.py', 'import json, uuid\nprint(json.dumps({"id": str(uuid.uuid4())}))\n');
  const call = ['task', 'worker_agent', 'make one number', 'run python bin/once.py'];
  const ids: unknown[] = [];
  for (const fourth of ['{"idempotency_key": "one"}', '{idempotency_key: "one"}', '{"idempotency_key": "two"}']) {
    const { data } = JSON.parse((await sw(...call, fourth, '--yes', '--json')).stdout);
    ids.push(data.cached ? data.original_result.id : data.id);
  }
  assert.equal(ids[0], ids[1]);
  assert.notEqual(ids[0], ids[2]);
  for (const fourth of ['{"key": "one"}', 'one', '{"idempotency_key": ""}']) {
    const refused = await sw(...call, fourth, '--yes', '--lang', 'zh');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /多余的参数[\s\S]*等同于 --key KEY/);
  }
});
