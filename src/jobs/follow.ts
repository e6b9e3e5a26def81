// Telemetry of jobs: one span for each attempt, and for long-running workers also metrics of how jobs end.
import type { Telemetry } from '../base/telemetry.ts';
import type { ClaimedJob } from '../store/queue.ts';
import { JOB_METRICS } from './metric.ts';
import { nameSkill, payloadIfOurs } from './payload.ts';
import type { Followed, Left } from './worker.ts';

/** A child of the span that queued it. */
export function traceJob(job: ClaimedJob, telemetry: Telemetry): Followed {
  const { name, attributes } = describe(job);
  const span = telemetry.below(job.traceparent).begin(name, attributes, 'consumer');
  return {
    span,
    left(how) {
      span.set({ 'skillwright.job.left': how });
      span.end(isFailure(how) ? how : undefined);
    },
  };
}

export function measureJob(job: ClaimedJob, telemetry: Telemetry, now: () => number): Followed {
  const { span, left } = traceJob(job, telemetry);
  const skill = { 'skillwright.skill.name': skillOf(job) };
  const begunAt = now();
  telemetry.measure(JOB_METRICS.startLatency, Math.max(0, begunAt - job.dueAt) / 1000, skill);
  return {
    span,
    left(how) {
      left(how);
      telemetry.measure(JOB_METRICS.duration, (now() - begunAt) / 1000, { ...skill, 'skillwright.job.left': how });
      if (how === 'retrying') telemetry.measure(JOB_METRICS.retries, 1, skill);
      if (how === 'lost') telemetry.measure(JOB_METRICS.leaseLosses, 1, skill);
    },
  };
}

function describe(job: ClaimedJob) {
  const target = payloadIfOurs(job.payload);
  const isAction = target !== undefined && 'skill' in target;
  return {
    name: isAction ? `job ${nameSkill(job.role, target.skill)} ${target.action}`.trimEnd() : `job ${job.role}`,
    attributes: {
      'skillwright.job.id': job.id,
      'skillwright.job.attempt': job.attempt,
      'skillwright.job.schedule': job.schedule,
      'skillwright.role': job.role,
      'skillwright.skill.name': skillOf(job),
      'skillwright.action': isAction ? target.action : undefined,
    },
  };
}

/** The text of a prompt is not reported. */
function skillOf(job: ClaimedJob): string {
  const target = payloadIfOurs(job.payload);
  return target && 'skill' in target ? nameSkill(job.role, target.skill) : `${job.role} (prompt)`;
}

function isFailure(how: Left): boolean {
  return how === 'failed' || how === 'retrying' || how === 'lost';
}
