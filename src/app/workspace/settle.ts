// What becomes of the changes of a run when it ends: applied, thrown away, or kept until somebody decides.
import { Fault } from '../../base/errors.ts';
import { removeTree } from '../../base/files.ts';
import type { ChangeSet, FileChange } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Runtime } from '../runtime.ts';
import { type ApplyOrder, applyChanges } from './apply.ts';
import { guardedOf } from './guarded.ts';
import { type Judged, judgeChanges } from './judge.ts';
import { layerPlace } from './place.ts';

export const APPLY_CHOICES = ['ask', 'always', 'never'] as const;
export type ApplyChoice = (typeof APPLY_CHOICES)[number];

export interface ShownChanges {
  readonly run: string;
  readonly set: ChangeSet;
  readonly judged: readonly Judged[];
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
  if (!settled || settled.waiting.length === 0) removeTree(layerPlace(runtime, settling.run).folder);
  return settled;
}

async function decideAbout(settling: Settling, layer: ProjectLayer, runtime: Runtime): Promise<Settled | undefined> {
  const { run } = settling;
  const set = layer.changes();
  const { digest } = set;
  if (set.changes.length === 0) return undefined;
  const judged = judgeChanges(set.changes, layer.names, guardedOf(runtime));
  const isYes = await isWanted(settling, { run, set, judged, project: runtime.project, layer });
  if (!isYes) return { run, digest, applied: [], waiting: judged };
  return { run, digest, ...applyOrWait({ run, digest, guarded: false }, judged, layer, runtime) };
}

/** Where the project has changed meanwhile nothing is lost: everything waits, and the conflict is told. */
function applyOrWait(
  order: ApplyOrder,
  judged: readonly Judged[],
  layer: ProjectLayer,
  runtime: Runtime,
): Pick<Settled, 'applied' | 'waiting' | 'conflict'> {
  try {
    const { changes: applied, left: waiting } = applyChanges(order, layer, runtime);
    return { applied, waiting };
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
