// `skillwright run` as a person uses it: what stands on stdout and stderr, exit codes, settings, schemas.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openAnswerStream } from '../../../src/cli/view/answer-stream.ts';
import { answer, makeWorld, plant, script, select, skillFile, tool, type World } from '../../support/agent-support.ts';
import { runCli } from '../../support/support.ts';

const ECHO = { ...skillFile('echo'), '.agent/skills/echo/scripts/run.sh': 'echo "RAN $1"\n' };

function prepare(t: Parameters<typeof makeWorld>[0], steps: readonly unknown[]): World {
  return makeWorld(t, { ...ECHO, 'case.json': JSON.stringify(steps) });
}
const cli = (world: World, ...args: string[]) => runCli(args, { cwd: world.project, home: world.home });

test('the answer stands alone on stdout, the trace with turn, action, time and record on stderr', async (t) => {
  const world = prepare(t, [select('echo'), script('echo', 'run.sh', 'a'), answer('**done**\nin two lines')]);
  const ran = await cli(world, 'run', 'echo it', '--model', 'mock:case.json', '--yes');
  assert.equal(ran.code, 0, ran.stderr);
  assert.equal(ran.stdout, '**done**\nin two lines\n');
  assert.match(ran.stderr, / 2 run_script echo scripts\/run\.sh a \(\d+\.\d s\)/);
  assert.match(ran.stderr, /record: .*\.agent\/runs\/\d{8}T/);
  const quiet = await cli(world, 'run', 'echo it', '--model', 'mock:case.json', '--yes', '--quiet');
  assert.equal(quiet.stderr, '');
});

test('--stream shows the answer while it is written, once; what a run inside says is not streamed', async (t) => {
  const long = 'a long answer,\nin **two** lines 你好';
  const world = makeWorld(t, {
    ...skillFile('inner', 'run-mode: subagent\n'),
    'case.json': JSON.stringify([
      { action: { type: 'invoke_skill', skill: 'inner', params: { task: 'go' } } },
      answer('the inner run says something at length'),
      answer(long),
    ]),
  });
  const ran = await cli(world, 'run', 'x', '--model', 'mock:case.json', '--stream');
  assert.equal(ran.stdout, `${long}\n`, ran.stderr);
  assert.match(ran.stderr, / 3 final_answer/);
  const pieces: string[] = [];
  const stream = openAnswerStream({ write: (text) => pieces.push(text) });
  const piece = (text: string) => stream.show({ type: 'thinking', depth: 0, piece: text });
  piece('{"action":{"type":"final_answer","content":"lost ');
  stream.show({ type: 'retry', reason: 'cut' });
  for (const part of ['{"action":{"type":"final_answer","content":"\\u001b[2J', 'kept"}}']) piece(part);
  assert.deepEqual(pieces, ['lost ', '\n', '\\u{1b}[2J', 'kept']);
  assert.equal(stream.shown(), '\\u{1b}[2Jkept');
});

test('--record keeps what a model answers; recorded: repeats it, and refuses another request', async (t) => {
  const world = prepare(t, [tool('read_file', { path: 'case.json' }), answer('seen')]);
  const first = await cli(world, 'run', 'look', '--model', 'mock:case.json', '--record', 'kept.json', '--json');
  assert.equal(first.code, 0, first.stdout);
  const again = await cli(world, 'run', 'look', '--model', 'recorded:kept.json', '--json');
  assert.equal(JSON.parse(again.stdout).data.answer, 'seen', again.stdout);
  const other = await cli(world, 'run', 'look elsewhere', '--model', 'recorded:kept.json', '--json');
  assert.equal(JSON.parse(other.stdout).data.code, 'EXTERNAL_SERVICE_ERROR');
  const file = path.join(world.project, 'kept.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"usage"', '"used"'));
  const damaged = await cli(world, 'run', 'look', '--model', 'recorded:kept.json');
  assert.equal(damaged.code, 1);
  assert.match(damaged.stdout + damaged.stderr, /kept\.json holds no recorded answers[\s\S]*--record FILE/);
});

