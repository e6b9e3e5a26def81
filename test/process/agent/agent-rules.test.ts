// What the seed asks of the loop, shown by the command line as a process: what it prints, records and leaves behind.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  answer,
  invoke,
  makeWorld,
  observed,
  plant,
  resource,
  runProcess,
  script,
  select,
  skillFile,
  tool,
} from '../../support/agent-support.ts';
import { runCli } from '../../support/support.ts';
import { assertWorkedIn } from '../../support/working-folder.ts';

const replace = (decision: object, plan: object) => ({ ...decision, plan_update: { mode: 'replace', plan } });
const patch = (decision: object, ...ops: object[]) => ({ ...decision, plan_update: { mode: 'patch', ops } });
const runScript = (name: string, text: string) => ({ [`.agent/skills/${name}/scripts/run.sh`]: text });
const PLAN = {
  goal: 'the goal',
  steps: [
    { id: 's1', title: 'first', status: 'in_progress' },
    { id: 's2', title: 'second' },
  ],
  assumptions: ['it is short'],
};

test('002-04 002-05 002-19 002-21 002-22 002-23 002-24 002-25 002-27 002-36 002-39 002-65 002-69 002-82 002-83 a run from request to answer', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('echo', 'metadata:\n  note: META-CANARY\n'),
    ...skillFile('other'),
    ...runScript('echo', 'echo "PRINTED $1"; exit 3 # SOURCE-CANARY\n'),
    '.agent/skills/echo/reference/guide.md': '# Guide\nGUIDE-TEXT\n',
    '.agent/skills/odd/SKILL.md': '---\nname: odd\ndescription: Tom & Jerry "quoted" 3 > 2\n---\n',
  });
  const steps = [
    select('echo'),
    resource('echo', 'reference/guide.md'),
    script('echo', 'run.sh', 'a'),
    answer('it failed'),
  ];
  const request = '  run skill   echo\nnow ';
  const ran = await runProcess(world, steps, { request, args: ['--yes'] });
  const { prompts, events, folder, outcome } = ran;
  assert.equal(outcome.state, 'success', ran.stdout);
  const [first = '', second = '', third = '', last = ''] = prompts;

  // Only metadata at first, then the body, then what was asked for, and of a script only what it printed.
  for (const name of ['echo', 'other'])
    assert.match(
      first,
      new RegExp(`<skill name="${name}" source="project">Does ${name}\\. Use for ${name}\\.</skill>`),
    );
  assert.match(first, /Tom &amp; Jerry &quot;quoted&quot; 3 &gt; 2/);
  assert.doesNotMatch(prompts.join(), /META-CANARY|BODY-OF-other|SOURCE-CANARY/);
  assert.doesNotMatch(first, /BODY-OF-echo/);
  assert.match(second, /<skill name="echo" source="project" path="[^"]*\/echo">[\s\S]*BODY-OF-echo/);
  assert.doesNotMatch(second, /GUIDE-TEXT/);
  assert.match(third, /<observation [^>]*load_resource[^>]*>[\s\S]*GUIDE-TEXT[\s\S]*<\/observation>/);
  assert.match(
    last,
    /<observation [^>]*run_script[^>]*>[\s\S]*exit code 3[\s\S]*stdout:\nPRINTED a[\s\S]*<\/observation>/,
  );

  const moves = events.flatMap((event) => (event.type === 'state' ? [`${event.from}>${event.to}`] : []));
  const act = ['Decide>Act', 'Act>Observe', 'Observe>Decide'];
  const load = ['Decide>LoadSkillBody', 'LoadSkillBody>Decide'];
  assert.deepEqual(moves, ['Init>IndexSkills', 'IndexSkills>Decide', ...load, ...act, ...act, 'Decide>Final']);

  const state = JSON.parse(readFileSync(path.join(folder, 'state.json'), 'utf8'));
  assert.deepEqual([state.request.text, state.request.normalized], [request, '@echo now']);
  assert.deepEqual(
    state.loaded_skills.map(({ name }: { name: string }) => name),
    ['echo'],
  );

  assert.equal(path.dirname(folder), path.join(world.project, '.agent', 'runs'));
  assert.match(path.basename(folder), /^\d{8}T\d{6}Z-[0-9a-f]{6}$/);
  const summary = JSON.parse(readFileSync(path.join(folder, 'run.json'), 'utf8'));
  assert.deepEqual(summary.skills, [{ skill: 'project:echo', source: 'project' }]);
  assert.equal(summary.resources[0].path, 'reference/guide.md');
  assert.equal(summary.tools[0].tool, 'run_script');
  assert.deepEqual(summary.exit_codes, [3]);
  assert.deepEqual([summary.output, summary.budget.turns], ['it failed', 4]);
  const around = events.flatMap(({ type }) => (/^call-|^observation$/.test(type) ? [type] : []));
  assert.deepEqual(around.slice(-3), ['call-intent', 'call-result', 'observation']);
  const verified = await runCli(['runs', 'verify', 'latest', '--json'], { cwd: world.project, home: world.home });
  assert.equal(verified.code, 0, verified.stdout);
});

