// The exporter against a real receiver: batches, retries, and receivers that are down, slow, unwilling or too busy.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Metric } from '../../../src/base/telemetry.ts';
import { openTelemetry } from '../../../src/telemetry/open.ts';
import {
  accept,
  never,
  openReceiver,
  openSecureReceiver,
  type Reply,
  treeOf,
} from '../../support/server/otlp-receiver.ts';
import { selfSigned } from '../../support/server/self-signed.ts';
import { temporaryFolder } from '../../support/support.ts';

const answerWith =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, headers).end();

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(10);
}

test('spans arrive with parents, ids, kinds, times and attributes, and say who sent them', async (t) => {
  const receiver = await openReceiver(t);
  const telemetry = openTelemetry({
    ...receiver.env,
    OTEL_SERVICE_NAME: 'night shift',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test,team=a%20b',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-one=1',
  });
  const outer = telemetry.begin('outer', {
    text: 'x',
    whole: 3,
    part: 0.5,
    yes: true,
    list: ['a', 'b'],
    gone: undefined,
  });
  const inner = outer.begin('inner', {}, 'client');
  inner.set({ late: 1 });
  inner.rename('renamed');
  inner.end('TIMEOUT');
  inner.end();
  outer.end();
  assert.equal(await telemetry.close(), undefined);
  const [got] = receiver.got;
  assert.deepEqual(
    [receiver.got.length, got?.path, got?.headers['content-type'], got?.headers.authorization, got?.headers['x-one']],
    [1, '/v1/traces', 'application/json', 'Bearer abc', '1'],
  );
  const spans = receiver.spans();
  assert.deepEqual(treeOf(spans), ['outer', '  renamed']);
  const [child, parent] = spans;
  assert.match(child?.traceId ?? '', /^[0-9a-f]{32}$/);
  assert.match(child?.spanId ?? '', /^[0-9a-f]{16}$/);
  assert.deepEqual([child?.traceId, child?.kind, parent?.kind], [parent?.traceId, 3, 1]);
  assert.deepEqual([child?.status, parent?.status], [{ code: 2 }, {}]);
  assert.deepEqual(child?.attributes, { late: 1, 'error.type': 'TIMEOUT' });
  const { list, ...rest } = parent?.attributes ?? {};
  assert.deepEqual(
    [rest, JSON.stringify(list)],
    [{ text: 'x', whole: 3, part: 0.5, yes: true }, '{"values":[{"stringValue":"a"},{"stringValue":"b"}]}'],
  );
  assert.equal(
    parent && child && parent.start <= child.start && child.start <= child.end && child.end <= parent.end,
    true,
  );
  assert.ok(Math.abs(Number((parent?.start ?? 0n) / 1_000_000n) - Date.now()) < 60_000);
  const resource = receiver.resource();
  assert.deepEqual(
    ['service.name', 'deployment.environment', 'team', 'telemetry.sdk.language'].map((name) => resource[name]),
    ['night shift', 'test', 'a b', 'nodejs'],
  );
});

