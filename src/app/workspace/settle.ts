// What becomes of the changes of a run when it ends: applied, thrown away, or kept until somebody decides.
import { Fault } from '../../base/errors.ts';
import { removeTree } from '../../base/files.ts';
import type { ChangeSet, FileChange } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Runtime } from '../runtime.ts';
import { type ApplyOrder, applyChanges } from './apply.ts';
import type { Judged } from './judge.ts';
import { judgeLayer } from './judge-layer.ts';
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

/** All that needs no question of its own; nothing now; or these paths, `guarded` ones where a person was asked about them. */
export type ChangesAnswer = 'yes' | 'no' | { readonly only: readonly string[]; readonly guarded?: boolean };

export interface Settling {
  readonly run: string;
  readonly apply: ApplyChoice;
  /** Whether the call did what it should: what a failed one left is kept for a person to look at. */
  readonly wentWell: boolean;
  readonly yes: boolean;
  /** Shows a person the changes; absent where nobody is there. */
  readonly ask?: ((shown: ShownChanges) => Promise<ChangesAnswer>) | undefined;
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
  const judged = judgeLayer(set, layer, runtime);
  const wanted = wantedOf(await answerTo(settling, { run, set, judged, project: runtime.project, layer }));
  if (!wanted) return { run, digest, applied: [], waiting: judged };
  return { run, digest, ...applyOrWait({ run, digest, ...wanted }, judged, layer, runtime) };
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

async function answerTo({ apply, wentWell, yes, ask }: Settling, shown: ShownChanges): Promise<ChangesAnswer> {
  if (apply === 'never') return 'no';
  if (apply === 'always') return 'yes';
  if (yes) return wentWell ? 'yes' : 'no';
  return (await ask?.(shown)) ?? 'no';
}

/** What an answer lets be applied; undefined for nothing. */
export function wantedOf(answer: ChangesAnswer): Pick<ApplyOrder, 'only' | 'guarded'> | undefined {
  if (answer === 'no') return undefined;
  return answer === 'yes' ? { guarded: false } : { only: answer.only, guarded: answer.guarded ?? false };
}
