// What a person meets who types the examples of the four documents this is built on, with nothing else at hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { home, makeProject, writeFiles } from '../../support/door-support.ts';
import { ask } from '../../support/rule-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const ECHO = 'import json, sys\nprint(json.dumps({"success": True, "data": json.load(sys.stdin)["params"]}))\n';
const MISSING_FILE = 'open("nothere.txt")\n';

test('seed 000: whoever stands in the folder of a role has its project around', async (t) => {
  const [marked, bare] = [makeProject(t, {}), temporaryFolder(t)];
  const role = { 'agents/r/agent.yaml': 'skills:\n  - name: s\n', 'agents/r/.claude/skills/s.py': ECHO };
  for (const project of [marked, bare]) {
    writeFiles(project, role);
    const called = await ask(`${project}/agents/r`, ['call', 'r/s', 'test', 'days=7', '--yes']);
    assert.equal(called.state, 'success', JSON.stringify(called));
    const listed = await ask(`${project}/agents/r/.claude/skills`, ['roles', 'list']);
    assert.match(listed.summary, /^1 role/);
  }
});

test('seed 001: a file that a script does not find is no network that was refused', async (t) => {
  const project = makeProject(t, { 'bin/d.py': MISSING_FILE });
  await ask(project, ['trust', '--yes']);
  const { data } = await ask(project, ['task', 'open a file', 'run python bin/d.py', '--yes']);
  assert.equal(data.type, 'FileNotFoundError');
  assert.doesNotMatch(JSON.stringify([data.hint, data.sandbox]), /network/);
});

const PLAN = {
  goal: '完成用户任务',
  steps: [{ id: 's1', title: '选择并加载相关技能', status: 'pending' }],
  assumptions: [],
  constraints: { max_turns: 12, max_tool_calls: 30 },
};

test('seed 002: the payloads and the plan are taken as they are drawn, and an answer without form says where the form is', async (t) => {
  const skill = { name: 'kpi', source: 'project' };
  const project = makeProject(t, {
    '.agent/skills/kpi/SKILL.md': '---\nname: kpi\ndescription: figures\n---\nbody\n',
    '.agent/skills/kpi/reference/kpi.md': '## 指标定义\n\n定义\n',
    'case.json': JSON.stringify([
      { select_skills: { skills: [skill], reason: '...' }, plan_update: PLAN },
      { type: 'load_resource', skill, relative_path: 'reference/kpi.md', section_hint: '## 指标定义' },
      { final_answer: { content: '完成' } },
    ]),
    'bad.json': JSON.stringify([{ answer: '完成' }, { answer: '完成' }]),
  });
  const done = await ask(project, ['run', '写周报', '--model', 'mock:case.json']);
  assert.deepEqual([done.state, done.data.answer, done.data.plan], ['success', '完成', PLAN], JSON.stringify(done));
  assert.deepEqual(done.data.skills, ['kpi']);
  const { stderr } = await runCli(['run', '写周报', '--model', 'mock:bad.json'], { cwd: project, home });
  assert.match(stderr, /提示: `skillwright schema decision` 显示/);
});

test('seed 000: a skill of a role shows the actions of its script, and says how it is called', async (t) => {
  const script = 'import json, sys\nif json.load(sys.stdin).get("action") == "analyze":\n    print("{}")\n';
  const project = makeProject(t, {
    'agents/r/agent.yaml': 'skills:\n  - name: s\n',
    'agents/r/.claude/skills/s.py': script,
  });
  const run = (args: string[], input?: string) =>
    runCli(args, { cwd: project, home, ...(input !== undefined && { input }) });
  const [inspected, invoked, object, unnamed] = await Promise.all([
    run(['inspect', 'r/s']),
    run(['invoke', '@r/s', 'README.md']),
    run(['call', 'r/s', 'analyze', '{"days": 7}']),
    run(['call', 'r/s', '-'], '{"params": {}}'),
  ]);
  assert.match(inspected.stdout, /^ {2}actions +analyze \(found in its script\)$/m);
  assert.match(invoked.stderr, /r\/s has actions, not a command\n.*`skillwright call r\/s <action>`: analyze/);
  const executed = await run(['exec', 'r/s', '.claude/skills/s.py']);
  assert.match(executed.stderr, /`skillwright call r\/s <action>`: analyze/);
  assert.match(object.stderr, /--params '\{…\}'/);
  assert.match(unnamed.stderr, /\[action\]\n.*at the top of the request/);
});

test('seeds 001 and 003: what is missing or misspelt is named with what there is', async (t) => {
  const command = 'command: ./run.sh {file}\nparameters:\n  - {name: file, required: true}';
  const project = makeProject(t, {
    '.agent/skills/img/SKILL.md': `---\nname: img\ndescription: pictures\n${command}\n---\n`,
  });
  await ask(project, ['init']);
  await ask(project, ['trust', '--yes']);
  const [task, validated, found] = await Promise.all([
    ask(project, ['task', 'manage the skills', 'run python bin/skill_manager.py']),
    runCli(['validate', 'img'], { cwd: project, home }),
    ask(project, ['search', 'markdown-converter']),
  ]);
  assert.match(String(task.data.prompt), /^Give one behind the script: list, search, /);
  assert.match(validated.stdout, /field-spelling Did you mean params\? parameters is not a field\./);
  const hits = found.data.hits as { readonly score: number }[];
  assert.ok(
    hits.every(({ score }) => score >= 0.05),
    JSON.stringify(hits),
  );
  assert.match(found.summary, new RegExp(`^${hits.length} skills? for`));
});
