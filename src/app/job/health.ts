// How well `start` is: the queue, the trust of the folder, and every schedule that cannot run.
import type { Language } from '../../base/language.ts';
import type { Health } from '../../jobs/health.ts';
import type { ScheduleTrouble } from '../../jobs/trouble.ts';
import type { Queue } from '../../store/queue.ts';
import type { Runtime } from '../runtime.ts';
import { findTroubles } from './trouble.ts';

export type TroubleWatch = () => Promise<readonly ScheduleTrouble[]>;

const FRESH_MS = 2_000;

/** Probes may come often, and looking reads roles, files and grants. */
export function watchTroubles(
  runtime: Runtime,
  queue: Queue,
  { labels, trust }: { readonly labels: readonly string[]; readonly trust: () => boolean },
): TroubleWatch {
  let known: { readonly found: Promise<readonly ScheduleTrouble[]>; readonly at: number } | undefined;
  return () => {
    if (!known || performance.now() - known.at >= FRESH_MS)
      known = { found: findTroubles(runtime, queue, { labels, isTrusted: trust() }), at: performance.now() };
    return known.found;
  };
}

export interface Serving {
  readonly isTrusted: boolean;
  readonly running: number;
  readonly language: Language;
}

export async function describeHealth(
  queue: Queue,
  troubles: TroubleWatch,
  { isTrusted, running, language }: Serving,
): Promise<Health> {
  const [{ counts, oldestDueMs, paused }, found] = [await queue.stats(), await troubles()];
  const schedules = found.map(({ schedule, kind, says, command }) => ({
    schedule,
    kind,
    reason: says[language],
    command,
  }));
  const status = !isTrusted ? 'unwell' : schedules.length > 0 ? 'degraded' : 'ok';
  return {
    status,
    facts: { trusted: isTrusted, running, paused, jobs: counts, oldest_due_ms: oldestDueMs, schedules },
  };
}
