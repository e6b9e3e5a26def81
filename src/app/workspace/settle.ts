// What becomes of the changes of a run when it ends: applied, thrown away, or kept until somebody decides.
import { Fault } from '../../base/errors.ts';
import { removeTree } from '../../base/files.ts';
import type { ChangeSet, FileChange } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Runtime } from '../runtime.ts';
import { type ApplyOrder, applyChanges } from './apply.ts';
import { type RunCommits, withCommits, withoutExplained } from './commits.ts';
import { guardedOf } from './guarded.ts';
import { type Judged, judgeChanges } from './judge.ts';
import { layerPlace } from './place.ts';

export const APPLY_CHOICES = ['ask', 'always', 'never'] as const;
export type ApplyChoice = (typeof APPLY_CHOICES)[number];

export interface ShownChanges {
  readonly run: string;
  readonly set: ChangeSet;
  readonly judged: readonly Judged[];
  readonly commits: RunCommits | undefined;
  readonly project: string;
  readonly layer: Pick<ProjectLayer, 'content'>;
}

export interface Settling {
  readonly run: string;
  readonly apply: ApplyChoice;
  /** Whether the call did what it should: what a failed one left is kept for a person to look at. */
  readonly wentWell: boolean;
  readonly yes: boolean;
  /** Shows a person the changes; absent where nobody is there. */
  readonly ask?: ((shown: ShownChanges) => Promise<'yes' | 'no'>) | undefined;
}

export interface Settled {
  readonly run: string;
  readonly digest: ChangeSet['digest'];
  readonly applied: readonly FileChange[];
  /** Kept in the layer; `skillwright runs apply` decides about them. */
  readonly waiting: readonly Judged[];
  /** The commits of the run, and whether they were taken now. */
  readonly commits?: RunCommits | undefined;
  readonly tookCommits?: boolean;
  /** Why nothing was applied though it was wanted. */
  readonly conflict?: Fault;
}

/** Undefined where nothing was changed. Nothing is mounted afterwards. */
export async function settleChanges(
  settling: Settling,
  workspace: Workspace,
  runtime: Runtime,
): Promise<Settled | undefined> {
  if (!workspace.isOpen()) return undefined;
  const layer = await workspace.open((await runtime.sandbox()).layers);
  const settled = await decideAbout(settling, layer, runtime).finally(() => workspace.close());
  if (!settled || !isWaiting(settled)) removeTree(layerPlace(runtime, settling.run).folder);
  return settled;
}

/** Whether anything of a run is left to be decided about. */
export function isWaiting({
  waiting,
  commits,
  tookCommits,
}: Pick<Settled, 'waiting' | 'commits' | 'tookCommits'>): boolean {
  return waiting.length > 0 || (commits?.state === 'made' && !tookCommits);
}

async function decideAbout(settling: Settling, layer: ProjectLayer, runtime: Runtime): Promise<Settled | undefined> {
  const { run } = settling;
  const set = layer.changes();
  const { digest } = set;
  if (set.changes.length === 0) return undefined;
  return await withCommits({ run, set, layer }, runtime, async (commits) => {
    const judged = withoutExplained(judgeChanges(set.changes, layer.names, guardedOf(runtime)), commits);
    const isYes = await isWanted(settling, { run, set, judged, commits, project: runtime.project, layer });
    if (!isYes) return { run, digest, applied: [], waiting: judged, commits };
    return { run, digest, commits, ...applyOrWait({ run, digest, guarded: false, commits }, judged, layer, runtime) };
  });
}

/** Where the project has changed meanwhile nothing is lost: everything waits, and the conflict is told. */
function applyOrWait(
  order: ApplyOrder,
  judged: readonly Judged[],
  layer: ProjectLayer,
  runtime: Runtime,
): Pick<Settled, 'applied' | 'waiting' | 'conflict' | 'tookCommits'> {
  try {
    const { changes: applied, left: waiting, commits } = applyChanges(order, layer, runtime);
    return { applied, waiting, tookCommits: commits !== undefined };
  } catch (error) {
    if (!(error instanceof Fault) || error.type !== 'Conflict') throw error;
    return { applied: [], waiting: judged, conflict: error };
  }
}

async function isWanted({ apply, wentWell, yes, ask }: Settling, shown: ShownChanges): Promise<boolean> {
  if (apply === 'never') return false;
  if (apply === 'always') return true;
  if (yes) return wentWell;
  return (await ask?.(shown)) === 'yes';
}