test('a caller that has a trace is gone on with; what it does not sample is not recorded here either', async (t) => {
  const receiver = await openReceiver(t);
  const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const follow = async (flags: string, env: Record<string, string> = {}) => {
    const telemetry = openTelemetry({ ...receiver.env, TRACEPARENT: `00-${trace}-${parent}-${flags}`, ...env });
    const span = telemetry.begin(`flags ${flags}`);
    span.begin('child').end();
    span.end();
    await telemetry.close();
    return span.traceparent;
  };
  assert.match(await follow('01'), new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  assert.match(await follow('00'), new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  await follow('00', { OTEL_TRACES_SAMPLER: 'always_on' });
  await follow('01', { OTEL_TRACES_SAMPLER: 'always_off' });
  await follow('01', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' });
  const spans = receiver.spans();
  assert.deepEqual(treeOf(spans, parent), ['flags 01', '  child', 'flags 00', '  child', 'flags 01', '  child']);
  assert.equal(
    spans.every(({ traceId }) => traceId === trace),
    true,
  );
});

test('metrics arrive summed up, gauges as they are when they are sent', async (t) => {
  const receiver = await openReceiver(t);
  const telemetry = openTelemetry(receiver.env);
  const [count, time, depth] = (['counter', 'histogram', 'gauge'] as const).map(
    (kind): Metric => ({ kind, name: `test.${kind}`, unit: 's', about: kind }),
  );
  assert.ok(count && time && depth);
  for (const value of [0.004, 0.3, 9_999]) telemetry.measure(time, value, { of: 'x' });
  telemetry.measure(count, 1);
  telemetry.measure(count, 2);
  let level = 1;
  telemetry.watch(async () => [[depth, level]]);
  telemetry.watch(() => Promise.reject(new Error('the queue is gone')));
  level = 7;
  assert.equal(await telemetry.close(), undefined);
  const metrics = receiver.metrics();
  const [point] = metrics.get('test.histogram')?.points ?? [];
  assert.deepEqual([point?.attributes, point?.count, point?.sum], [{ of: 'x' }, '3', 9_999.304]);
  assert.equal(point?.bucketCounts?.length, (point?.explicitBounds?.length ?? 0) + 1);
  assert.deepEqual([point?.bucketCounts?.[0], point?.bucketCounts?.[6], point?.bucketCounts?.at(-1)], ['1', '1', '1']);
  assert.deepEqual(
    [metrics.get('test.counter')?.points[0]?.asDouble, metrics.get('test.gauge')?.points[0]?.asDouble],
    [3, 7],
  );
});

test('a receiver that is busy is asked again when it says so, and nothing is lost', async (t) => {
  const busy = answerWith(429, { 'retry-after': '0' });
  const soon = answerWith(503, { 'retry-after': new Date(Date.now() - 1000).toUTCString() });
  const receiver = await openReceiver(t, busy, soon, accept);
  const telemetry = openTelemetry({ ...receiver.env, OTEL_BSP_SCHEDULE_DELAY: '1' });
  telemetry.begin('patient').end();
  await until(() => receiver.got.length === 3);
  assert.equal(await telemetry.close(), undefined);
  assert.deepEqual(new Set(receiver.got.map(({ body }) => body)).size, 1);
});

test('what a receiver refuses is not sent again, and counted', async (t) => {
  for (const status of [400, 500, 302]) {
    const receiver = await openReceiver(t, answerWith(status, { location: '/elsewhere' }), accept);
    const telemetry = openTelemetry({ ...receiver.env, OTEL_BSP_SCHEDULE_DELAY: '1' });
    const losses: unknown[] = [];
    telemetry.onLoss((loss) => losses.push(loss));
    telemetry.begin('unwanted').end();
    await until(() => losses.length === 1);
    const loss = await telemetry.close();
    assert.deepEqual([receiver.got.length, loss?.spans, losses], [1, 1, [loss]], String(status));
    assert.equal(await telemetry.close(), undefined);
  }
  const partial: Reply = (response) =>
    void response.end(JSON.stringify({ partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } }));
  const receiver = await openReceiver(t, partial);
  const telemetry = openTelemetry(receiver.env);
  for (const name of ['a', 'b', 'c']) telemetry.begin(name).end();
  assert.equal((await telemetry.close())?.spans, 2);
});

test('a receiver that is down or never answers holds up nothing, at the end for a second at most', async (t) => {
  const down = openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  down.begin('lost').end();
  down.measure({ kind: 'counter', name: 'lost', unit: '1', about: '' }, 1);
  const { spans, metrics, reason } = (await down.close()) ?? {};
  assert.deepEqual([spans, metrics, typeof reason], [1, 1, 'string']);
  const receiver = await openReceiver(t, never);
  const slow = openTelemetry({ ...receiver.env, OTEL_BSP_SCHEDULE_DELAY: '1', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2' });
  for (let at = 0; at < 9; at++) slow.begin('lost').end();
  await until(() => receiver.got.length === 1);
  assert.deepEqual(await slow.close(), { spans: 9, metrics: 0, reason: 'no answer in time' });
  assert.equal(receiver.got.length, 1);
});

test('the line is bounded: what does not fit is dropped and counted', async (t) => {
  const replies: (() => void)[] = [];
  const later: Reply = (response) => void replies.push(() => response.end('{}'));
  const receiver = await openReceiver(t, later, accept);
  const telemetry = openTelemetry({
    ...receiver.env,
    OTEL_BSP_MAX_QUEUE_SIZE: '10',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5',
  });
  for (let at = 0; at < 5; at++) telemetry.begin('first').end();
  await until(() => replies.length === 1);
  for (let at = 0; at < 25; at++) telemetry.begin('next').end();
  for (const reply of replies) reply();
  const loss = await telemetry.close();
  assert.deepEqual([loss?.spans, receiver.spans().length], [15, 15]);
});

test('batches share a connection; one that the receiver gave up meanwhile is opened again, also at the end', async (t) => {
  const receiver = await openReceiver(t);
  const telemetry = openTelemetry({ ...receiver.env, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' });
  for (const name of ['a', 'b', 'c']) telemetry.begin(name).end();
  await until(() => receiver.got.length === 3);
  assert.equal(receiver.connections(), 1);
  await receiver.hangUp();
  telemetry.begin('d').end();
  assert.equal(await telemetry.close(), undefined);
  assert.deepEqual([receiver.spans().length, receiver.connections()], [4, 2]);
});

test('the first message leaves while the process waits, and what is left goes over the same connection at the end', async (t) => {
  const receiver = await openReceiver(t);
  const telemetry = openTelemetry({ ...receiver.env, OTEL_BSP_SCHEDULE_DELAY: '3600000' });
  const outer = telemetry.begin('outer');
  outer.begin('first').end();
  const giveUp = Date.now() + 20_000;
  await until(() => receiver.got.length === 1 || Date.now() > giveUp);
  assert.deepEqual(
    receiver.spans().map(({ name }) => name),
    ['first'],
  );
  // Until its answer was read, too: what comes before that goes along. Each turn of the loop reads what has arrived.
  for (let turn = 0; turn < 20; turn++) await sleep(5);
  outer.begin('second').end();
  await sleep(50);
  assert.equal(receiver.got.length, 1, 'only the first does not wait');
  outer.end();
  assert.equal(await telemetry.close(), undefined);
  assert.deepEqual([receiver.got.length, receiver.connections()], [2, 1]);
});

test('gzip makes messages smaller where it is asked for', async (t) => {
  const receiver = await openReceiver(t);
  const telemetry = openTelemetry({ ...receiver.env, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' });
  for (let at = 0; at < 50; at++) telemetry.begin('same').end();
  assert.equal(await telemetry.close(), undefined);
  const [got] = receiver.got;
  assert.deepEqual([got?.headers['content-encoding'], receiver.spans().length], ['gzip', 50]);
  assert.ok(Number(got?.headers['content-length']) * 2 < (got?.body.length ?? 0));
});

test('over https the receiver is checked, with an authority of the user where there is one', async (t) => {
  const identity = selfSigned();
  const receiver = await openSecureReceiver(t, identity);
  const file = path.join(temporaryFolder(t), 'ca.pem');
  writeFileSync(file, identity.cert);
  const distrustful = openTelemetry(receiver.env);
  distrustful.begin('lost').end();
  assert.deepEqual(await distrustful.close(), { spans: 1, metrics: 0, reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  assert.equal(receiver.got.length, 0);
  const trusting = openTelemetry({ ...receiver.env, OTEL_EXPORTER_OTLP_CERTIFICATE: file });
  trusting.begin('kept').end();
  assert.equal(await trusting.close(), undefined);
  assert.deepEqual(treeOf(receiver.spans()), ['kept']);
});
