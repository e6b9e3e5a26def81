import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMeter } from './meter.ts';
import { type EndedSpan, openTracer } from './span.ts';

test('a ratio keeps about that share of traces, whole ones, and the same everywhere', () => {
  const ended: EndedSpan[] = [];
  const sampling = { ratio: 0.25, followsParent: true };
  for (let at = 0; at < 4_000; at++) {
    const span = openTracer(undefined, sampling, (one) => ended.push(one)).begin('root');
    span.begin('child').end();
    span.end();
    const again = openTracer(
      { traceId: span.ids.trace_id, spanId: '1'.repeat(16), isSampled: true },
      { ...sampling, followsParent: false },
      () => {},
    );
    assert.equal(again.begin('elsewhere').traceparent.slice(-2), span.traceparent.slice(-2));
  }
  assert.ok(ended.length > 1_600 && ended.length < 2_400, String(ended.length));
  const traces = Map.groupBy(ended, ({ traceId }) => traceId);
  assert.equal(
    [...traces.values()].every((spans) => spans.length === 2),
    true,
  );
});

test('a flood of attributes ends in one point for the rest', () => {
  const meter = createMeter(() => 0);
  const metric = { kind: 'counter', name: 'x', unit: '1', about: '' } as const;
  for (let at = 0; at < 5_000; at++) meter.measure(metric, 1, { skill: `s${at}` });
  meter.measure(metric, 1, { skill: 's3' });
  meter.measure(metric, Number.NaN, { skill: 's3' });
  const points = meter.collect([])[0]?.points ?? [];
  assert.equal(points.length, 1_001);
  assert.deepEqual([points[3]?.sum, points.at(-1)?.sum], [2, 4_000]);
  assert.deepEqual(points.at(-1)?.attributes, { 'otel.metric.overflow': true });
});
