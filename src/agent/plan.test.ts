import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan, PlanOperation } from '../model/action.ts';
import { changePlan } from './plan.ts';

const LIMITS = { max_turns: 12, max_tool_calls: 30, max_script_runs: 6 };
const plan: Plan = {
  goal: 'convert the notes',
  steps: [
    { id: 's1', title: 'choose', status: 'pending' },
    { id: 's2', title: 'run', status: 'pending' },
    { id: 's3', title: 'answer', status: 'pending' },
  ],
  assumptions: ['the file exists'],
  constraints: {},
};
const patch = (...ops: PlanOperation[]) => changePlan(plan, { mode: 'patch', ops }, LIMITS);
const planOf = (change: ReturnType<typeof changePlan>) => {
  assert.ok(change.ok, change.ok ? '' : change.problem);
  return change.plan;
};
const problemOf = (change: ReturnType<typeof changePlan>) => (change.ok ? 'accepted' : change.problem);

test('002-32 a plan is replaced as a whole or patched', () => {
  assert.equal(planOf(changePlan(undefined, { mode: 'replace', plan }, LIMITS)).steps.length, 3);
  assert.equal(planOf(patch({ op: 'set', path: '/goal', value: 'new' })).goal, 'new');
  assert.match(
    problemOf(changePlan(undefined, { mode: 'patch', ops: [{ op: 'remove', path: '/steps/s1' }] }, LIMITS)),
    /no plan yet/,
  );
});

test('002-33 a patch adds, removes and reorders steps, sets a status and amends assumptions', () => {
  const added = patch({ op: 'add', path: '/steps', value: { id: 's4', title: 'check' }, after: 's1' });
  assert.deepEqual(
    planOf(added).steps.map(({ id }) => id),
    ['s1', 's4', 's2', 's3'],
  );
  assert.equal(planOf(added).steps[1]?.status, 'pending');
  assert.deepEqual(
    planOf(patch({ op: 'remove', path: '/steps/s2' })).steps.map(({ id }) => id),
    ['s1', 's3'],
  );
  assert.deepEqual(
    planOf(patch({ op: 'move', path: '/steps/s3', after: null })).steps.map(({ id }) => id),
    ['s3', 's1', 's2'],
  );
  assert.deepEqual(
    planOf(patch({ op: 'move', path: '/steps/s1', after: 's2' })).steps.map(({ id }) => id),
    ['s2', 's1', 's3'],
  );
  assert.equal(
    planOf(patch({ op: 'set', path: '/steps/s2/status', value: 'completed' })).steps[1]?.status,
    'completed',
  );
  assert.deepEqual(planOf(patch({ op: 'add', path: '/assumptions', value: 'utf-8' })).assumptions, [
    'the file exists',
    'utf-8',
  ]);
  assert.deepEqual(planOf(patch({ op: 'remove', path: '/assumptions/0' })).assumptions, []);
});

test('002-34 an unknown status, step or place is refused and the old plan stays', () => {
  const before = structuredClone(plan);
  assert.match(problemOf(patch({ op: 'set', path: '/steps/s2/status', value: 'done' })), /status/);
  assert.match(problemOf(patch({ op: 'set', path: '/steps/zz/status', value: 'completed' })), /no step zz/);
  assert.match(problemOf(patch({ op: 'set', path: '/__proto__/x', value: 1 })), /settable are/);
  assert.match(problemOf(patch({ op: 'add', path: '/steps', value: { id: 's1', title: 'again' } })), /same id/);
  assert.deepEqual(plan, before);
});

test('002-35 the model may lower a limit, never raise it', () => {
  assert.equal(planOf(patch({ op: 'set', path: '/constraints/max_turns', value: 5 })).constraints.max_turns, 5);
  assert.match(problemOf(patch({ op: 'set', path: '/constraints/max_turns', value: 13 })), /not raised above 12/);
  assert.match(
    problemOf(
      changePlan(undefined, { mode: 'replace', plan: { ...plan, constraints: { max_tool_calls: 31 } } }, LIMITS),
    ),
    /raised/,
  );
});