test('--json carries what section 19 promises, and nothing else is printed', async (t) => {
  const world = prepare(t, [select('echo'), script('echo', 'run.sh', 'a'), answer('done')]);
  const ran = await cli(world, 'run', 'echo it', '--model', 'mock:case.json', '--yes', '--json');
  assert.equal(ran.stderr, '');
  const { state, agent, data } = JSON.parse(ran.stdout);
  assert.equal(state, 'success');
  assert.equal(agent, 'agent');
  for (const key of ['run_id', 'answer', 'skills', 'turns', 'tool_calls', 'tokens', 'artifacts', 'record'])
    assert.ok(key in data, key);
  assert.deepEqual([data.answer, data.skills, data.turns, data.tool_calls], ['done', ['echo'], 3, 1]);
});

test('002-81 nobody there: exit 4 and the exact command; that command finishes the run', async (t) => {
  const world = prepare(t, [select('echo'), script('echo', 'run.sh', 'a'), answer('done')]);
  const asked = await cli(world, 'run', 'echo it', '--model', 'mock:case.json', '--non-interactive', '--json');
  assert.equal(asked.code, 4);
  const { resume_command, run_id } = JSON.parse(asked.stdout).data;
  const resumed = await cli(world, ...resume_command.split(' ').slice(1), '--json');
  assert.equal(resumed.code, 0, resumed.stdout);
  assert.equal(JSON.parse(resumed.stdout).data.run_id, run_id);
});

test('002-26 --budget counts for the run and for one skill; a wrong one is a usage error', async (t) => {
  const world = prepare(t, [tool('list_dir'), tool('list_dir', { depth: 2 }), answer()]);
  const short = await cli(world, 'run', 'x', '--model', 'mock:case.json', '--budget', 'turns=2', '--json');
  assert.equal(short.code, 6);
  assert.equal(JSON.parse(short.stdout).data.exhausted, 'turns');
  for (const bad of ['turns', 'turns=-1', 'rounds=3'])
    assert.equal((await cli(world, 'run', 'x', '--budget', bad)).code, 2, bad);
  assert.equal((await cli(world, 'run')).code, 2);
});

test('002-50 the model comes from the settings: mock with a case file, by default the offline one', async (t) => {
  const world = prepare(t, [answer('from the settings')]);
  plant(world.home, {
    '.agent/config.json': JSON.stringify({ model: { provider: 'mock', params: { script: 'case.json' } } }),
  });
  assert.equal((await cli(world, 'run', 'x')).stdout, 'from the settings\n');
  writeFileSync(path.join(world.home, '.agent/config.json'), '{}');
  const offline = await cli(world, 'run', 'fold me a paper crane', '--json');
  assert.equal(JSON.parse(offline.stdout).state, 'pending');
});

test('003-01 003-02 003-03 a request becomes a call of a built-in skill without key or network', async (t) => {
  const world = makeWorld(t, { 'README.md': '# Title\n\nText *here*.\n' });
  for (const request of [
    '@markdown-converter README.md',
    '运行技能 markdown-converter README.md',
    'convert README.md to HTML',
  ]) {
    const ran = await cli(world, 'run', request, '--json');
    const { state, data } = JSON.parse(ran.stdout);
    assert.equal(state, 'success', ran.stdout);
    assert.equal(data.artifacts.length, 1, request);
    assert.match(readFileSync(path.join(world.project, data.artifacts[0]), 'utf8'), /Title/);
  }
});

test('002-28 002-73 002-74 the contract with the model is public', async (t) => {
  const world = makeWorld(t);
  const actions = JSON.parse((await cli(world, 'schema', 'actions')).stdout);
  const names = JSON.stringify(actions);
  for (const name of [
    'select_skills',
    'load_resource',
    'run_script',
    'invoke_skill',
    'use_tool',
    'search_skills',
    'final_answer',
  ])
    assert.ok(names.includes(`"${name}"`), name);
  const plan = JSON.parse((await cli(world, 'schema', 'plan')).stdout);
  assert.deepEqual(Object.keys(plan.properties), ['goal', 'steps', 'assumptions', 'constraints']);
  assert.deepEqual(Object.keys(plan.properties.steps.items.properties), ['id', 'title', 'status']);
  assert.deepEqual(Object.keys(plan.properties.constraints.properties).slice(0, 2), ['max_turns', 'max_tool_calls']);
});
