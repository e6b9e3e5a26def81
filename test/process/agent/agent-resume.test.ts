// Stopped, waiting and replayed runs: what the record holds is enough to go on, and to go through it again.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openProjectInterrupts } from '../../../src/app/open-interrupts.ts';
import { findWaitingRun } from '../../../src/app/run/question.ts';
import { resumeRequest } from '../../../src/app/run/resume.ts';
import { readRun, verifyRun } from '../../../src/audit/run-archive.ts';
import { startRun } from '../../../src/audit/run-folder.ts';
import { Fault } from '../../../src/base/errors.ts';
import type { Outcome } from '../../../src/base/outcome.ts';
import { scriptedModel } from '../../../src/model/scripted.ts';
import {
  answer,
  invoke,
  makeWorld,
  observed,
  openWorld,
  resource,
  resumeAgent,
  runAgent,
  type Script,
  script,
  select,
  skillFile,
  tool,
  type World,
} from '../../support/agent-support.ts';
import { changed } from '../../support/changed/changed-source.ts';
import { runCli } from '../../support/support.ts';

const ECHO = {
  ...skillFile('echo'),
  '.agent/skills/echo/scripts/run.sh': 'echo "RAN $1"; echo "$1" > "$SKILL_OUTPUT_DIR/$1.txt"\n',
};

async function decide(world: World, waiting: Outcome, word: string, answers: Script): Promise<Outcome> {
  const runtime = await openWorld(world);
  const question = String(waiting.data.id);
  const run = await findWaitingRun(await openProjectInterrupts(runtime).get(question));
  assert.ok(run);
  const order = { version: '0', given: scriptedModel(answers) };
  return await resumeRequest(runtime, run.run, order, { ...run, question, words: [word] });
}

test('a run that waits for a yes goes on from there with the command it printed', async (t) => {
  const world = makeWorld(t, ECHO);
  const { outcome } = await runAgent(world, [select('echo'), script('echo', 'run.sh', 'a')]);
  assert.equal(outcome.state, 'interrupted');
  assert.equal(readRun(world.project, String(outcome.data.run_id)).summary?.outcome, 'interrupted');
  assert.ok(!existsSync(path.join(world.project, 'mybox/output/a.txt')));
  const resumed = await decide(world, outcome, 'approve', [answer('it ran')]);
  assert.equal(resumed.state, 'success', resumed.summary);
  assert.equal(resumed.data.run_id, outcome.data.run_id);
  assert.equal(resumed.data.turns, 3);
  assert.ok(existsSync(path.join(world.project, 'mybox/output/a.txt')));
  assert.equal(verifyRun(world.project, world.home, String(outcome.data.run_id)).ok, true);
});

test('whoever stops the run at a question is asked again by the run that goes on', async (t) => {
  const world = makeWorld(t, ECHO);
  const stop = new AbortController();
  const ask = async () => {
    stop.abort();
    throw new Fault('ApprovalDenied', 'stopped at the question', { details: { signal: 'SIGINT' } });
  };
  const steps = [select('echo'), script('echo', 'run.sh', 'a'), answer('gave up')];
  const { outcome } = await runAgent(world, steps, { ask, stop: stop.signal });
  assert.equal(outcome.state, 'interrupted', outcome.summary);
  assert.match(String(outcome.data.resume_command), /^skillwright run --resume /);
  const resumed = await resumeAgent(world, String(outcome.data.run_id), [answer('it ran')], {
    ask: async () => 'once',
  });
  assert.equal(resumed.outcome.data.answer, 'it ran');
  assert.ok(existsSync(path.join(world.project, 'mybox/output/a.txt')));
});

test('a no is observed, and the call is not made', async (t) => {
  const world = makeWorld(t, ECHO);
  const { outcome } = await runAgent(world, [select('echo'), script('echo', 'run.sh', 'a')]);
  const resumed = await decide(world, outcome, 'deny', [answer('not allowed')]);
  assert.equal(resumed.data.answer, 'not allowed');
  assert.ok(!existsSync(path.join(world.project, 'mybox/output/a.txt')));
});

test('a skill inside the run that waits lets the whole run wait, and both go on', async (t) => {
  const world = makeWorld(t, { ...ECHO, ...skillFile('inner', 'run-mode: subagent\n') });
  const waiting = await runAgent(world, [
    invoke('inner', { task: 'go' }),
    tool('list_dir'),
    select('echo'),
    script('echo', 'run.sh', 'deep'),
  ]);
  assert.equal(waiting.outcome.state, 'interrupted');
  const resumed = await decide(world, waiting.outcome, 'approve', [answer('inner done'), answer('outer done')]);
  assert.equal(resumed.state, 'success', resumed.summary);
  assert.equal(resumed.data.answer, 'outer done');
  assert.equal(resumed.data.turns, 6);
  assert.ok(existsSync(path.join(world.project, 'mybox/output/deep.txt')));
});

test('a wish to stop ends the run after what is under way; resuming repeats nothing', async (t) => {
  const world = makeWorld(t, ECHO);
  const stop = new AbortController();
  const first = await runAgent(world, [select('echo'), script('echo', 'run.sh', 'a'), script('echo', 'run.sh', 'b')], {
    yes: true,
    stop: stop.signal,
    trace: (event) => {
      if (event.type === 'decided' && event.turn === 2) stop.abort();
    },
  });
  assert.equal(first.outcome.state, 'interrupted');
  assert.match(observed(first)[1] ?? '', /RAN a/);
  assert.match(String(first.outcome.data.resume_command), /^skillwright run --resume /);
  const id = String(first.outcome.data.run_id);
  const resumed = await resumeAgent(world, id, [script('echo', 'run.sh', 'b'), answer()], { yes: true });
  assert.equal(resumed.outcome.state, 'success');
  assert.equal(resumed.events.filter(({ type }) => type === 'call-intent').length, 2);
  assert.match(resumed.prompts.at(-1) ?? '', /RAN a[\s\S]*RAN b/);
});