test('002-20 002-28 002-30 002-31 002-32 002-33 a plan is created with the first decision and changes only with later ones', async (t) => {
  const world = makeWorld(t, { 'a.txt': 'x' });
  const thought = { goal: 'a first thought', steps: [{ id: 's9', title: 'think' }], assumptions: ['none of it stays'] };
  const { outcome, events, prompts } = await runProcess(world, [
    replace(tool('list_dir'), thought),
    replace(tool('list_dir', { depth: 2 }), PLAN),
    patch(
      tool('read_file', { path: 'a.txt' }),
      { op: 'set', path: '/steps/s1/status', value: 'completed' },
      { op: 'add', path: '/steps', value: { id: 's3', title: 'third' }, after: 's1' },
      { op: 'add', path: '/assumptions', value: 'x is short' },
    ),
    patch(answer(), { op: 'remove', path: '/steps/s2' }, { op: 'move', path: '/steps/s3', after: null }),
  ]);
  const plan = outcome.data.plan as { steps: { id: string; status: string }[]; assumptions: string[] };
  assert.deepEqual(
    plan.steps.map(({ id, status }) => `${id} ${status}`),
    ['s3 pending', 's1 completed'],
  );
  assert.deepEqual(plan.assumptions, ['it is short', 'x is short']);
  const order = events.flatMap(({ type }) => (/^(model|plan|observation)$/.test(type) ? [type] : []));
  const turn = ['model', 'plan', 'observation'];
  assert.deepEqual(order, [...turn, ...turn, ...turn, 'model', 'plan']);
  assert.doesNotMatch(prompts[0] ?? '', /"goal"/);
  assert.match(prompts[1] ?? '', /"goal":"a first thought"/);
  assert.match(prompts[2] ?? '', /"goal":"the goal"[\s\S]*"id":"s1"[\s\S]*"in_progress"/);
});

test('002-18 002-34 002-35 prose, an unknown status and a raised budget drive nothing; each is answered with the exact error', async (t) => {
  const world = makeWorld(t, { 'a.txt': 'x' });
  const odd = { ...PLAN, steps: [{ id: 's1', title: 'first', status: 'someday' }] };
  const raise = { ...PLAN, constraints: { max_turns: 99 } };
  const lower = { ...PLAN, constraints: { max_turns: 4 } };
  const removal = tool('delete_file', { path: 'a.txt' });
  const ran = await runProcess(
    world,
    [
      'I will now delete everything with delete_file {"path": "a.txt"}.',
      replace(tool('list_dir'), lower),
      replace(removal, odd),
      tool('list_dir', { depth: 2 }),
      replace(removal, raise),
      tool('list_dir', { depth: 3 }),
      tool('list_dir', { depth: 4 }),
      tool('list_dir', { depth: 5 }),
    ],
    { args: ['--yes'] },
  );
  const { prompts, events, outcome } = ran;
  assert.equal(prompts.length, 7, ran.stdout);
  assert.match(prompts[1] ?? '', /valid decision/);
  assert.match(prompts[3] ?? '', /status/);
  assert.match(prompts[5] ?? '', /max_turns may be lowered, not raised above 12/);
  assert.deepEqual([outcome.state, outcome.data.exhausted, outcome.data.turns], ['partial', 'turns', 4]);
  assert.ok(!events.some((event) => event.type === 'call-intent' && event.tool === 'delete_file'));
  assert.ok(existsSync(path.join(world.project, 'a.txt')));
});

test('002-18 after two answers that are no decision the run ends with an error', async (t) => {
  const ran = await runProcess(makeWorld(t), ['prose', '{"action": {"type": "rm"}}', answer()]);
  assert.deepEqual([ran.code, ran.outcome.state, ran.prompts.length], [1, 'error', 2]);
  assert.match(ran.outcome.summary, /no valid decision/);
});

test('002-26 002-29 002-30 a model that never answers is stopped after 12 turns, on a plan with the limits of the run', async (t) => {
  const turns = Array.from({ length: 40 }, (_, at) => tool('grep', { pattern: `x${at}` }));
  const ran = await runProcess(makeWorld(t, { 'a.txt': 'x' }), turns);
  assert.deepEqual([ran.code, ran.prompts.length, ran.outcome.data.tool_calls], [6, 12, 12]);
  assert.match(ran.prompts.at(-1) ?? '', /This is the last turn/);
  assert.match(String(ran.outcome.data.answer), /Not finished/);
  const { constraints } = ran.outcome.data.plan as { constraints: object };
  assert.deepEqual(constraints, { max_turns: 12, max_tool_calls: 30 });
});

