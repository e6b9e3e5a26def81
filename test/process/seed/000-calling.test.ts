// Seed 000: the ways to call a skill, to test it, and what its actions and failures are called.
import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeProject } from '../../support/door-support.ts';
import { call as start } from '../../support/package-support.ts';
import type { Answer } from '../../support/rule-support.ts';
import { openCommandLine, openSeed, responseIn } from '../../support/seed-project.ts';
import { repository } from '../../support/support.ts';

const SHELL = path.join(repository, 'test', 'fixtures', 'seed', '000-shell');
const KIT = path.join(repository, 'src/cli/templates/protocol-python/scripts/skillwright_skill.py');

/** A project with a role that the product itself has written. */
async function openWritten(t: TestContext, ...words: string[]) {
  const desk = openCommandLine(makeProject(t, {}));
  const made = await desk.ask(['roles', 'new', ...words]);
  assert.equal(made.code, 0, made.summary);
  return desk;
}

test('seed 000, sections Calling 1, Debugging, Unit test and Integration test: a pipe into python3 needs no host', async (t) => {
  const { project, ask } = await openWritten(t, 'example_role', '--skill', 'skill_name');
  const role = path.join(project, 'agents/example_role');
  const skills = path.join(role, '.claude/skills');
  const piped = await start(['sh', path.join(SHELL, 'call.sh')], skills, {});
  assert.equal(piped.code, 0, piped.stderr);
  const answers = piped.stdout.trimEnd().split('\n');
  const [tested, analyzed, debugged] = answers.map((line) => JSON.parse(line));
  assert.deepEqual([answers.length, tested.success, debugged.success], [3, true, true]);
  assert.deepEqual([analyzed.action, analyzed.data.metrics.words], ['analyze', 2]);
  assert.equal(piped.stderr.match(/^Input data: /gm)?.length, 1, 'only where SKILL_DEBUG is 1');
  cpSync(path.join(SHELL, 'test_skill.py'), path.join(skills, 'test_skill.py'));
  assert.equal((await start(['python3', 'test_skill.py'], skills, {})).stdout, 'unit fine\n');
  assert.equal((await start(['sh', path.join(SHELL, 'integration.sh')], role, {})).stdout, 'integration fine\n');
  const call = (input: string) => ask(['call', 'example_role/skill_name', '-'], { input });
  const [line, lines] = await Promise.all([
    call('{"action": "test", "params": {"key": "value"}}\n'),
    call('{\n    "action": "analyze",\n    "params": {\n        "text": "one two"\n    }\n}\n'),
  ]);
  assert.deepEqual(responseIn(line).data, tested.data);
  assert.deepEqual(responseIn(lines).data, analyzed.data);
});

test('seed 000, section Calling 2: an agent runs the pipe with its Bash tool and reads success, then data or error', async (t) => {
  const { project, ask, run } = openSeed(t, '000');
  const pipe = (request: object) => {
    const line = `echo '${JSON.stringify(request)}' | python3 .claude/skills/build_analysis.py`;
    return { type: 'use_tool', tool: 'Bash', args: { argv: ['bash', '-c', `cd agents/example_agent && ${line}`] } };
  };
  const requests = [{ action: 'analyze', params: { days: 3 } }, { action: 'nope' }];
  const steps = [...requests.map(pipe), { type: 'final_answer', content: 'read both' }];
  const answers = path.join(project, 'answers.json');
  writeFileSync(answers, JSON.stringify(steps.map((action) => ({ action }))));
  const ended = await ask(['run', 'how are the builds?', '--model', `mock:${answers}`]);
  assert.equal(ended.state, 'success', ended.summary);
  const { stdout } = await run(['runs', 'show', 'latest', '--output']);
  const [good, bad] = stdout
    .split('\n')
    .filter((text) => text.startsWith('{"success"'))
    .map((text) => JSON.parse(text));
  assert.deepEqual([good?.success, good?.data.days_analyzed], [true, 3], stdout);
  assert.deepEqual([bad?.success, bad?.error.code], [false, 'UNKNOWN_ACTION']);
});

