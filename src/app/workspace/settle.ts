// What becomes of the changes of a run when it ends: applied, thrown away, or kept until somebody decides.
import { Fault } from '../../base/errors.ts';
import { removeTree } from '../../base/files.ts';
import { reaches, type WriteReach } from '../../policy/grant/write-reach.ts';
import type { ChangeSet, FileChange } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Runtime } from '../runtime.ts';
import { type ApplyOrder, applyChanges } from './apply.ts';
import type { ApplyChoice } from './apply-choice.ts';
import { guardedOf } from './guarded.ts';
import { type Judged, judgeChanges } from './judge.ts';
import { layerPlace } from './place.ts';

export interface ShownChanges {
  readonly run: string;
  readonly set: ChangeSet;
  readonly judged: readonly Judged[];
  readonly project: string;
  readonly layer: Pick<ProjectLayer, 'content'>;
}

/** What whoever calls wants to become of the changes. */
export interface ChangeWishes {
  /** Asked about unless told otherwise. */
  readonly apply?: ApplyChoice;
  readonly askChanges?: Settling['ask'];
  /** Told what became of them. */
  readonly onSettled?: (changes: Settled) => Promise<void>;
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
  if (!workspace.isMade()) return undefined;
  const layer = await workspace.open((await runtime.sandbox()).layers);
  const settled = await decideAbout(settling, layer, runtime).finally(() => workspace.close());
  if (!settled || !canDecide(settled)) removeTree(layerPlace(runtime, settling.run).folder);
  return settled;
}

/** Whether anything waits that can be applied at all. */
export function canDecide({ waiting }: Settled): boolean {
  return waiting.some(({ verdict }) => verdict !== 'refused');
}

/** What was tried out only is thrown away. */
export async function dropChanges(
  door: { readonly workspace: Workspace; begin(): { readonly id: string } },
  runtime: Runtime,
): Promise<void> {
  if (!door.workspace.isMade()) return;
  await door.workspace.close();
  removeTree(layerPlace(runtime, door.begin().id).folder);
}

async function decideAbout(settling: Settling, layer: ProjectLayer, runtime: Runtime): Promise<Settled | undefined> {
  const { run } = settling;
  const set = layer.changes();
  const { digest } = set;
  if (set.changes.length === 0) return undefined;
  const judged = judgeChanges(set.changes, layer.names, guardedOf(runtime));
  const allowed = new Set(
    settling.apply === 'never' ? [] : judged.filter(isAllowedIn(layer)).map(({ change }) => change.path),
  );
  const open = judged.filter(({ change }) => !allowed.has(change.path));
  const shown = { run, set, judged: open, project: runtime.project, layer };
  const only = open.length === 0 ? [] : await wanted(settling, shown, layer.permitted());
  if (only !== 'all' && only.length + allowed.size === 0) return { run, digest, applied: [], waiting: judged };
  const order = {
    run,
    digest,
    guarded: allowed,
    ...(only !== 'all' && { only: [...only, ...allowed], exactly: true }),
  };
  return { run, digest, ...applyOrWait(order, judged, layer, runtime) };
}

/** What other tools obey only where that was said. */
function isAllowedIn(layer: ProjectLayer): (judged: Judged) => boolean {
  return ({ change, verdict }) => {
    const allowed = layer.allowed(change);
    return allowed !== undefined && (verdict === 'plain' || (verdict === 'guarded' && allowed.obeyed));
  };
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

/** Whoever is there is asked about all of it; a grant counts where nobody is. */
async function wanted(
  { apply, wentWell, yes, ask }: Settling,
  shown: ShownChanges,
  permitted: WriteReach,
): Promise<'all' | readonly string[]> {
  if (apply === 'never') return [];
  if (apply === 'always') return 'all';
  if (wentWell && (yes || permitted === true)) return 'all';
  const paths = shown.judged.map(({ change }) => change.path);
  const granted = wentWell ? paths.filter((path) => reaches(permitted, path)) : [];
  if (granted.length === paths.length || !ask) return granted;
  return (await ask(shown)) === 'yes' ? 'all' : [];
}
