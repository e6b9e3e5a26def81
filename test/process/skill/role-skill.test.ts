// Skills of roles, as a person meets them on the command line: found, shown, called, added.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Files, makeProject } from '../../support/door-support.ts';
import { type CliResult, runCli, temporaryFolder } from '../../support/support.ts';

function open(t: TestContext, files: Files = {}) {
  const [cwd, home] = [makeProject(t, files), temporaryFolder(t)];
  const sw = (...args: string[]): Promise<CliResult> => runCli(args, { cwd, home });
  return { cwd, sw };
}

/** The shape of the seed's own example: one file, no list of actions anywhere. */
const EXAMPLE = `import json, sys
def main():
    request = json.loads(sys.stdin.read())
    action = request.get("action")
    if action == "analyze":
        result = {"success": True, "data": {"days_analyzed": request.get("params", {}).get("days", 7), "context": request["context"]}}
    else:
        result = {"success": False, "error": {"code": "UNKNOWN_ACTION", "message": f"Unknown action: {action}"}}
    print(json.dumps(result))
main()
`;
const SEED: Files = {
  'agents/dev_efficiency_analyst/agent.yaml': '# no list: every script is a skill\n',
  'agents/dev_efficiency_analyst/.claude/skills/build_analysis.py': EXAMPLE,
};
const NAME = 'dev_efficiency_analyst/build_analysis';

test('000-04 000-11 inspect, list and doctor know the skills of roles', async (t) => {
  const { sw } = open(t, SEED);
  const [inspected, listed, plain, doctor] = await Promise.all([
    sw('inspect', NAME, '--json'),
    sw('list', '--roles', '--json'),
    sw('list', '--json'),
    sw('doctor', '--json'),
  ]);
  assert.equal(inspected.code, 0, inspected.stdout);
  const { skill, limits, digest } = JSON.parse(inspected.stdout).data;
  assert.deepEqual([skill.name, skill.kind, limits.timeout], [NAME, 'protocol', 300]);
  assert.match(digest, /^sha256:/);
  const names = (result: CliResult) => JSON.parse(result.stdout).data.skills.map((one: { name: string }) => one.name);
  assert.ok(names(listed).includes(NAME));
  assert.ok(!names(plain).includes(NAME));
  const seen = JSON.parse(doctor.stdout).data.skills.find((one: { path: string }) =>
    one.path.endsWith('build_analysis.py'),
  );
  assert.equal(seen?.visible, true, doctor.stdout);
});

test('a request and invoke, which start no skill of a role, say how it is called', async (t) => {
  const { sw } = open(t, {
    ...SEED,
    'agents/grower/.claude/skills/mulch_beds.py': EXAMPLE,
    'agents/grower/agent.yaml': '',
  });
  for (const words of [
    ['run', `@${NAME}`],
    ['invoke', `@${NAME}`],
    ['exec', NAME, 'x.py'],
  ]) {
    const { code, stderr } = await sw(...words);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /`skillwright call dev_efficiency_analyst\/build_analysis <action>`/, words.join(' '));
  }
  for (const words of [
    ['run', '@mulch_beds last week'],
    ['invoke', '@mulch_beds'],
  ])
    assert.match((await sw(...words)).stderr, /A role has it: grower\/mulch_beds/, words.join(' '));
});

test('search finds the skills of roles by name, description, actions and opening words, beside the others', async (t) => {
  const entry = (name: string) => `  - name: ${name}\n    entry: .claude/skills/${name}.py\n`;
  const { cwd, sw } = open(t, {
    'agents/grower/agent.yaml': `skills:\n${entry('rhubarb_care')}    description: Waters plants.\n    actions:\n      mulch:\n        description: Covers the soil with quince leaves.\n${entry('shed')}`,
    'agents/grower/.claude/skills/rhubarb_care.py': EXAMPLE,
    'agents/grower/.claude/skills/shed.py': `"""Counts the flowerpots."""\n${EXAMPLE}`,
    '.agent/skills/jam/SKILL.md': '---\nname: jam\ndescription: Cooks rhubarb jam.\n---\n',
  });
  const hits = async (...words: string[]): Promise<{ name: string; folder_name: string; source: string }[]> =>
    JSON.parse((await sw('search', ...words, '--json')).stdout).data.hits;
  const [fruit, said, table, ofUser] = await Promise.all([
    hits('rhubarb'),
    hits('quince'),
    sw('search', 'flowerpots'),
    hits('rhubarb', '--source', 'user'),
  ]);
  const sorted = fruit.map(({ name, folder_name, source }) => [name, folder_name, source].join(' ')).sort();
  assert.deepEqual(sorted, ['grower/rhubarb_care agents/grower/rhubarb_care project', 'jam jam project']);
  assert.equal(said[0]?.name, 'grower/rhubarb_care');
  assert.match(table.stdout, /^ *grower\/shed +project/m);
  assert.deepEqual(ofUser, []);
  // What changed in agent.yaml is seen at once.
  const changed = `skills:\n${entry('shed')}    description: Stores medlars.\n`;
  writeFileSync(path.join(cwd, 'agents/grower/agent.yaml'), changed);
  assert.equal((await hits('medlars'))[0]?.name, 'grower/shed');
});

