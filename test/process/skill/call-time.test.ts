// What an embedder sees of time and of records: `meta.time` is that of the call, and a call that did nothing leaves nothing.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { executeJob } from '../../../src/app/job/execute-job.ts';
import { openDoor } from '../../../src/app/open-door.ts';
import { runRequest } from '../../../src/app/run/open-run.ts';
import { createRuntime } from '../../../src/app/runtime.ts';
import type { Model } from '../../../src/model/model.ts';
import { scriptedModel } from '../../../src/model/scripted.ts';
import type { Job } from '../../../src/store/queue.ts';
import { answer, makeWorld } from '../../support/agent-support.ts';

/** A runtime that was opened an hour before it is used. */
async function openOld(t: TestContext) {
  const world = makeWorld(t);
  const time = { now: 1_000_000_000 };
  const runtime = await createRuntime({ ...world, env: {}, clock: { now: () => time.now } });
  time.now += 3_600_000;
  const pass = (ms: number) => {
    time.now += ms;
  };
  return { runtime, pass };
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

test('handing a door on begins no record; the first thing recorded does', async (t) => {
  const world = makeWorld(t);
  const runtime = await createRuntime({ ...world, env: {} });
  const door = openDoor(runtime, { kind: 'test', request: 'r', version: '0' });
  const handed = { ...door };
  assert.deepEqual([handed.recorded(), runsOf(world.project)], [undefined, []]);
  handed.run.record({ type: 'interrupt', interrupt: 'i', kind: 'approval' });
  assert.deepEqual(runsOf(world.project), [door.run.id]);
  assert.equal(door.recorded()?.folder, door.run.folder);
});

function runsOf(project: string): string[] {
  const folder = path.join(project, '.agent', 'runs');
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
}
