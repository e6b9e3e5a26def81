// Seed 000, input and files: what a skill of a role is asked, where it works, and how it is found.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { answering, callSkill, ROLE, roleFiles } from '../../support/protocol-support.ts';
import { type Answer, ask } from '../../support/rule-support.ts';
import { runCli } from '../../support/support.ts';
import { assertWorkedIn, canMount } from '../../support/working-folder.ts';

const SEES = answering('{"raw": raw, "argv": sys.argv[1:], "cwd": os.getcwd()}');
const TARGET = `${ROLE}/build_analysis`;

test('000-01 000-07 000-08 000-20 000-22 000-38 a single file of a role gets one JSON object on stdin, no words, ids, and the folder of the role', async (t) => {
  const project = makeProject(t, roleFiles({ build_analysis: SEES }));
  const context = { agent_id: 'a-1', user_id: 'u-1', request_id: 'r-1' };
  const [typed, bare, whole] = await Promise.all([
    callSkill(project, [TARGET, 'daily_briefing']),
    callSkill(project, [TARGET, '-'], { input: '{"action":"daily_briefing"}' }),
    callSkill(project, [TARGET, '-'], { input: JSON.stringify({ action: 'daily_briefing', context }) }),
  ]);
  for (const said of [typed, bare, whole]) {
    assert.equal(said.code, 0, said.summary);
    const { action, params, context: ids } = JSON.parse(said.reply.data.raw);
    assert.deepEqual([action, params, said.reply.data.argv], ['daily_briefing', {}, []]);
    await assertWorkedIn(said.reply.data.cwd, project, t, `agents/${ROLE}`);
    assert.match(ids.request_id, /./);
    assert.equal(ids.agent_id, said === whole ? 'a-1' : ROLE);
  }
  assert.deepEqual(JSON.parse(whole.reply.data.raw).context, context);
});

test('000-22 (decided: a warning, an error only under strict) a skill may have underscores in its name', async (t) => {
  const project = makeProject(t, skillFiles('long_running_task', 'name: long_running_task\ndescription: x'));
  const validate = (profile: string) => ask(project, ['validate', '.claude/skills', '--profile', profile]);
  const [lenient, strict] = await Promise.all([validate('lenient'), validate('strict')]);
  const found = ({ data }: Answer) => (data.results as Checked[]).flatMap(({ diagnostics }) => diagnostics);
  assert.equal(lenient.code, 0);
  assert.deepEqual(
    found(lenient).map(({ code, severity }) => [code, severity]),
    [['name-shape', 'warning']],
  );
  assert.equal(strict.code, 1);
  assert.ok(found(strict).some(({ code, severity }) => code === 'strict-name' && severity === 'error'));
});

interface Checked {
  readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
}

test('000-06 a request without an action is refused by whoever is asked', async (t) => {
  const project = makeProject(t, roleFiles({ build_analysis: SEES }));
  const piped = await callSkill(project, [TARGET, '-'], { input: '{"params":{}}' });
  assert.deepEqual([piped.code, piped.data.type], [1, 'MISSING_PARAM'], piped.summary);
  assert.match(String(piped.data.msg), /action/);
  const typed = await runCli(['call', TARGET, '--yes'], { cwd: project, home });
  assert.deepEqual([typed.code, /missing argument: <action>/.test(typed.stderr)], [2, true], typed.stderr);
});

test('000-09 000-10 the ids a skill saw stand in every event of the record, and the decision names the role', async (t) => {
  const project = makeProject(t, roleFiles({ build_analysis: SEES }));
  const said = await callSkill(project, [TARGET, 'daily_briefing']);
  const { request_id } = JSON.parse(said.reply.data.raw).context;
  const shown = await runCli(['runs', 'show', 'latest', '--json'], { cwd: project, home });
  const { run } = JSON.parse(shown.stdout).data;
  assert.equal(run.request_id, request_id, shown.stdout);
  const events = readFileSync(path.join(project, '.agent/runs', run.run_id ?? run.id, 'events.jsonl'), 'utf8');
  const records = events
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(records.length > 3);
  for (const record of records) assert.deepEqual([record.request_id, record.agent_id], [request_id, ROLE], record.type);
  assert.equal(records.find(({ type }) => type === 'decision').role, ROLE);
});