test('a role that cannot be read hides its own skills from a search and no others', async (t) => {
  const { sw } = open(t, {
    'agents/broken/agent.yaml': 'skills: 5\n',
    '.agent/skills/jam/SKILL.md': '---\nname: jam\ndescription: Cooks rhubarb jam.\n---\n',
  });
  const { code, stdout } = await sw('search', 'rhubarb', '--json');
  assert.deepEqual([code, JSON.parse(stdout).data.hits.map(({ name }: { name: string }) => name)], [0, ['jam']]);
});

test('000-11 a call without an action is told those the script speaks of, and a near name is offered', async (t) => {
  const { sw } = open(t, SEED);
  const [bare, typo, short] = await Promise.all([
    sw('call', NAME),
    sw('call', 'dev_efficiency_analyst/build_analyses', 'analyze'),
    sw('call', 'build_analysi', 'analyze', '--lang', 'zh'),
  ]);
  assert.equal(bare.code, 2);
  assert.match(bare.stderr, /its script speaks of: analyze\./);
  assert.match(typo.stderr, new RegExp(`Did you mean ${NAME}`));
  assert.match(short.stderr, new RegExp(`您是否想找 ${NAME}`));
});

test('000-08 agent_id is the role, in the request and in every event', async (t) => {
  const { cwd, sw } = open(t, SEED);
  const { stdout } = await sw('call', NAME, 'analyze', '--yes', '--json');
  assert.equal(JSON.parse(stdout).data.response.data.context.agent_id, 'dev_efficiency_analyst', stdout);
  const run = JSON.parse((await sw('runs', 'show', 'latest', '--events', '--json')).stdout).data;
  assert.equal(run.run.agent_id, 'dev_efficiency_analyst');
  const events: { agent_id?: string }[] = run.events;
  assert.ok(events.length > 0 && events.every((event) => event.agent_id === 'dev_efficiency_analyst'), cwd);
});

test('000-63 a script that the list of its role leaves out is reported by lint, doctor and call', async (t) => {
  const files = {
    ...SEED,
    'agents/dev_efficiency_analyst/agent.yaml':
      'skills:\n  - name: long_running_task\n    entry: .claude/skills/task.py\n    timeout: 600\n',
    'agents/dev_efficiency_analyst/.claude/skills/task.py': EXAMPLE,
    'agents/dev_efficiency_analyst/.claude/skills/words.py': 'WORDS = ["only imported"]\n',
  };
  const { sw } = open(t, files);
  const [lint, doctor, call] = await Promise.all([
    sw('roles', 'lint', '--json'),
    sw('doctor', '--json'),
    sw('call', NAME, 'analyze'),
  ]);
  const found = JSON.parse(lint.stdout).data.results[0].diagnostics.filter(
    ({ code }: { code: string }) => code === 'skill-unlisted',
  );
  assert.equal(found.length, 1, lint.stdout);
  assert.match(found[0].message, /build_analysis\.py is there, but skills does not list it/);
  const hidden = JSON.parse(doctor.stdout).data.skills.filter((one: { visible: boolean }) => !one.visible);
  assert.ok(hidden.some((one: { path: string }) => one.path.endsWith('build_analysis.py')));
  assert.match(call.stderr, /add `- \{name: build_analysis, entry: \.claude\/skills\/build_analysis\.py\}`/);
});

test('000-18 roles new writes the skill that was asked for; roles add-skill adds one more, and both answer', async (t) => {
  const { cwd, sw } = open(t);
  const made = await sw('roles', 'new', 'release_manager', '--skill', 'long_running_task', '--json');
  assert.equal(made.code, 0, made.stdout);
  const { files } = JSON.parse(made.stdout).data;
  assert.ok(!files.some((file: string) => file.includes('build_analysis')), files.join());
  const added = await sw('roles', 'add-skill', 'release_manager', 'change_log', '--lang', 'js', '--json');
  assert.equal(added.code, 0, added.stdout);
  const text = readFileSync(path.join(cwd, 'agents/release_manager/agent.yaml'), 'utf8');
  assert.match(text, /- name: change_log\n {4}entry: \.claude\/skills\/change_log\.mjs/);
  assert.match(text, /\nallowed_tools: \[Read, run_script\]\n/);
  for (const skill of ['long_running_task', 'change_log']) {
    const { stdout } = await sw('call', `release_manager/${skill}`, 'analyze', 'text=one two', '--yes', '--json');
    assert.equal(JSON.parse(stdout).data.response?.data.metrics.words, 2, stdout);
  }
  assert.equal((await sw('roles', 'add-skill', 'release_manager', 'change_log')).code, 1);
  assert.equal((await sw('roles', 'lint')).code, 0);
});

