// Aggregates measurements from the start of the process on; beyond a cardinality limit they share one overflow point.
import type { Attributes, Measurement, Metric } from '../base/telemetry.ts';

export interface Point {
  readonly attributes: Attributes;
  /** Milliseconds since 1970. */
  readonly since: number;
  at: number;
  count: number;
  sum: number;
  min: number;
  max: number;
  /** One more than there are bounds. */
  readonly buckets: number[];
}

export interface MetricPoints {
  readonly metric: Metric;
  readonly points: readonly Point[];
}

export interface Meter {
  measure(...measurement: Measurement): void;
  /** All totals so far, with the current gauges. */
  collect(gauges: readonly Measurement[]): MetricPoints[];
}

/** Seconds, from a message in memory to an hour. */
export const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600] as const;
/** The cardinality limit: attribute sets per metric. */
const MOST_POINTS = 1_000;
const REST: Attributes = { 'otel.metric.overflow': true };

export function createMeter(now: () => number): Meter {
  const kept = new Map<Metric, Map<string, Point>>();
  const since = now();
  return {
    measure: (...measurement) => add(kept, measurement, since, now()),
    collect(gauges) {
      const all = new Map(kept);
      for (const gauge of gauges) add(all, gauge, since, now());
      return [...all].map(([metric, points]) => ({ metric, points: [...points.values()] }));
    },
  };
}

function add(metrics: Map<Metric, Map<string, Point>>, measurement: Measurement, since: number, at: number): void {
  const [metric, value, attributes = {}] = measurement;
  if (!Number.isFinite(value)) return;
  const points = metrics.get(metric) ?? new Map<string, Point>();
  metrics.set(metric, points);
  const point = pointOf(points, attributes, since, at);
  point.at = at;
  point.count++;
  point.sum = metric.kind === 'gauge' ? value : point.sum + value;
  point.min = Math.min(point.min, value);
  point.max = Math.max(point.max, value);
  if (metric.kind === 'histogram') {
    const bucket = BOUNDS.findIndex((bound) => value <= bound);
    const index = bucket === -1 ? BOUNDS.length : bucket;
    point.buckets[index] = (point.buckets[index] ?? 0) + 1;
  }
}

function pointOf(points: Map<string, Point>, attributes: Attributes, since: number, at: number): Point {
  const key = JSON.stringify(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)));
  const known = points.get(key);
  if (known) return known;
  if (points.size >= MOST_POINTS && attributes !== REST) return pointOf(points, REST, since, at);
  const buckets = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  const point = { attributes, since, at, count: 0, sum: 0, min: Infinity, max: -Infinity, buckets };
  points.set(key, point);
  return point;
}
