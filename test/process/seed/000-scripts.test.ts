// Seed 000: its JSON, its folder tree and its scripts, each called by the command line.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openSeed, responseIn } from '../../support/seed-project.ts';

const CONTEXT = {
  agent_id: '6f1e0a52-0c6f-4b7e-9d54-0a3b7c1d2e3f',
  user_id: '0d9b3c1e-7a54-4c55-8f6e-5b2a9c8d7e6f',
  request_id: 'shelf-count-1',
};

test('seed 000, sections Input and Output: a whole request reaches the skill, and a whole answer comes back', async (t) => {
  const { ask } = openSeed(t, '000');
  const call = (action: string) => {
    const request = { action, params: { key: 'value' }, context: CONTEXT };
    return ask(['call', 'example_agent/interface', '-'], { input: JSON.stringify(request, null, 4) });
  };
  const [counted, failed] = await Promise.all([call('count'), call('lend')]);
  assert.deepEqual([counted.code, counted.state, counted.summary], [0, 'success', '数了 10 个']);
  assert.deepEqual(responseIn(counted), {
    success: true,
    action: 'count',
    data: { request: { action: 'count', params: { key: 'value' }, context: CONTEXT } },
    message: '数了 10 个',
    metadata: { execution_time_ms: 1234, items_count: 10 },
  });
  assert.deepEqual([failed.code, failed.state, failed.summary], [1, 'error', 'SHELF_EMPTY: 架子是空的']);
  const { success, action, error } = responseIn(failed);
  assert.deepEqual([success, action], [false, 'lend']);
  assert.deepEqual(error, { code: 'SHELF_EMPTY', message: '架子是空的', details: { shelf: 3 } });
});

test('seed 000, section File structure: agent.yaml, CLAUDE.md and single files make a role; README.md documents it', async (t) => {
  const { ask, project } = openSeed(t, '000');
  const [listed, role] = await Promise.all([ask(['list', '--roles']), ask(['roles', 'inspect', 'example_agent'])]);
  const names = (listed.data.skills as { name: string }[]).map(({ name }) => name);
  const own = names.filter((name) => name.startsWith('example_agent/'));
  const files = ['bounded', 'build_analysis', 'checked', 'interface', 'progress', 'skill', 'template', 'tidy'];
  assert.deepEqual(
    own.sort(),
    files.map((name) => `example_agent/${name}`),
  );
  const shown = JSON.stringify(role.data);
  assert.match(shown, /What the skills of example_agent are for/, 'its README.md');
  assert.match(shown, /NEVER-GUESS-ONE/, 'its CLAUDE.md');
  const { code, data } = await ask(['roles', 'new', 'new_agent', '--skill', 'skill_name']);
  assert.equal(code, 0, JSON.stringify(data));
  const tree = ['agent.yaml', 'CLAUDE.md', '.claude/skills/skill_name.py', '.claude/skills/README.md'];
  for (const file of tree) assert.ok(existsSync(path.join(project, 'agents/new_agent', file)), file);
});

test('seed 000, section Script template: its actions, its failures, and the placeholder nobody filled in', async (t) => {
  const { ask } = openSeed(t, '000');
  const call = (...words: string[]) => ask(['call', 'example_agent/template', ...words]);
  const [first, second, unknown] = await Promise.all([call('action_1', 'n=1'), call('action_2'), call('action_3')]);
  assert.deepEqual(responseIn(first).data, { skill: 'skills', agent: true, params: { n: 1 } });
  assert.deepEqual([second.code, second.data.code], [1, 'INTERNAL_ERROR']);
  assert.match(String(second.data.msg), /not JSON serializable/);
  const { supported_actions } = unknown.data.details as Record<string, unknown>;
  assert.deepEqual([unknown.code, unknown.summary], [1, 'UNKNOWN_ACTION: Unknown action: action_3']);
  assert.deepEqual(
    [supported_actions, unknown.data.hint],
    [['action_1', 'action_2'], 'It can do: action_1, action_2.'],
  );
});

test('seed 000, section Example skill 1: the analysis with and without days, and another action', async (t) => {
  const { ask } = openSeed(t, '000');
  const call = (...words: string[]) => ask(['call', 'example_agent/build_analysis', ...words]);
  const [usual, month, other, conform] = await Promise.all([
    call('analyze'),
    call('analyze', 'days=30'),
    call('report'),
    ask(['conform', 'example_agent/build_analysis']),
  ]);
  assert.deepEqual(responseIn(usual).data, { average: 85.3, trend: 'improving', days_analyzed: 7 });
  assert.deepEqual(responseIn(month).data, { average: 85.3, trend: 'improving', days_analyzed: 30 });
  assert.equal(other.summary, 'UNKNOWN_ACTION: Unknown action: report');
  assert.deepEqual([conform.code, conform.data.failed, conform.data.actions], [0, 0, ['analyze']], conform.summary);
});

