import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attributes, Measurement, Span, Telemetry } from '../base/telemetry.ts';
import type { ClaimedJob } from '../store/queue.ts';
import { measureJob, traceJob } from './follow.ts';
import { measureQueue } from './metric.ts';
import type { Left } from './worker.ts';

const JOB: ClaimedJob = {
  id: 'j1',
  role: 'watcher',
  target: 'watcher: tell me SECRET-PROMPT',
  payload: JSON.stringify({ skill: 'echo', action: 'say', params: { who: 'SECRET-PARAM' } }),
  state: 'running',
  attempt: 2,
  priority: 0,
  retry: { limit: 0, delayMs: 0, maxMs: 0 },
  timeoutMs: 1,
  createdAt: 0,
  dueAt: 1_000,
  fence: 1,
};

/** Remembers what it was told. */
function notebook() {
  const measured: Measurement[] = [];
  const spans: { name: string; parent: string | undefined; attributes: Attributes; error?: string | undefined }[] = [];
  const begin =
    (parent: string | undefined) =>
    (name: string, attributes: Attributes = {}) => {
      const kept = { name, parent, attributes, error: undefined as string | undefined };
      spans.push(kept);
      const span: Span = {
        ids: { trace_id: 't', span_id: 's' },
        traceparent: '',
        begin: begin('s'),
        rename: () => {},
        set: (more) => Object.assign(kept, { attributes: { ...kept.attributes, ...more } }),
        end: (error) => Object.assign(kept, { error }),
      };
      return span;
    };
  const telemetry: Telemetry = {
    begin: begin(undefined),
    below: (parent) => ({ begin: begin(parent) }),
    measure: (...one) => void measured.push(one),
    watch: () => () => {},
    onLoss: () => {},
    close: async () => undefined,
  };
  return { telemetry, spans, measured };
}

test('a job is measured by how it leaves: retries and lost leases count for their skill', () => {
  const counted = (how: Left) => {
    const { telemetry, measured } = notebook();
    let now = 3_000;
    const followed = measureJob(JOB, telemetry, () => now);
    now = 3_500;
    followed.left(how);
    return measured.map(([{ name }, value, attributes = {}]) => {
      const { 'skillwright.skill.name': skill, ...rest } = attributes;
      assert.equal(skill, 'watcher/echo');
      return [name.replace('skillwright.job.', ''), value, ...Object.values(rest)];
    });
  };
  const begun = ['start_latency', 2];
  assert.deepEqual(counted('done'), [begun, ['duration', 0.5, 'done']]);
  assert.deepEqual(counted('retrying'), [begun, ['duration', 0.5, 'retrying'], ['retries', 1]]);
  assert.deepEqual(counted('lost'), [begun, ['duration', 0.5, 'lost'], ['lease_losses', 1]]);
});

test('the span of a job hangs below whoever queued it, and tells no text', () => {
  for (const payload of [JOB.payload, JSON.stringify({ prompt: 'SECRET-PROMPT' }), 'SECRET, not JSON']) {
    const { telemetry, spans } = notebook();
    traceJob({ ...JOB, payload, traceparent: 'p' }, telemetry).left('failed');
    assert.deepEqual([spans[0]?.parent, spans[0]?.error], ['p', 'failed']);
    assert.doesNotMatch(JSON.stringify(spans), /SECRET/);
  }
});

test('the queue is told of by depth, age and state', () => {
  const counts = { queued: 3, running: 1, done: 9, dead: 2, cancelled: 0, waiting: 0, skipped: 0 };
  const measured = measureQueue({ counts, oldestDueMs: 1_500, paused: true });
  const byName = (name: string) => measured.filter(([metric]) => metric.name === `skillwright.queue.${name}`);
  assert.deepEqual(
    ['depth', 'oldest_due_age', 'paused'].map((name) => byName(name).map(([, value]) => value)),
    [[3], [1.5], [1]],
  );
  assert.deepEqual(
    byName('jobs').map(([, value, attributes]) => [attributes?.['skillwright.job.state'], value]),
    Object.entries(counts),
  );
});
