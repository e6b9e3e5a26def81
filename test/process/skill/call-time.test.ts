// What an embedder sees of time and of records: `meta.time` is that of the call, and a call that did nothing leaves nothing.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { executeJob } from '../../../src/app/job/execute-job.ts';
import { openDoor } from '../../../src/app/open-door.ts';
import { runRequest } from '../../../src/app/run/start.ts';
import { createRuntime, type Runtime } from '../../../src/app/runtime.ts';
import { verifyRun } from '../../../src/audit/run-archive.ts';
import { assetPath } from '../../../src/base/assets.ts';
import { makeOutcome } from '../../../src/base/outcome.ts';
import { trustProject } from '../../../src/config/trust.ts';
import { executeSkill, type SkillOrder, task } from '../../../src/index.ts';
import type { Model } from '../../../src/model/model.ts';
import { scriptedModel } from '../../../src/model/scripted.ts';
import type { Job } from '../../../src/store/queue.ts';
import { WORKER_FILES } from '../../../src/task/shipped.ts';
import { answer, makeWorld } from '../../support/agent-support.ts';

/** A runtime that was opened an hour before it is used. */
async function openOld(t: TestContext, { trusted = false } = {}) {
  const world = makeWorld(t);
  if (trusted) {
    for (const { asset, file } of WORKER_FILES) {
      mkdirSync(path.dirname(path.join(world.project, file)), { recursive: true });
      copyFileSync(assetPath(asset), path.join(world.project, file));
    }
    trustProject(world.project, world.home, 0);
  }
  const time = { now: 1_000_000_000 };
  const runtime = await createRuntime({ ...world, env: {}, clock: { now: () => time.now } });
  time.now += 3_600_000;
  const pass = (ms: number) => {
    time.now += ms;
  };
  return { runtime, project: world.project, pass };
}

test('meta.time of a run is the time of the run, however old the runtime is', async (t) => {
  const { runtime, pass } = await openOld(t);
  const scripted = scriptedModel([answer(), answer()]);
  const given: Model = {
    name: 'slow',
    decide(request) {
      pass(2_000);
      return scripted.decide(request);
    },
  };
  for (const _ of [1, 2]) {
    const { state, meta } = await runRequest(runtime, { text: 'do it' }, { version: '0', given });
    assert.deepEqual([state, meta.time], ['success', 2]);
  }
});

test('meta.time of a job that fails before it runs is the time of the job', async (t) => {
  const { runtime } = await openOld(t);
  const job = { id: 'j', role: 'nobody', target: 'nobody', payload: '{', timeoutMs: 1_000 } as unknown as Job;
  const end = await executeJob(runtime, job, { tag: 't', signal: new AbortController().signal });
  assert.ok('result' in end && end.result);
  assert.deepEqual([end.kind, JSON.parse(end.result).meta.time], ['failed', 0]);
});

test('meta.time of what the library does is the time of the call, for the first call and for the second', async (t) => {
  const { runtime, project, pass } = await openOld(t, { trusted: true });
  const request = { agent: 'worker_agent', description: 'list all the skills' };
  for (const prompt of ['run python bin/skill_manager.py list', 'run python bin/skill_manager.py inspect nothing']) {
    const outcome = await task({ ...request, prompt }, { runtime });
    assert.equal(outcome.meta.time, 0, prompt);
    pass(60_000);
  }
  for (const order of [{ agent_role: 'nobody', skill_name: 's', action: 'a' }, {}]) {
    const { outcome } = await executeSkill(order as SkillOrder, { runtime });
    assert.deepEqual([outcome.state, outcome.meta.time], ['error', 0]);
    pass(60_000);
  }
  assert.deepEqual(runsOf(project), []);
});

test('a runtime that is derived begins now, and its door asks the same store', async (t) => {
  const { runtime, pass } = await openOld(t);
  const own = runtime.derive();
  pass(3_000);
  const time = (one: Runtime) => makeOutcome(one.answering('skillwright', 'own'), 'success', 'x').meta.time;
  assert.deepEqual([time(own), time(runtime)], [3, 3_603]);
});

test('a door that is derived records where the first one does, and begins nothing before', async (t) => {
  const world = makeWorld(t);
  const runtime = await createRuntime({ ...world, env: {} });
  using door = openDoor(runtime, { kind: 'test', request: 'r', version: '0' });
  const handed = door.derive({ signal: new AbortController().signal });
  assert.deepEqual([handed.recorded(), runsOf(world.project)], [undefined, []]);
  handed.run.record({ type: 'interrupt', interrupt: 'i', kind: 'approval' });
  assert.deepEqual(runsOf(world.project), [door.begin().id]);
  assert.equal(handed.recorded()?.folder, door.recorded()?.folder);
});

test('a record that was begun says that it failed where nobody finished it', async (t) => {
  const world = makeWorld(t);
  const runtime = await createRuntime({ ...world, env: {} });
  {
    using door = openDoor(runtime, { kind: 'test', request: 'r', version: '0' });
    door.run.record({ type: 'interrupt', interrupt: 'i', kind: 'approval' });
  }
  const [id = ''] = runsOf(world.project);
  const summary = JSON.parse(readFileSync(path.join(world.project, '.agent', 'runs', id, 'run.json'), 'utf8'));
  assert.equal(summary.outcome, 'error');
  assert.equal(verifyRun(world.project, world.home, id).ok, true);
});

function runsOf(project: string): string[] {
  const folder = path.join(project, '.agent', 'runs');
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
}
