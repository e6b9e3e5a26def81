import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../base/errors.ts';
import { readSettings } from './settings.ts';

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

test('one endpoint serves both signals below it; one of their own is taken as it is', () => {
  const { traces, metrics } = readSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example/base/',
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:9/take/',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b=2%2C3',
    OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'b=4',
    OTEL_EXPORTER_OTLP_TIMEOUT: '5',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '7',
  });
  assert.deepEqual(traces, {
    url: 'https://otel.example/base/v1/traces',
    headers: { a: '1', b: '2,3' },
    timeoutMs: 7,
  });
  assert.deepEqual(metrics, { url: 'http://127.0.0.1:9/take/', headers: { a: '1', b: '4' }, timeoutMs: 5 });
  assert.equal(readSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/' }).metrics, undefined);
  assert.equal(readSettings({ ...BASE, OTEL_METRICS_EXPORTER: 'none' }).metrics, undefined);
});

test('what is not said is as the specification has it', () => {
  const { sampling, batching, metricEvery, traces, resource } = readSettings({ ...BASE, OTEL_BSP_SCHEDULE_DELAY: '' });
  assert.deepEqual(sampling, { ratio: 1, followsParent: true });
  assert.deepEqual(batching, { delayMs: 5_000, queueSize: 2_048, batchSize: 512, timeoutMs: 30_000 });
  assert.deepEqual([metricEvery.intervalMs, traces?.timeoutMs], [60_000, 10_000]);
  assert.deepEqual(resource, { 'service.name': 'skillwright' });
  const half = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' };
  assert.deepEqual(readSettings({ ...BASE, ...half }).sampling, { ratio: 0.5, followsParent: true });
  assert.deepEqual(readSettings({ ...BASE, OTEL_TRACES_SAMPLER: 'always_off' }).sampling, {
    ratio: 0,
    followsParent: false,
  });
});

test('what cannot be meant is a fault that names the variable and repeats no secret', () => {
  const ratio = { OTEL_TRACES_SAMPLER: 'traceidratio' };
  const rows: [Record<string, string>, string][] = [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://x' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:hunter2@127.0.0.1' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
    [{ OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/protobuf' }, 'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL'],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'key=1,hunter2' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'key=hunter2%zz' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'key=hunter2%0d%0ax: y' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'key=hunter2%E4%B8%AD' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd' }, 'OTEL_EXPORTER_OTLP_COMPRESSION'],
    [{ OTEL_EXPORTER_OTLP_CERTIFICATE: '/nowhere/ca.pem' }, 'OTEL_EXPORTER_OTLP_CERTIFICATE'],
    [{ OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: '/nowhere/key' }, 'OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY'],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'one' }, 'OTEL_RESOURCE_ATTRIBUTES'],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: '-1' }, 'OTEL_EXPORTER_OTLP_TIMEOUT'],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: '10s' }, 'OTEL_EXPORTER_OTLP_TIMEOUT'],
    [{ OTEL_BSP_MAX_QUEUE_SIZE: '0' }, 'OTEL_BSP_MAX_QUEUE_SIZE'],
    [{ OTEL_BSP_MAX_QUEUE_SIZE: '10' }, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'],
    [{ OTEL_METRIC_EXPORT_INTERVAL: '99999999999' }, 'OTEL_METRIC_EXPORT_INTERVAL'],
    [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'OTEL_TRACES_SAMPLER'],
    [{ ...ratio, OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG'],
    [{ ...ratio, OTEL_TRACES_SAMPLER_ARG: 'half' }, 'OTEL_TRACES_SAMPLER_ARG'],
  ];
  for (const [env, variable] of rows) {
    assert.throws(
      () => readSettings({ ...BASE, ...env }),
      (thrown) => {
        assert.ok(thrown instanceof Fault);
        assert.deepEqual([thrown.type, thrown.details], ['ConfigInvalid', { variable }], JSON.stringify(env));
        assert.equal(JSON.stringify([thrown.message, thrown.sentence, thrown.hint]).includes('hunter2'), false);
        return true;
      },
      JSON.stringify(env),
    );
  }
});
