// Spans and metrics as OTLP writes them in JSON: ids in hex, 64-bit numbers as text.
import type { Attribute, SpanKind } from '../base/telemetry.ts';
import { BOUNDS, type MetricPoints, type Point } from './meter.ts';
import type { EndedSpan } from './span.ts';

/** What every message says about its sender. */
export interface Sender {
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
}

/** Our names and codes are short; anything longer came from elsewhere and is truncated. */
const LONGEST_TEXT = 256;
const KINDS: Record<SpanKind, number> = { internal: 1, client: 3, consumer: 5 };
const FAILED = 2;
const CUMULATIVE = 2;

/** Written as text directly: encoding is most of the cost of telemetry. */
export function encodeSpans(spans: readonly EndedSpan[], sender: Sender): string {
  const resource = JSON.stringify(resourceOf(sender));
  const scope = JSON.stringify(scopeOf(sender));
  const written = spans.map(spanText).join();
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":${scope},"spans":[${written}]}]}]}`;
}

export function encodeMetrics(metrics: readonly MetricPoints[], sender: Sender): string {
  const scopeMetrics = [{ scope: scopeOf(sender), metrics: metrics.map(encodeMetric) }];
  return JSON.stringify({ resourceMetrics: [{ resource: resourceOf(sender), scopeMetrics }] });
}

function spanText(span: EndedSpan): string {
  const { traceId, spanId, parentId, kind, error } = span;
  const parent = parentId === undefined ? '' : `"parentSpanId":"${parentId}",`;
  const begun = nanoseconds(span.begunAt);
  const ended = nanoseconds(span.endedAt);
  let attributes = error === undefined ? '' : attributeText('error.type', error);
  for (const key in span.attributes) {
    const value = span.attributes[key];
    if (value !== undefined) attributes += `${attributes === '' ? '' : ','}${attributeText(key, value)}`;
  }
  const status = error === undefined ? '{}' : `{"code":${FAILED}}`;
  return (
    `{"traceId":"${traceId}","spanId":"${spanId}",${parent}"name":${JSON.stringify(cut(span.name))},"kind":${KINDS[kind]},` +
    `"startTimeUnixNano":"${begun}","endTimeUnixNano":"${ended}","attributes":[${attributes}],"status":${status}}`
  );
}

/** The keys are few and all our own, so they are cached. */
const keyTexts = new Map<string, string>();

function attributeText(key: string, value: Attribute): string {
  let start = keyTexts.get(key);
  if (start === undefined) {
    start = `{"key":${JSON.stringify(key)},"value":`;
    keyTexts.set(key, start);
  }
  return typeof value === 'string'
    ? `${start}{"stringValue":${JSON.stringify(cut(value))}}}`
    : `${start}${JSON.stringify(anyValue(value))}}`;
}

function encodeMetric({ metric: { kind, name, unit, about }, points }: MetricPoints) {
  const described = { name, unit, description: about };
  switch (kind) {
    case 'gauge':
      return { ...described, gauge: { dataPoints: points.map(numberPoint) } };
    case 'counter':
      return {
        ...described,
        sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints: points.map(numberPoint) },
      };
    case 'histogram':
      return {
        ...described,
        histogram: { aggregationTemporality: CUMULATIVE, dataPoints: points.map(histogramPoint) },
      };
  }
}

function numberPoint(point: Point) {
  return { ...placeOf(point), asDouble: point.sum };
}

function histogramPoint(point: Point) {
  const { sum, min, max, count, buckets } = point;
  return {
    ...placeOf(point),
    count: String(count),
    sum,
    min,
    max,
    explicitBounds: BOUNDS,
    bucketCounts: buckets.map(String),
  };
}

function placeOf({ attributes, since, at }: Point) {
  return {
    attributes: attributesOf(attributes),
    startTimeUnixNano: nanoseconds(since),
    timeUnixNano: nanoseconds(at),
  };
}

function scopeOf({ version }: Sender) {
  return { name: 'skillwright', version };
}

function resourceOf({ resource }: Sender) {
  return { attributes: attributesOf(resource) };
}

function attributesOf(attributes: Readonly<Record<string, Attribute | undefined>>) {
  const written = [];
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) written.push({ key, value: anyValue(value) });
  }
  return written;
}

function anyValue(value: Attribute): Record<string, unknown> {
  switch (typeof value) {
    case 'string':
      return { stringValue: cut(value) };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      return { arrayValue: { values: value.map((one) => ({ stringValue: cut(one) })) } };
  }
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : text.slice(0, LONGEST_TEXT).toWellFormed();
}

/** A double of milliseconds since 1970 cannot hold nanoseconds. */
function nanoseconds(milliseconds: number): string {
  const micros = Math.round((milliseconds % 1) * 1000);
  return `${Math.floor(milliseconds) * 1000 + micros}000`;
}
