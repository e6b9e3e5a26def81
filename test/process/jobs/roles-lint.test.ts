// The linter of roles, skills in folders of their own, and what a grant for a role's skill holds on to.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Diagnostic } from '../../../src/base/diagnostic.ts';
import { makeProject } from '../../support/door-support.ts';
import { cli, grant, makeRole, outcomeOf, ROLE_YAML } from '../../support/jobs-support.ts';

const ANSWER = `import json, sys
request = json.loads(sys.stdin.read())
print(json.dumps({"success": True, "action": request["action"], "data": {"ok": 1}}))
`;

async function lint(project: string): Promise<{ code: number | null; found: Diagnostic[] }> {
  const { code, data } = await outcomeOf(project, ['roles', 'lint']);
  return { code, found: (data.results as { diagnostics: Diagnostic[] }[]).flatMap(({ diagnostics }) => diagnostics) };
}

test('roles lint names what is wrong in the file, in the schedules and on this machine, each with its remedy', async (t) => {
  const project = makeProject(t, {
    'agents/misspelt/agent.yaml': 'descripton: x\n',
    'agents/broken/agent.yaml': `skills:
  - {name: gone, entry: .claude/skills/gone.py}
  - {name: ran, actions: {go: {params: {n: {type: integer, required: true}}}}}
secrets: [NOBODY_HAS_THIS]
allowed_tools: [Read]
schedule:
  - {id: a, cron: "61 * * * *", skill: ran, action: go}
  - {id: b, cron: "0 0 30 2 *", skill: ran, action: go}
  - {id: c, cron: "0 9 * * *", timezone: Asia/Shanghaj, skill: ran, action: go}
  - {id: d, cron: "0 9 * * *", skill: rann, action: go}
  - {id: e, cron: "0 9 * * *", skill: ran, action: goo}
  - {id: f, cron: "0 9 * * *", skill: ran, action: go, params: {n: many}}
  - {id: g, cron: "0 9 * * *", skill: ran, action: go, params: {n: 1}}
  - {id: h, cron: "0 9 * * *", skill: ran, action: go, params: {n: 1}}
  - {id: h, cron: "0 8 * * *", skill: ran, action: go, params: {n: 1}}
`,
    'agents/broken/.claude/skills/ran.py': ANSWER,
  });
  const { code, found } = await lint(project);
  assert.equal(code, 1);
  const remedies = new Map(found.map((one) => [one.code, one.fix ?? '']));
  for (const expected of [
    'role-invalid',
    'entry-missing',
    'tool-denied',
    'secret-missing',
    'cron-invalid',
    'cron-never',
    'timezone-unknown',
    'skill-unknown',
    'action-unknown',
    'params-invalid',
    'job-twice',
    'schedule-twice',
  ])
    assert.equal(remedies.has(expected), true, `${expected}: ${JSON.stringify(found, undefined, 1)}`);
  assert.match(remedies.get('role-invalid') ?? '', /did you mean description/);
  assert.match(remedies.get('skill-unknown') ?? '', /did you mean ran/);
  assert.match(remedies.get('timezone-unknown') ?? '', /Asia\/Shanghai/);
  const shown = await cli(project, ['roles', 'lint', 'broken', '--lang', 'zh']);
  assert.match(shown.stderr + shown.stdout, /检查未通过/);
  assert.equal((await cli(project, ['roles', 'lint', 'brocken'])).code, 1);
});

test('a secret whose file cannot be read is told apart from one that nobody set', async (t) => {
  const project = makeRole(t);
  const missing = path.join(project, 'nobody-wrote-this');
  const { data } = await outcomeOf(project, ['roles', 'lint'], { CI_TOKEN_FILE: missing });
  const [result] = data.results as { diagnostics: Diagnostic[] }[];
  const [found] = result?.diagnostics ?? [];
  assert.deepEqual([found?.code, found?.severity], ['secret-unreadable', 'warning']);
  assert.ok(found?.message.includes(missing), found?.message);
  assert.match(found?.fix ?? '', /CI_TOKEN_FILE must be the whole path of a file/);
});

test('a missing grant is named with the command that gives it, and the command gives it', async (t) => {
  const project = makeRole(t, 'schedule:\n  - {cron: "0 9 * * *", skill: echo, action: report}\n');
  const env = { CI_TOKEN: 'x' };
  const before = (await outcomeOf(project, ['roles', 'lint'], env)).data.results as { diagnostics: Diagnostic[] }[];
  const missing = before[0]?.diagnostics.find(({ code }) => code === 'grant-missing');
  assert.match(missing?.fix ?? '', /^skillwright grants add watcher\/echo --action report/);
  assert.equal((await cli(project, (missing?.fix ?? '').split(' ').slice(1))).code, 0);
  const after = (await outcomeOf(project, ['roles', 'lint'], env)).data.results as { diagnostics: Diagnostic[] }[];
  assert.deepEqual(after[0]?.diagnostics, []);
});

