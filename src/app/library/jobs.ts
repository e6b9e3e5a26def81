// Jobs of a project from code: run now, looked at, changed, and worked on until a signal says so.
import type { Job } from '../../store/queue.ts';
import { carryOut } from './carry-out.ts';
import type { Handle } from './handle.ts';
import { modelOrder } from './model.ts';
import { jsonParams, plainCopy } from './perform.ts';
import type { JobInfo, JobOptions, JobResult, Jobs } from './public/jobs.ts';
import type { CallOutcome } from './public/outcome.ts';
import type { Params } from './public/result.ts';
import { requireText } from './wrong-use.ts';

const LISTED = 50;
const WORKERS = 2;
/** What is under way when the signal comes has this long to end. */
const DRAIN_MS = 60_000;

export function jobsOf(handle: Handle): Jobs {
  const { list, schedules, show } = lookingAt(handle);
  const { cancel, retry, enable, disable, work } = changing(handle);
  return {
    ...{ list, schedules, show, cancel, retry, enable, disable, work },
    run: (...asked) => runJob(handle, ...asked),
  };
}

function lookingAt(handle: Handle): Pick<Jobs, 'list' | 'schedules' | 'show'> {
  return {
    async list(wish = {}) {
      const runtime = handle.begin();
      const { listJobs } = await import('../job/look.ts');
      return (await handle.track(listJobs({ limit: LISTED, ...wish }, runtime))).map(describe);
    },
    async schedules() {
      const runtime = handle.begin();
      const { listSchedules } = await import('../job/schedule.ts');
      const { schedules } = await handle.track(listSchedules(runtime));
      return schedules.map(({ schedule, does, state, next, troubles }) => ({
        ...{ id: schedule.id, does, state, next: isoTime(next) },
        troubles: troubles.map(({ says }) => says[runtime.language]),
      }));
    },
    async show(id) {
      const runtime = handle.begin();
      const { showJob } = await import('../job/look.ts');
      return describe((await handle.track(showJob(id, runtime))).job);
    },
  };
}

function changing(handle: Handle): Pick<Jobs, 'cancel' | 'retry' | 'enable' | 'disable' | 'work'> {
  return {
    async cancel(id) {
      const runtime = handle.begin();
      const { cancelJob } = await import('../job/look.ts');
      return String((await handle.track(cancelJob(id, runtime))).answer);
    },
    async retry(id) {
      const runtime = handle.begin();
      const { retryJob } = await import('../job/look.ts');
      return String((await handle.track(retryJob(id, runtime))).answer);
    },
    async enable(schedule) {
      const runtime = handle.begin();
      const { enableSchedule } = await import('../job/schedule.ts');
      await handle.track(enableSchedule(schedule, runtime));
    },
    async disable(schedule, reason = '') {
      const runtime = handle.begin();
      const { disableSchedule } = await import('../job/schedule.ts');
      await handle.track(disableSchedule(schedule, reason, runtime));
    },
    async work({ signal, workers = WORKERS, labels, onLog }) {
      const runtime = handle.begin();
      const { startJobs } = await import('../job/start.ts');
      const stop = handle.signalFor(signal);
      const order = {
        workers,
        labels: labels ?? runtime.config.labels,
        stop,
        abort: handle.signalFor(undefined),
        drainMs: DRAIN_MS,
      };
      const log = (event: string, facts: Readonly<Record<string, unknown>> = {}) => onLog?.(event, facts);
      const model = await modelOrder(handle.model, runtime);
      return await handle.track(startJobs(runtime, { ...order, log, ...model }));
    },
  };
}

async function runJob(
  handle: Handle,
  target: string,
  action?: string,
  params: Params = {},
  options: JobOptions = {},
): Promise<CallOutcome<JobResult>> {
  requireText('target', target);
  const written = { given: jsonParams(params), written: new Map<string, string>() };
  const { key, retries = 0, detach = false, labels = [], timeout, signal } = options;
  return await carryOut<JobResult>(
    handle,
    options,
    () => NO_JOB,
    async (runtime) => {
      const { runJobNow } = await import('../job/run-now.ts');
      const request = action === undefined ? target : `${target} ${action}`;
      const wish = { request, target, action, params: written, retries, labels, key, detach, pin: false, yes: false };
      const limits = { timeoutMs: timeout === undefined ? undefined : timeout * 1000 };
      const model = await modelOrder(handle.model, runtime);
      const stop = handle.signalFor(signal);
      const { outcome } = await runJobNow({ ...wish, ...limits, ...model }, (work) => work(stop), runtime);
      const { job, job_state: state } = outcome.data;
      const data = plainCopy(outcome.product?.reply?.data);
      const found = typeof job === 'string' && { found: { result: { jobId: job, state: String(state), data } } };
      return { outcome, ...found };
    },
  );
}

const NO_JOB: JobResult = { jobId: '', state: '', data: null };

function describe(job: Job): JobInfo {
  const { id, target, role, state, attempt, schedule, run, reason } = job;
  return {
    ...{ id, target, role: role === '' ? null : role, state, attempts: attempt },
    created: new Date(job.createdAt).toISOString(),
    ...{ started: isoTime(job.startedAt), ended: isoTime(job.endedAt) },
    ...{ schedule: schedule ?? null, runId: run ?? null, reason: reason ?? null },
  };
}

function isoTime(moment: number | undefined): string | null {
  return moment === undefined || !Number.isFinite(moment) ? null : new Date(moment).toISOString();
}
