// Roles: agent.yaml with its mistakes, its texts, and the commands that show them.
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findRole, listRoles } from '../../../src/registry/role/role.ts';
import { skillOfRole } from '../../../src/registry/role/skill.ts';
import { call, door, home, makeProject } from '../../support/door-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const YAML = `name: Analyst
description: Looks at builds
skills:
  - name: long_running_task
    entry: .claude/skills/task.py
    timeout: 600
    description: takes its time
schedule:
  - {cron: "0 9 * * *", timezone: Asia/Shanghai, skill: long_running_task, action: daily_briefing, params: {}}
secrets: [CI_TOKEN]
allowed_tools: [Read, run_script]
max_turns: 5
`;

test('000-18 000-21 000-22 000-63 a role with its skills, texts, schedule, secrets and tools', async (t) => {
  const project = makeProject(t, {
    'agents/dev_efficiency_analyst/agent.yaml': YAML,
    'agents/dev_efficiency_analyst/CLAUDE.md': '# You look at builds\n',
    'agents/dev_efficiency_analyst/.claude/skills/task.py': '',
    'agents/dev_efficiency_analyst/.claude/skills/README.md': '# Skills of this role\n',
    'agents/notes.txt': 'no role',
    'agents/empty/readme.md': 'no role either',
  });
  const listed = await runCli(['roles', 'list', '--json'], { cwd: project, home });
  const { roles, total, diagnostics } = JSON.parse(listed.stdout).data;
  assert.deepEqual(
    [total, roles[0].name, roles[0].skills, roles[0].schedules, diagnostics],
    [1, 'dev_efficiency_analyst', ['long_running_task'], 1, []],
  );
  const shown = await runCli(['roles', 'inspect', 'dev_efficiency_analyst', '--json'], { cwd: project, home });
  const { data } = JSON.parse(shown.stdout);
  assert.deepEqual(data.skills[0].timeout, 600);
  assert.match(data.instructions, /You look at builds/);
  assert.match(data.readme, /Skills of this role/);
  assert.deepEqual([data.secrets, data.max_turns, data.allowed_tools.length], [['CI_TOKEN'], 5, 2]);
  const skills = await runCli(['list', '--json', '--source', 'project'], { cwd: project, home });
  assert.equal(JSON.parse(skills.stdout).data.total, 0);
  const unknown = await runCli(['roles', 'inspect', 'dev_efficiency_analist'], { cwd: project, home });
  assert.deepEqual([unknown.code, /dev_efficiency_analyst/.test(unknown.stderr)], [1, true]);
});

test('an unknown key is an error with the near one, an entry that is not there a finding', async (t) => {
  const project = makeProject(t, {
    'agents/a/agent.yaml': 'skills:\n  - name: x\n    entry: .claude/skills/x.py\n    max_output: 5\ndescripton: y\n',
    'agents/b/agent.yaml':
      'skills:\n  - {name: x, entry: .claude/skills/gone.py}\n  - {name: y, entry: ../../../etc/passwd}\n',
    'agents/c/agent.yaml': 'skills: [',
    'agents/d/agent.yaml': 'allowed_tools: {a: 1}\n',
  });
  const codes = async (name: string) =>
    (await findRole(project, name))?.diagnostics.map(({ code, line, fix }) => [code, line, fix]);
  assert.deepEqual(await codes('a'), [
    ['role-invalid', 4, undefined],
    ['role-invalid', 5, 'did you mean description?'],
  ]);
  assert.deepEqual(
    (await codes('b'))?.map(([code]) => code),
    ['entry-missing', 'entry-outside'],
  );
  assert.equal((await codes('c'))?.[0]?.[0], 'role-invalid');
  assert.deepEqual((await findRole(project, 'd'))?.allowedTools, []);
  const open = await door(project);
  assert.equal((await call(open, 'a/x', 'go')).data.code, 'CONFIG_INVALID');
  assert.equal((await call(open, 'b/y', 'go')).state, 'error');
});

test('a role without a list of skills has every script in its folder, one with a list only those', async (t) => {
  const project = makeProject(t, {
    'agents/all/agent.yaml': '# nothing said\n',
    'agents/all/.claude/skills/one.py': '',
    'agents/all/.claude/skills/two.mjs': '',
    'agents/all/.claude/skills/README.md': '',
    'agents/some/agent.yaml': 'skills: [one]\n',
    'agents/some/.claude/skills/one.sh': '',
    'agents/some/.claude/skills/helper.py': '',
    'agents/root/agent.yaml': 'skills:\n  - {name: main, entry: main.py}\n',
    'agents/root/main.py': '',
  });
  const roles = await listRoles(project);
  const skillsOf = (name: string) => roles.find((role) => role.name === name)?.skills.map(({ entry }) => entry);
  assert.deepEqual(skillsOf('all'), ['.claude/skills/one.py', '.claude/skills/two.mjs']);
  assert.deepEqual(skillsOf('some'), ['.claude/skills/one.sh']);
  const root = roles.find((role) => role.name === 'root');
  assert.equal(root && skillOfRole(root, 'main')?.folder, path.join(project, 'agents/root'));
});

test('a role that is a link out of the project is none', async (t) => {
  const outside = temporaryFolder(t);
  const project = makeProject(t, { 'agents/x.txt': '' });
  symlinkSync(outside, path.join(project, 'agents', 'evil'));
  assert.deepEqual(await listRoles(project), []);
});

test('threat 33 blocked: the texts of a role are never files from elsewhere under their name', async (t) => {
  const outside = temporaryFolder(t);
  writeFileSync(path.join(outside, 'credentials'), 'CANARY-HOME');
  const project = makeProject(t, {
    'agents/a/agent.yaml': '',
    'agents/b/agent.yaml': '',
    'agents/c/agent.yaml': '',
    'agents/d/agent.yaml': '',
    'agents/a/.claude/skills/x.py': '',
    'agents/d/CLAUDE.md': 'x'.repeat(1024 * 1024 + 1),
    '.env': 'CANARY-ENV',
    'shared.md': 'You all watch.',
  });
  const link = (target: string, name: string) => symlinkSync(target, path.join(project, 'agents', name));
  link(path.join(outside, 'credentials'), 'a/CLAUDE.md');
  link('/proc/self/environ', 'a/.claude/skills/README.md');
  link('../../.env', 'b/CLAUDE.md');
  link('../../shared.md', 'c/CLAUDE.md');
  for (const [name, refused] of [
    ['a', 2],
    ['b', 1],
    ['d', 1],
  ] as const) {
    const role = await findRole(project, name);
    assert.deepEqual([role?.instructions, role?.readme], [undefined, undefined], name);
    assert.equal(role?.diagnostics.filter(({ code }) => code === 'text-refused').length, refused);
    const { stdout, stderr } = await runCli(['roles', 'inspect', name], {
      cwd: project,
      home,
      env: { MARK: 'CANARY' },
    });
    assert.doesNotMatch(stdout + stderr, /CANARY/);
  }
  const shown = await runCli(['roles', 'inspect', 'c'], { cwd: project, home });
  assert.match(shown.stdout, /You all watch/);
});

test('threat 35 blocked: a skill of a role is made of files of that role, however its folder is linked', async (t) => {
  const outside = temporaryFolder(t);
  const answer = 'print(\'{"success": true, "action": "go", "data": {}}\')\n';
  writeFileSync(path.join(outside, 'tool.py'), answer);
  const project = makeProject(t, {
    'agents/a/agent.yaml': `skills:
  - {name: linked, entry: lib/tool.py}
  - {name: back, entry: up/agents/a/own/tool.py}
  - {name: above, entry: ../b/tool.py}
  - {name: own, entry: own/tool.py}
`,
    'agents/a/own/tool.py': answer,
    'agents/b/tool.py': answer,
  });
  symlinkSync(outside, path.join(project, 'agents/a/lib'));
  symlinkSync('../..', path.join(project, 'agents/a/up'));
  const role = await findRole(project, 'a');
  assert.deepEqual(
    [role?.skills.map(({ name }) => name), role?.diagnostics.map(({ code }) => code)],
    [['own'], ['entry-outside', 'entry-outside', 'entry-outside']],
  );
  const open = await door(project);
  for (const name of ['linked', 'back', 'above'])
    assert.equal((await call(open, `a/${name}`, 'go')).data.code, 'SKILL_NOT_FOUND', name);
  assert.equal((await call(open, 'a/own', 'go')).state, 'success');
});