test('a folder with a SKILL.md below the skills of a role is a skill of that role', async (t) => {
  const own = 'agents/r/.claude/skills/judge';
  const project = makeProject(t, {
    'agents/r/agent.yaml': '# every skill there is\n',
    [`${own}/SKILL.md`]: '---\nname: judge\ndescription: Judges.\nentry: run.py\nactions: [go]\n---\n# Judge\n',
    [`${own}/run.py`]: ANSWER,
    'agents/r/.claude/skills/single.py': ANSWER,
  });
  const { data } = await outcomeOf(project, ['roles', 'inspect', 'r']);
  const skills = data.skills as { name: string; kind: string; actions: string[] }[];
  assert.deepEqual(
    skills.map(({ name, actions }) => [name, actions]),
    [
      ['judge', ['go']],
      ['single', []],
    ],
  );
  await grant(project, 'r/judge', 'go');
  assert.equal((await outcomeOf(project, ['jobs', 'run', 'r/judge', 'go'])).state, 'success');
  assert.equal((await outcomeOf(project, ['jobs', 'run', 'r/judge', 'og'])).data.code, 'UNKNOWN_ACTION');
});

test('a grant for a role skill ends when agent.yaml changes what runs or what it may see', async (t) => {
  const project = makeRole(t, '', { 'agents/watcher/.claude/skills/other.py': ANSWER });
  const yaml = path.join(project, 'agents/watcher/agent.yaml');
  const script = path.join(project, 'agents/watcher/.claude/skills/echo.py');
  await grant(project, 'watcher/echo', 'report');
  const run = () => outcomeOf(project, ['jobs', 'run', 'watcher/echo', 'report'], { CI_TOKEN: 'x' });
  assert.equal((await run()).state, 'success');
  const changes: [string, string, string?][] = [
    ['entry: .claude/skills/echo.py\n    timeout', 'entry: .claude/skills/other.py\n    timeout'],
    ['timeout: 90', 'timeout: 900'],
    ['timeout: 90', 'timeout: 90\n    network: true', 'error'],
    ['secrets: []', 'secrets: [CI_TOKEN]'],
  ];
  for (const [from, to, state = 'interrupted'] of changes) {
    writeFileSync(yaml, ROLE_YAML.replace(from, to));
    assert.equal((await run()).state, state, to);
  }
  writeFileSync(yaml, ROLE_YAML.replace('Says what it sees', 'Tells what it sees'));
  assert.equal((await run()).state, 'success');
  writeFileSync(script, `${readFileSync(script, 'utf8')}#`);
  assert.equal((await run()).state, 'interrupted');
  const { grants } = (await outcomeOf(project, ['grants', 'list'])).data as { grants: { state: string }[] };
  assert.deepEqual(
    grants.map(({ state }) => state),
    ['changed'],
  );
});

test('a grant that follows changes is for this script of the role, not for its neighbours', async (t) => {
  const project = makeRole(t);
  const script = path.join(project, 'agents/watcher/.claude/skills/echo.py');
  const other = path.join(project, 'agents/watcher/.claude/skills/other.py');
  await grant(project, 'watcher/echo', 'report', '--follow');
  writeFileSync(script, `${readFileSync(script, 'utf8')}#`);
  assert.equal((await outcomeOf(project, ['jobs', 'run', 'watcher/echo', 'report'])).state, 'success');
  writeFileSync(other, ANSWER);
  const yaml = path.join(project, 'agents/watcher/agent.yaml');
  writeFileSync(yaml, ROLE_YAML.replace('entry: .claude/skills/echo.py', 'entry: .claude/skills/other.py'));
  assert.equal((await outcomeOf(project, ['jobs', 'run', 'watcher/echo', 'report'])).state, 'interrupted');
});