test('seed 000, section Calling 3: a job builds the request of role, skill, action and params itself', async (t) => {
  const { ask } = openSeed(t, '000');
  await ask(['roles', 'new', 'dev_efficiency_analyst']);
  const job = (target: string, ...words: string[]) => ask(['jobs', 'run', target, ...words]);
  const [echoed, briefing] = await Promise.all([
    job('example_agent/interface', 'count', '--params', '{"days": 7}'),
    job('dev_efficiency_analyst/build_analysis', 'daily_briefing', '--params', '{}'),
  ]);
  const { request } = responseIn(echoed).data as { request: { context: Record<string, unknown> } };
  const { request_id, agent_id, ...rest } = request.context;
  assert.deepEqual(
    [{ ...request, context: rest }, agent_id],
    [{ action: 'count', params: { days: 7 }, context: {} }, 'example_agent'],
  );
  assert.equal(typeof request_id, 'string');
  assert.equal(briefing.code, 0, briefing.summary);
  assert.match(JSON.stringify(briefing.data), /"briefing":"# /);
});

test('seed 000, section Usual actions: analyze, report, fetch, push and full take and give what the table says', async (t) => {
  const { project, ask } = openSeed(t, '000');
  cpSync(KIT, path.join(project, 'agents/kit_agent/.claude/skills/skillwright_skill.py'));
  const call = async (action: string, params: object = {}) => {
    const answer = await ask(['call', 'kit_agent/usual_actions', action, '--params', JSON.stringify(params)]);
    return responseIn(answer);
  };
  const [analyzed, reported, fetched, pushed, full] = await Promise.all([
    call('analyze', { target: 'ci_builds', days: 7 }),
    call('report', { type: 'daily', format: 'markdown' }),
    call('fetch', { source: 'database', query: 'builds of today' }),
    call('push', { destination: 'supabase', data: { build: 'b1' } }),
    call('full'),
  ]);
  assert.deepEqual(analyzed.data, { insights: ['ci_builds: 7 days'], metrics: { mean: 50 } });
  assert.deepEqual(reported.data, { report_path: 'daily.markdown', content: '# Builds' });
  assert.equal((fetched.data as { count: number }).count, 2);
  assert.equal((fetched.metadata as { items_count: number }).items_count, 2);
  assert.deepEqual(pushed.data, { pushed: true, id: 'supabase-b1' });
  assert.deepEqual(Object.keys(full.data as object).sort(), ['analyze', 'fetch', 'report']);
});

test('seed 000, section Error codes: each code in the case that the table has for it', async (t) => {
  const { project, ask } = openSeed(t, '000');
  cpSync(KIT, path.join(project, 'agents/kit_agent/.claude/skills/skillwright_skill.py'));
  const call = (skill: string, ...words: string[]) => ask(['call', skill, ...words]);
  const shelves = (...words: string[]) => call('kit_agent/shelves', ...words);
  const piped = (input: string) => ask(['call', 'kit_agent/shelves', '-'], { input });
  const cases: Record<string, Promise<Answer>> = {
    INVALID_JSON: piped('{\n  "action": "count" // which one\n}\n'),
    UNKNOWN_ACTION: shelves('nope'),
    MISSING_PARAM: shelves('count'),
    INVALID_PARAM: piped('{"action": "count", "params": {"days": -1}}'),
    TIMEOUT: call('kit_agent/slow_shelves', 'wait'),
    PERMISSION_DENIED: call('reader_agent/checked', 'count'),
    DATA_NOT_FOUND: shelves('lend'),
    EXTERNAL_SERVICE_ERROR: call('kit_agent/far_shelves', 'ask_far', `port=${await closedPort()}`),
    INTERNAL_ERROR: shelves('break'),
  };
  for (const [code, answer] of Object.entries(cases)) {
    const { data, summary, state, code: exit } = await answer;
    assert.equal(data.type, code, summary);
    assert.deepEqual([exit, state], code === 'TIMEOUT' ? [5, 'timeout'] : [1, 'error'], code);
  }
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address ? address.port : 1;
}