test('seed 000, section Limits: agent.yaml gives a task ten minutes, others have five; 10 MB of output for all', async (t) => {
  const { ask } = openSeed(t, '000');
  const limitsOf = async (skill: string) => {
    const { CPU, AS } = responseIn(await ask(['call', `timed_agent/${skill}`, 'say'])).data as Record<string, number>;
    return [CPU, AS];
  };
  const [long, usual, inspected, flood] = await Promise.all([
    limitsOf('long_running_task'),
    limitsOf('usual_task'),
    ask(['inspect', 'timed_agent/long_running_task']),
    ask(['call', 'timed_agent/usual_task', 'flood']),
  ]);
  // A process may use as many seconds of processor as it has time; memory is bounded, and generously, by a cgroup or by addresses.
  assert.deepEqual([long[0], usual[0]], [600, 300]);
  assert.ok(usual[1] === -1 || (usual[1] ?? 0) >= 2 ** 32, String(usual[1]));
  assert.equal((inspected.data.limits as Record<string, unknown>).timeout, 600);
  assert.deepEqual([flood.code, flood.summary], [1, 'OUTPUT_LIMIT: printed more than 10 MiB']);
});

test('seed 000, sections Logs and Debugging: logs stay on stderr, and SKILL_DEBUG=1 shows them with the input', async (t) => {
  const { ask } = openSeed(t, '000');
  const [quiet, debug] = await Promise.all(
    [{}, { SKILL_DEBUG: '1' }].map((env) =>
      ask(['call', 'example_agent/skill', '-'], { env, input: '{"action": "test"}' }),
    ),
  );
  assert.ok(quiet && debug);
  assert.deepEqual([responseIn(quiet).data, quiet.stderr], [{ debug: false }, '']);
  assert.deepEqual(responseIn(debug).data, { debug: true });
  assert.match(debug.stderr, /begins to count\nwas asked: \{'action': 'test'.*\}\nthe shelf does not answer\n/);
});

test('seed 000, sections Practice 1 and 2: what is missing is named at once; a skill that gives up by itself says so', async (t) => {
  const { ask } = openSeed(t, '000');
  const [missing, checked, late, early] = await Promise.all([
    ask(['call', 'example_agent/checked', 'count']),
    ask(['call', 'example_agent/checked', 'count', 'shelf=3', 'days=7']),
    ask(['call', 'example_agent/bounded', 'count', 'limit=1', 'seconds=60']),
    ask(['call', 'example_agent/bounded', 'count', 'limit=60', 'seconds=0']),
  ]);
  assert.equal(missing.summary, "MISSING_PARAM: Missing required parameters: ['shelf', 'days']");
  assert.deepEqual([missing.code, missing.data.type, missing.data.recoverable], [1, 'MISSING_PARAM', true]);
  assert.deepEqual(responseIn(checked).data, { shelf: 3, days: 7 });
  // Its own answer, not a limit of the host: that would be exit code 5.
  assert.deepEqual([late.code, late.state, late.summary], [1, 'error', 'TIMEOUT: no time left to count']);
  assert.ok(
    Number((responseIn(early).data as { left: number }).left) > 0,
    'the alarm was still set, and was taken back',
  );
});

test('seed 000, sections Practice 3 and 4: what was opened is closed, also after a failure; progress is told on stderr', async (t) => {
  const { ask, run } = openSeed(t, '000');
  const progress = await ask(['call', 'example_agent/progress', 'count']);
  assert.deepEqual([responseIn(progress).data, progress.stderr], [{ counted: 10 }, '']);
  const { stdout } = await run(['runs', 'show', 'latest', '--events', '--json']);
  const events = JSON.parse(stdout).data.events as { type: string; fraction?: number }[];
  const told = events.filter(({ type }) => type === 'progress').map(({ fraction }) => fraction);
  assert.deepEqual(told, [0.5, 1]);
  const [done, failed] = await Promise.all(
    ['count', 'fail'].map((action) => ask(['call', 'example_agent/tidy', action, '--debug'])),
  );
  assert.ok(done && failed);
  assert.deepEqual([done.code, responseIn(done).data, done.stderr], [0, { shelf: 'shelf 3' }, 'shelf 3 is closed\n']);
  assert.deepEqual([failed.code, failed.data.type], [1, 'INVALID_RESPONSE']);
  assert.match(failed.summary, /RuntimeError: the ladder is missing/);
  assert.match(failed.stderr, /^shelf 3 is closed\n/);
});
