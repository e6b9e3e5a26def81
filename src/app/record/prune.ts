// Throws old records away, by age or by number; much at once is asked about.
import { pruneRuns } from '../../audit/run-archive.ts';
import { DAY_MS } from '../../base/text/duration.ts';
import { findRuns } from '../find-run.ts';
import type { Runtime } from '../runtime.ts';
import { forgetChanges } from '../workspace/stored-layer.ts';

// Older than this is every run, also one that began this very second.
const EVERY_AGE = -DAY_MS;
// More than this at once, chosen by whoever asks, needs a yes.
const UNASKED = 5;

export interface PruneOrder {
  /** Runs older than this; as the settings say where neither this nor `keep` is given. */
  readonly olderThanMs?: number | undefined;
  /** Keep the latest of them; alone, all others go. */
  readonly keep?: number | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** Asks a person whether so many runs may go; without it nobody can be asked. */
  readonly ask?: ((count: number) => Promise<boolean>) | undefined;
}

export interface PrunedRuns extends ReturnType<typeof pruneRuns> {
  /** `undecided`: nobody could be asked; like `refused` and `planned` it has removed nothing. */
  readonly ended: 'pruned' | 'planned' | 'refused' | 'undecided';
  /** How many are left, or would be. */
  readonly kept: number;
}

export async function pruneRecords(order: PruneOrder, runtime: Runtime): Promise<PrunedRuns> {
  runtime.requireConfig();
  const { project, home } = runtime;
  // Refuses a linked folder before anything is removed.
  const all = findRuns(project);
  const plan = planOf(order, runtime);
  const planned = pruneRuns(project, home, { ...plan, isTrial: true });
  const kept = all.length - planned.removed.length;
  if (order.dryRun) return { ...planned, ended: 'planned', kept };
  const answer = await decide(planned.removed.length, order);
  if (answer !== 'yes') return { ...planned, ended: answer, kept };
  const pruned = pruneRuns(project, home, plan);
  for (const run of pruned.removed) forgetChanges(run, runtime);
  return { ...pruned, ended: 'pruned', kept: findRuns(project).length };
}

/** What the settings remove was decided once; what somebody chose is asked about, when it is much. */
async function decide(count: number, order: PruneOrder): Promise<'yes' | 'refused' | 'undecided'> {
  const isChosen = order.keep !== undefined || order.olderThanMs !== undefined;
  if (!isChosen || count <= UNASKED || order.yes) return 'yes';
  if (!order.ask) return 'undecided';
  return (await order.ask(count)) ? 'yes' : 'refused';
}

function planOf({ olderThanMs, keep }: PruneOrder, { clock, config }: Runtime) {
  const { runsDays, observationsDays } = config.retention;
  const byNumber = keep === undefined ? runsDays * DAY_MS : EVERY_AGE;
  return {
    now: clock.now(),
    runsMs: olderThanMs ?? byNumber,
    observationsMs: observationsDays * DAY_MS,
    keep: keep ?? 0,
  };
}