test('what roles lint finds is said in Chinese, too, with the same codes', async (t) => {
  const project = makeRole(
    t,
    'schedule:\n  - {id: a, cron: "99 9 * * *", skill: echo, action: say}\n  - {id: b, cron: "0 9 * * *", skill: eco, action: say}\n',
  );
  type Found = { code: string; message: string; fix?: string; zh?: unknown };
  const lint = async (language: string) => {
    const { data } = await outcomeOf(project, ['roles', 'lint', '--lang', language]);
    return (data.results as { diagnostics: Found[] }[])[0]?.diagnostics ?? [];
  };
  const [english, chinese] = [await lint('en'), await lint('zh')];
  assert.deepEqual(
    chinese.map(({ code }) => code),
    english.map(({ code }) => code),
  );
  assert.deepEqual(
    new Set(english.map(({ code }) => code)),
    new Set(['cron-invalid', 'secret-missing', 'skill-unknown']),
  );
  for (const { message, fix = '', zh } of chinese)
    assert.deepEqual([/\p{Script=Han}/u.test(message + fix), zh], [true, undefined]);
});

test('what is wrong with agent.yaml itself is said in Chinese, too', async (t) => {
  const project = makeProject(t, {
    'agents/a/agent.yaml': 'max_turns: many\nsecrets: [not-a-name]\nskills: [{name: "x y"}]\n',
    'agents/b/agent.yaml': 'skills: [\n',
    'agents/c/agent.yaml': 'skills:\n  - {name: s, actions: 7}\n',
    'agents/c/.claude/skills/s.py': ANSWER,
    'agents/d/.claude/skills/folder/SKILL.md': '---\nname: folder\n---\n',
    'agents/d/agent.yaml': 'description: x\n',
  });
  const { data } = await outcomeOf(project, ['roles', 'lint', '--lang', 'zh']);
  const found = (data.results as { diagnostics: Diagnostic[] }[]).flatMap(({ diagnostics }) => diagnostics);
  assert.equal(found.length, 6, JSON.stringify(found, undefined, 1));
  for (const { message } of found) assert.match(message, /\p{Script=Han}/u);
  const ran = await outcomeOf(project, ['jobs', 'run', 'a/x', 'go', '--lang', 'zh']);
  assert.match(ran.summary, /agent\.yaml: .*\p{Script=Han}/u);
});

test('explain knows the skills of a role, and asks as that role', async (t) => {
  const project = makeRole(t);
  const explain = (...args: string[]) => outcomeOf(project, ['explain', ...args]);
  const asked = await explain('watcher/echo', 'run_script', 'echo.py', 'report');
  assert.deepEqual([asked.data.skill, asked.data.role, asked.data.effect], ['project:watcher/echo', 'watcher', 'ask']);
  await grant(project, 'watcher/echo', 'report');
  assert.equal((await explain('watcher/echo', 'run_script', 'echo.py', 'report')).data.effect, 'allow');
  assert.equal((await explain('watcher/echo', 'run_command', 'ls')).data.effect, 'deny');
  assert.equal((await explain('watcher/eco', 'run_script', 'echo.py')).data.code, 'SKILL_NOT_FOUND');
});

test('a skill that is added to a role ends no grant of the others; what a skill speaks of stays part of it', async (t) => {
  const skills = 'agents/ops/.claude/skills';
  const imports = (name: string) => `import json, sys\nimport ${name}\n${ANSWER}`;
  const project = makeProject(t, {
    'agents/ops/agent.yaml': '# every skill there is\n',
    [`${skills}/one.py`]: imports('shared'),
    [`${skills}/shared.py`]: 'x = 1\n',
  });
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(project, skills, name)), { recursive: true });
    writeFileSync(path.join(project, skills, name), text);
  };
  await grant(project, 'ops/one', 'go');
  const states = async () => {
    const { grants } = (await outcomeOf(project, ['grants', 'list'])).data as { grants: { state: string }[] };
    const ran = await outcomeOf(project, ['jobs', 'run', 'ops/one', 'go']);
    return [grants[0]?.state, ran.state];
  };
  assert.deepEqual(await states(), ['active', 'success']);
  write('two.py', 'y = 1\n');
  write('three/SKILL.md', '---\nname: three\ndescription: Third.\nentry: run.py\nactions: [go]\n---\n# Third\n');
  write('three/run.py', ANSWER);
  assert.deepEqual(await states(), ['active', 'success'], 'neither is part of it');
  write('shared.py', 'x = 2\n');
  assert.deepEqual(await states(), ['changed', 'interrupted'], 'what it imports is');
  write('one.py', imports('two'));
  await grant(project, 'ops/one', 'go');
  assert.equal(
    (await outcomeOf(project, ['jobs', 'run', 'ops/one', 'go'])).state,
    'success',
    'a neighbour it imports is there',
  );
  write('two.py', 'y = 2\n');
  assert.equal((await outcomeOf(project, ['jobs', 'run', 'ops/one', 'go'])).state, 'interrupted');
});