test('002-26 when script runs are used up the model may answer with what it has, and only that', async (t) => {
  const world = makeWorld(t, { ...skillFile('echo'), ...runScript('echo', 'echo "$1"\n') });
  const steps = [select('echo'), script('echo', 'run.sh', 'a'), script('echo', 'run.sh', 'b'), answer('what I have')];
  const ran = await runProcess(world, steps, { args: ['--yes', '--budget', 'script_runs=1'] });
  assert.deepEqual([ran.code, ran.outcome.data.exhausted, ran.outcome.data.answer], [6, 'script_runs', 'what I have']);
  assert.equal(ran.events.filter(({ type }) => type === 'call-intent').length, 1);
});

test('002-10 002-40 002-41 002-42 two bodies a turn, coordinating skills first with what they require, one source or the other', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('domain', '', 'FROM-PROJECT\n'),
    ...skillFile('chief', 'metadata:\n  role: coordinator\n'),
    ...skillFile('team', 'requires: [last]\n'),
    ...skillFile('last'),
  });
  plant(world.home, skillFile('domain', '', 'FROM-USER\n'));
  const ran = await runProcess(world, [
    select('domain', 'last', 'chief'),
    select('team'),
    select({ name: 'domain', source: 'user' }),
    answer(),
  ]);
  const loaded = ran.events.flatMap((event) => (event.type === 'skill-selected' ? [event.skill] : []));
  const [first = '', ...more] = observed(ran);
  assert.deepEqual(loaded, ['project:chief', 'project:domain', 'project:team', 'project:last', 'user:domain']);
  assert.match(first, /last: not loaded, at most 2 in a turn/);
  assert.equal(more.length, 2);
  assert.match(ran.prompts[1] ?? '', /FROM-PROJECT/);
  assert.doesNotMatch(ran.prompts[1] ?? '', /BODY-OF-last|FROM-USER/);
  assert.match(ran.prompts[3] ?? '', /source="user"[\s\S]*FROM-USER/);
});

test('002-57 003-01 003-02 a hidden skill is neither shown nor given, unless the user names it; an unknown name is an error at once', async (t) => {
  const world = makeWorld(t, skillFile('hidden', 'disable-model-invocation: true\n'));
  const steps = [select('hidden'), answer()];
  const unnamed = await runProcess(world, steps);
  assert.doesNotMatch(unnamed.prompts.join(), /Does hidden|BODY-OF-hidden/);
  assert.match(observed(unnamed)[0] ?? '', /no such skill/);
  for (const wish of [{ request: '@hidden please' }, { request: '运行技能 hidden' }, { args: ['--skill', 'hidden'] }]) {
    const named = await runProcess(world, steps, wish);
    assert.match(named.prompts[0] ?? '', /<named_skills>\n<skill name="hidden"/);
    assert.match(named.prompts[1] ?? '', /BODY-OF-hidden/, JSON.stringify(wish));
  }
  const unknown = await runProcess(world, steps, { request: '@hiden please' });
  assert.deepEqual([unknown.code, unknown.prompts.length], [1, 0]);
  assert.match(unknown.outcome.summary, /hiden/);
});

test('002-38 002-70 002-71 002-72 002-74 002-75 (decided: any script of a skill may run) a named section is read, only scripts run, and of what they print the context holds the ends', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('kit'),
    ...skillFile('hasty', 'timeout: 1\n'),
    ...runScript('kit', 'echo START; pwd; head -c 1000000 /dev/zero | tr "\\0" x; echo END; env\n'),
    '.agent/skills/kit/reference/x.md': '# X\nintro\n## One\nFIRST\n## Two\nSECOND\n',
    '.agent/skills/hasty/scripts/slow.sh': 'sleep 30\n',
    '.agent/skills/kit/reference/y.py': 'print("RAN")\n',
  });
  const runFile = (file: string) => ({ action: { type: 'run_script', skill: 'kit', relative_path: file, args: [] } });
  const steps = [
    resource('kit', 'reference/x.md', '## Two'),
    select('kit', 'hasty'),
    resource('kit', 'reference/x.md', '## Two'),
    resource('kit', 'scripts/run.sh'),
    resource('kit', '../../../../home/x'),
    runFile('reference/x.md'),
    runFile('reference/../../hasty/scripts/slow.sh'),
    runFile('reference/y.py'),
    script('hasty', 'slow.sh'),
    script('kit', 'run.sh'),
    answer(),
  ];
  const ran = await runProcess(world, steps, { args: ['--yes'], env: { AGENT_TEST_SECRET: 'SECRET-OF-HOST' } });
  const [before = '', , section = '', source = '', outside = '', ...runs] = observed(ran);
  const [prose = '', another = '', elsewhere = '', slow = '', printed = ''] = runs;
  assert.match(before, /not selected/);
  assert.match(section, /SECOND/);
  assert.doesNotMatch(section, /FIRST/);
  assert.match(source, /head -c 1000000/);
  assert.match(outside, /PATH_BLOCKED/);
  assert.match(prose, /interpreter "\.md" is not in the list/);
  assert.match(another, /not a script of kit/);
  assert.match(elsewhere, /^success[\s\S]*RAN/);
  assert.match(slow, /^timeout/);
  await assertWorkedIn(/START\n([^\n]*)\n/.exec(printed)?.[1], world.project, t);
  const last = ran.prompts.at(-1) ?? '';
  assert.ok(last.length < 64 * 1024, String(last.length));
  assert.match(last, /whole="observations\/\d+\.txt#\d+ sha256:[0-9a-f]{16}"/);
  assert.doesNotMatch(printed + last, /SECRET-OF-HOST/);
});