test('a model that cannot be reached leaves a run that can be resumed', async (t) => {
  const world = makeWorld(t);
  const first = await runAgent(world, [tool('list_dir')]);
  assert.equal(first.outcome.data.code, 'EXTERNAL_SERVICE_ERROR');
  const resumed = await resumeAgent(world, String(first.outcome.data.run_id), [answer('back')]);
  assert.equal(resumed.outcome.data.answer, 'back');
  assert.equal(resumed.outcome.data.turns, 2);
});

test('a run is replayed from its record without doing anything, and nothing differs', async (t) => {
  const world = makeWorld(t, {
    ...ECHO,
    ...skillFile('inner', 'run-mode: subagent\n'),
    '.agent/skills/echo/reference/x.md': '# X\n',
  });
  const steps = [
    'not a decision',
    select('echo'),
    resource('echo', 'reference/x.md'),
    script('echo', 'run.sh', 'a'),
    tool('read_file', { path: 'none' }),
    invoke('inner', { task: 'look' }),
    tool('list_dir'),
    answer('seen'),
    answer('end'),
  ];
  const { outcome } = await runAgent(world, steps, { yes: true });
  writeFileSync(path.join(world.project, 'mybox/output/a.txt'), 'untouched');
  const replay = () =>
    runCli(['runs', 'replay', String(outcome.data.run_id), '--json'], { cwd: world.project, home: world.home });
  const same = JSON.parse((await replay()).stdout);
  assert.equal(same.state, 'success', JSON.stringify(same.data));
  assert.equal(same.data.turns, 8);
  assert.equal(readFileSync(path.join(world.project, 'mybox/output/a.txt'), 'utf8'), 'untouched');
  appendFileSync(path.join(world.project, '.agent/skills/echo/reference/x.md'), 'CHANGED\n');
  const changed = await replay();
  assert.equal(changed.code, 1);
  const whats = JSON.parse(changed.stdout).data.differences.map(({ what }: { what: string }) => what);
  assert.ok(whats.includes('project:echo reference/x.md'), String(whats));
  assert.ok(whats.includes('files of project:echo'), String(whats));
  const shown = await runCli(['runs', 'replay', 'latest'], { cwd: world.project, home: world.home });
  assert.match(shown.stdout, /hint: The record is unbroken; what differs was changed since/);
  assert.ok(
    shown.stdout.split('\n').every((line) => line.length <= 160),
    shown.stdout,
  );
});

for (const forged of ['state', 'log'] as const) {
  test(`threat 62 blocked: a run whose ${forged} was forged is not resumed`, async (t) => {
    const world = makeWorld(t, ECHO);
    const first = await runAgent(world, [tool('list_dir')]);
    const file = path.join(first.folder, forged === 'state' ? 'state.json' : 'events.jsonl');
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      forged === 'state' ? text.replace('"turns":12', '"turns":9999') : text.replace('list_dir', 'grep'),
    );
    await assert.rejects(resumeAgent(world, String(first.outcome.data.run_id), [answer()]), /the files changed/);
  });
}

test('a saved state of another form is named with what to do, and nothing is done', async (t) => {
  const world = makeWorld(t, ECHO);
  const { clock } = await openWorld(world);
  const context = { request_id: 'r', agent_id: null, user_id: null };
  const run = startRun({ ...world, clock, kind: 'run', request: 'x', version: '0', context });
  const limits = { turns: 9, tool_calls: 9, script_runs: 9, tokens: 9, seconds: 9, cost: 9 };
  run.saveState({ request: { text: 'x', normalized: 'x', named: [] }, model: 'mock', limits });
  run.close('interrupted');
  const { code, stdout } = await runCli(['run', '--resume', run.id, '--json'], {
    cwd: world.project,
    home: world.home,
  });
  const { data, summary } = JSON.parse(stdout);
  assert.deepEqual([code, data.code], [1, 'STATE_UNUSABLE'], stdout);
  assert.match(summary, /has another form than expected \(skill_limits\)/);
});

test('threat 62 blocked: a run folder that came with the project is not resumed by another home', async (t) => {
  const world = makeWorld(t, ECHO);
  const first = await runAgent(world, [tool('list_dir')]);
  const elsewhere = makeWorld(t).home;
  await assert.rejects(
    resumeAgent({ ...world, home: elsewhere }, String(first.outcome.data.run_id), [answer()]),
    /the files changed/,
  );
});

test('threat 62 control: a resume that does not check the state takes the forged one', async (t) => {
  const trusting = await changed<typeof import('../../../src/audit/run-folder.ts')>('src/audit/run-folder.ts', {
    file: 'src/audit/saved-state.ts',
    from: 'sha256(text) === hash',
    to: 'true',
  });
  const world = makeWorld(t, ECHO);
  const first = await runAgent(world, [tool('list_dir')]);
  const file = path.join(first.folder, 'state.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"turns":12', '"turns":9999'));
  const { clock } = await openWorld(world);
  const context = { request_id: 'r', agent_id: null, user_id: null };
  const options = { ...world, clock, kind: 'run', request: '', version: '0', context };
  const { state, run } = trusting.resumeRun(options, String(first.outcome.data.run_id));
  run.close('interrupted');
  assert.match(JSON.stringify(state), /"turns":9999/);
});
