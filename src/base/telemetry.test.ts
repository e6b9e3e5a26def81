import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTelemetryWanted, readTraceparent, writeTraceparent } from './telemetry.ts';

const [TRACE, SPAN] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

test('a traceparent is read as W3C writes it, and what is none is none', () => {
  const remote = { traceId: TRACE, spanId: SPAN, isSampled: true };
  assert.deepEqual(readTraceparent(`00-${TRACE}-${SPAN}-01`), remote);
  assert.deepEqual(readTraceparent(`00-${TRACE}-${SPAN}-02`), { ...remote, isSampled: false });
  assert.deepEqual(readTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes-later`), remote);
  assert.equal(writeTraceparent(remote), `00-${TRACE}-${SPAN}-01`);
  const bad = [
    undefined,
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}`,
    ` 00-${TRACE}-${SPAN}-01\n`,
  ];
  for (const text of bad) assert.equal(readTraceparent(text), undefined, text);
});

test('telemetry is on only where a receiver is named and nobody switched it off', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  assert.equal(isTelemetryWanted({}), false);
  assert.equal(isTelemetryWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_SERVICE_NAME: 'x' }), false);
  assert.equal(isTelemetryWanted(endpoint), true);
  assert.equal(isTelemetryWanted({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:1' }), true);
  assert.equal(isTelemetryWanted({ ...endpoint, OTEL_SDK_DISABLED: 'True' }), false);
  assert.equal(isTelemetryWanted({ ...endpoint, OTEL_SDK_DISABLED: 'no' }), true);
});