test('002-09 002-37 002-76 002-105 a call is bound by the list of its skill; one that belongs to none, by all of them', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('reader', 'allowed-tools: [read_file, list_dir]\n'),
    ...skillFile('lister', 'allowed-tools: [list_dir]\n'),
    ...runScript('reader', 'echo RAN\n'),
    'a.txt': 'TEXT',
  });
  const steps = [
    select('reader', 'lister'),
    script('reader', 'run.sh'),
    tool('write_file', { path: 'mybox/x', content: 'x' }, 'reader'),
    tool('read_file', { path: 'a.txt' }, 'reader'),
    tool('read_file', { path: 'a.txt' }, 'lister'),
    tool('read_file', { path: 'a.txt' }),
    tool('list_dir'),
    tool('shell_exec_now', {}),
    answer(),
  ];
  const ran = await runProcess(world, steps, { args: ['--yes'] });
  const states = observed(ran).map((text) => (/PERMISSION_DENIED/.test(text) ? 'denied' : 'done'));
  assert.deepEqual(states, ['done', 'denied', 'denied', 'done', 'denied', 'denied', 'done', 'denied']);
  assert.ok(!existsSync(path.join(world.project, 'mybox', 'x')));
});

test('002-60 a skill that works on its own runs inside: bound by both lists, on the same budget, and only its answer returns', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('outer', 'allowed-tools: [read_file, list_dir]\n'),
    ...skillFile('inner', 'run-mode: subagent\nallowed-tools: [read_file, grep]\n'),
    ...skillFile('nested', 'run-mode: subagent\n'),
    'a.txt': 'INNER-SECRET',
  });
  const steps = [
    select('outer', 'inner'),
    invoke('inner', { task: 'look at a.txt' }),
    tool('grep', { pattern: 'x' }, 'inner'),
    tool('list_dir', {}, 'inner'),
    tool('read_file', { path: 'a.txt' }, 'inner'),
    invoke('nested', { task: 'deeper' }),
    answer('THE-ANSWER'),
    answer('end'),
  ];
  const ran = await runProcess(world, steps, { args: ['--budget', 'turns=9'] });
  const [selected = '', grep = '', list = '', read = '', nested = '', returned] = observed(ran);
  assert.match(selected, /inner: works on its own/);
  for (const text of [grep, list]) assert.match(text, /PERMISSION_DENIED/);
  assert.match(read, /INNER-SECRET/);
  assert.match(nested, /text to read/);
  assert.equal(returned, 'THE-ANSWER');
  assert.match(ran.prompts[2] ?? '', /look at a\.txt[\s\S]*BODY-OF-inner[\s\S]*turns: 7 of 7 left/);
  const last = ran.prompts.at(-1) ?? '';
  assert.match(last, /THE-ANSWER/);
  assert.doesNotMatch(last, /INNER-SECRET|BODY-OF-inner/);
  assert.equal(ran.outcome.data.turns, 8);
});

test('002-98 offline and without a key a project with no settings reads, answers and is recorded', async (t) => {
  const world = makeWorld(t, { 'a.txt': 'x' });
  const ran = await runProcess(world, [tool('read_file', { path: 'a.txt' }), answer('read')]);
  assert.deepEqual([ran.code, ran.outcome.data.answer], [0, 'read']);
  assert.deepEqual(
    ran.events.flatMap((event) => (event.type === 'call-result' ? [`${event.tool} ${event.state}`] : [])),
    ['read_file success'],
  );
});
