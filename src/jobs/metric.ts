// Metrics of a project's jobs for operators: how many wait and for how long, and how they end.
import type { Measurement, Metric } from '../base/telemetry.ts';
import type { QueueStats } from '../store/queue.ts';
import { type ScheduleTrouble, TROUBLE_KINDS } from './trouble.ts';

export const JOB_METRICS = {
  depth: {
    kind: 'gauge',
    name: 'skillwright.queue.depth',
    unit: '{job}',
    about: 'Jobs that have not started yet, due now or later.',
  },
  oldest: {
    kind: 'gauge',
    name: 'skillwright.queue.oldest_due_age',
    unit: 's',
    about: 'How long the oldest job that could run has been waiting.',
  },
  jobs: { kind: 'gauge', name: 'skillwright.queue.jobs', unit: '{job}', about: 'Jobs the queue remembers, by state.' },
  paused: { kind: 'gauge', name: 'skillwright.queue.paused', unit: '{flag}', about: '1 while the queue is paused.' },
  troubles: {
    kind: 'gauge',
    name: 'skillwright.schedule.troubles',
    unit: '{schedule}',
    about: 'Schedules that cannot run, or soon cannot, by what keeps them from it.',
  },
  startLatency: {
    kind: 'histogram',
    name: 'skillwright.job.start_latency',
    unit: 's',
    about: 'From the moment a job was due to its start.',
  },
  duration: { kind: 'histogram', name: 'skillwright.job.duration', unit: 's', about: 'How long an attempt took.' },
  retries: {
    kind: 'counter',
    name: 'skillwright.job.retries',
    unit: '{attempt}',
    about: 'Attempts that are made again.',
  },
  leaseLosses: {
    kind: 'counter',
    name: 'skillwright.job.lease_losses',
    unit: '{job}',
    about: 'Jobs whose lease was lost while they ran.',
  },
} as const satisfies Record<string, Metric>;

export function measureQueue({ counts, oldestDueMs, paused }: QueueStats): Measurement[] {
  const states = Object.entries(counts).map(
    ([state, count]): Measurement => [JOB_METRICS.jobs, count, { 'skillwright.job.state': state }],
  );
  return [
    [JOB_METRICS.depth, counts.queued],
    [JOB_METRICS.oldest, oldestDueMs / 1000],
    [JOB_METRICS.paused, paused ? 1 : 0],
    ...states,
  ];
}

/** Also what keeps none: an alert needs to see a zero. */
export function measureTroubles(troubles: readonly ScheduleTrouble[]): Measurement[] {
  return TROUBLE_KINDS.map((kind) => {
    const count = troubles.filter((one) => one.kind === kind).length;
    return [JOB_METRICS.troubles, count, { 'skillwright.schedule.trouble': kind }];
  });
}