test('roles new without more writes one small skill that runs, conforms and passes lint; the analyst is a template', async (t) => {
  const { sw } = open(t);
  const made = JSON.parse((await sw('roles', 'new', 'gardener', '--json')).stdout).data;
  assert.deepEqual([...made.files].sort(), [
    '.claude/skills/README.md',
    '.claude/skills/skillwright_skill.py',
    '.claude/skills/text_analysis.py',
    'CLAUDE.md',
    'agent.yaml',
  ]);
  const analyst = await sw('roles', 'new', 'watcher', '--template', 'dev_efficiency_analyst', '--json');
  assert.ok(JSON.parse(analyst.stdout).data.files.includes('.claude/skills/build_analysis.py'), analyst.stdout);
  const [called, conform, lint, both] = await Promise.all([
    sw('call', 'gardener/text_analysis', 'analyze', 'text=one two', '--yes', '--json'),
    sw('conform', 'gardener/text_analysis', '--yes', '--json'),
    sw('roles', 'lint', 'gardener', '--json'),
    sw('roles', 'new', 'third', '--empty', '--template', 'dev_efficiency_analyst'),
  ]);
  assert.equal(JSON.parse(called.stdout).data.response?.data.metrics.words, 2, called.stdout);
  assert.deepEqual([conform.code, lint.code], [0, 0], conform.stdout + lint.stdout);
  assert.deepEqual(JSON.parse(lint.stdout).data.results[0].diagnostics, []);
  assert.deepEqual([both.code, /either --skill, --empty or --template/.test(both.stderr)], [2, true], both.stderr);
});

test('000-42 the role of the seed takes the parameters of the seed', async (t) => {
  const suite = '<testsuite name="s"><testcase classname="c" name="n" time="1"/></testsuite>';
  const { sw } = open(t, { 'reports/junit.xml': suite });
  await sw('roles', 'new', 'dev_efficiency_analyst');
  const { stdout } = await sw('call', NAME, 'analyze', 'target=ci_builds', 'days=7', '--yes', '--json');
  const { data } = JSON.parse(stdout).data.response;
  assert.deepEqual([Array.isArray(data.insights), data.metrics.tests], [true, 1], stdout);
  const negative = await sw('call', NAME, 'analyze', 'days=-1', '--yes', '--json');
  assert.equal(JSON.parse(negative.stdout).data.code, 'INVALID_PARAM');
});

test('a bare name means the skill of the role where it is typed, and elsewhere never one that only looks alike', async (t) => {
  const { cwd, sw } = open(t, SEED);
  const home = temporaryFolder(t);
  const inside = path.join(cwd, 'agents/dev_efficiency_analyst');
  const called = await runCli(['call', 'build_analysis', '-', '--yes', '--json'], {
    cwd: inside,
    home,
    input: '{"action":"analyze","params":{"days":3}}',
  });
  const { data } = JSON.parse(called.stdout).data.response;
  assert.deepEqual([called.code, data.days_analyzed, data.context.agent_id], [0, 3, 'dev_efficiency_analyst']);
  const [call, inspect, grant, chinese] = await Promise.all([
    sw('call', 'build_analysis', 'analyze', '--yes', '--json'),
    sw('inspect', 'build_analysis'),
    sw('grants', 'add', 'build_analysis', '--action', 'analyze'),
    sw('call', 'build_analysis', 'analyze', '--lang', 'zh'),
  ]);
  const names = ['dev_efficiency_analyst/build_analysis', 'build-analysis'];
  assert.deepEqual([call.code, JSON.parse(call.stdout).data.details.suggestions], [2, names]);
  for (const { code, stderr } of [inspect, grant]) {
    assert.equal(code, 2);
    assert.match(stderr, /build_analysis may mean dev_efficiency_analyst\/build_analysis or build-analysis/);
  }
  assert.match(chinese.stderr, /build_analysis 可能指 dev_efficiency_analyst\/build_analysis 或 build-analysis/);
  assert.match((await sw('inspect', 'build-analysis')).stdout, /build-analysis/);
  assert.match(
    (await open(t).sw('inspect', 'build_analysis')).stdout,
    /build-analysis/,
    'without such a role it is meant',
  );
});