test('000-12 000-49 000-50 000-70 each action has parameters of its own; a key, a value or none that does not fit is told before anything runs', async (t) => {
  const actions = `actions:
  analyze:
    params:
      target: {required: true}
      days: {type: integer, required: true, minimum: 1}
  report:
    params:
      format: string`;
  const head = `name: declared\ndescription: x\nentry: main.py\n${actions}`;
  const project = makeProject(t, skillFiles('declared', head, { 'main.py': answering('request["params"]') }));
  const call = (...words: string[]) => callSkill(project, ['declared', ...words]);
  const [fits, elsewhere, missing, negative, json] = await Promise.all([
    call('analyze', 'target=ci_builds', 'days=3'),
    call('report', 'days=3'),
    call('analyze'),
    call('analyze', 'target=ci_builds', 'days=-1'),
    call('analyze', '--params', '{"target":"ci_builds","days":-1}'),
  ]);
  assert.deepEqual([fits.code, fits.reply?.data], [0, { target: 'ci_builds', days: 3 }], fits.summary);
  assert.deepEqual([elsewhere.code, elsewhere.data.type], [1, 'INVALID_PARAM'], elsewhere.summary);
  assert.match(elsewhere.summary, /there is no parameter days/);
  assert.deepEqual([missing.code, missing.data.type, missing.reply], [1, 'MISSING_PARAM', undefined]);
  assert.deepEqual((missing.data.details as { missing: string[] }).missing, ['target', 'days']);
  assert.match(missing.summary, /Missing required parameters: \[target, days\]/);
  for (const refused of [negative, json]) {
    assert.deepEqual([refused.code, refused.data.type, refused.reply], [1, 'INVALID_PARAM', undefined]);
    assert.match(refused.summary, /days must be at least 1/);
  }
});

test('000-21 000-23 000-25 a script without an exec bit reads beside itself and in AGENT_DIR; what it writes there waits; README.md is no skill', async (t) => {
  const reads = answering(
    '{"role": (AGENT_DIR / "agent.yaml").read_text(), "rows": (AGENT_DIR / "data.csv").read_text(), "helper": helper.NAME, "wrote": wrote}',
    'import helper\nSKILL_DIR = Path(__file__).parent\nAGENT_DIR = SKILL_DIR.parent.parent\nwrote = []\nfor folder in (SKILL_DIR, AGENT_DIR):\n    try:\n        (folder / "new.txt").write_text("x")\n        wrote.append(folder.name)\n    except OSError:\n        pass\n',
  );
  const yaml = 'name: analyst\nskills: [build_analysis]\n';
  const project = makeProject(t, {
    ...roleFiles({ build_analysis: reads, helper: 'NAME = "helper"\n' }, yaml),
    [`agents/${ROLE}/data.csv`]: 'a,b\n',
    [`agents/${ROLE}/.claude/skills/README.md`]: '# Skills of this role\n',
  });
  const [said, readme] = await Promise.all([
    callSkill(project, [TARGET, 'x']),
    callSkill(project, [`${ROLE}/README`, 'x']),
  ]);
  // Its own folder is a copy, that of the role a part of the layer; without mounts the latter is only read.
  const { wrote, ...read } = said.reply.data as { wrote: string[] };
  assert.deepEqual(read, { role: yaml, rows: 'a,b\n', helper: 'helper' });
  assert.deepEqual([said.code, wrote], [4, (await canMount(t)) ? ['skills', ROLE] : ['skills']], said.summary);
  assert.equal(existsSync(path.join(project, `agents/${ROLE}/new.txt`)), false);
  assert.deepEqual([readme.code, readme.data.type], [1, 'SKILL_NOT_FOUND'], readme.summary);
});
