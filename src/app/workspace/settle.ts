// What becomes of the changes of a run when it ends: applied, thrown away, or kept until somebody decides.
import { Fault } from '../../base/errors.ts';
import { reaches, type WriteReach } from '../../policy/grant/write-reach.ts';
import type { ChangeSet, FileChange } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import { dropLayer } from '../../workspace/spare.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Runtime } from '../runtime.ts';
import { type ApplyOrder, applyChanges } from './apply.ts';
import type { ApplyChoice } from './apply-choice.ts';
import { type RunCommits, withCommits, withoutExplained } from './commits.ts';
import type { Judged } from './judge.ts';
import { judgeLayer } from './judge-layer.ts';
import { layerPlace } from './place.ts';

export interface ShownChanges {
  readonly run: string;
  readonly set: ChangeSet;
  readonly judged: readonly Judged[];
  readonly commits: RunCommits | undefined;
  readonly project: string;
  readonly layer: Pick<ProjectLayer, 'content' | 'holds'>;
}

/** All that needs no question of its own; nothing now; or these paths, `guarded` ones where a person was asked about them. */
export type ChangesAnswer =
  | 'yes'
  | 'no'
  | { readonly only: readonly string[]; readonly guarded?: boolean; readonly takesCommits?: boolean };

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
  readonly ask?: ((shown: ShownChanges) => Promise<ChangesAnswer>) | undefined;
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
  if (!workspace.isMade()) return undefined;
  const layer = await workspace.open((await runtime.sandbox()).layers);
  const settled = await decideAbout(settling, layer, runtime).finally(() => workspace.close());
  if (!settled || !isWaiting(settled)) dropLayer(layerPlace(runtime, settling.run));
  return settled;
}

/** Whether anything of a run is left to be decided about; what is never applied is not. */
export function isWaiting({
  waiting,
  commits,
  tookCommits,
}: Pick<Settled, 'waiting' | 'commits' | 'tookCommits'>): boolean {
  return waiting.some(({ verdict }) => verdict !== 'refused') || (commits?.state === 'made' && !tookCommits);
}

/** What was tried out only is thrown away. */
export async function dropChanges(
  door: { readonly workspace: Workspace; begin(): { readonly id: string } },
  runtime: Runtime,
): Promise<void> {
  if (!door.workspace.isMade()) return;
  await door.workspace.close();
  dropLayer(layerPlace(runtime, door.begin().id));
}

async function decideAbout(settling: Settling, layer: ProjectLayer, runtime: Runtime): Promise<Settled | undefined> {
  if (layer.isTooMuch()) return undefined;
  const { run } = settling;
  const set = layer.changes();
  const { digest } = set;
  if (set.changes.length === 0) return undefined;
  return await withCommits({ run, set, layer }, runtime, async (commits) => {
    const judged = withoutExplained(judgeLayer(set, layer, runtime), commits);
    const allowed =
      settling.apply === 'never' ? [] : judged.filter(isAllowedIn(layer)).map(({ change }) => change.path);
    const open = judged.filter(({ change }) => !allowed.includes(change.path));
    const shown = { run, set, judged: open, commits, project: runtime.project, layer };
    const answer = isWaiting({ waiting: open, commits }) ? await answerTo(settling, shown, layer.permitted()) : 'no';
    const wanted = withAllowed(wantedOf(answer), allowed);
    if (!wanted) return { run, digest, applied: [], waiting: judged, commits };
    return { run, digest, commits, ...applyOrWait({ run, digest, commits, ...wanted }, judged, layer, runtime) };
  });
}

/** What was allowed file by file goes along, whatever becomes of the rest. */
function withAllowed(wanted: Wanted | undefined, allowed: readonly string[]): Wanted | undefined {
  if (allowed.length === 0) return wanted;
  if (!wanted) return { only: allowed, guarded: new Set(allowed) };
  const { only, guarded } = wanted;
  return {
    ...wanted,
    ...(only && { only: [...only, ...allowed] }),
    guarded: guarded === true ? new Set([...(only ?? []), ...allowed]) : new Set(allowed),
  };
}

/** What other tools obey only where that was said; that it holds a variable was not. */
function isAllowedIn(layer: ProjectLayer): (judged: Judged) => boolean {
  return ({ change, verdict }) => {
    const allowed = layer.holds(change).length > 0 ? undefined : layer.allowed(change);
    return allowed !== undefined && (verdict === 'plain' || (verdict === 'guarded' && allowed.obeyed));
  };
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

/** Whoever is there is asked about all of it; a grant counts where nobody is. */
async function answerTo(
  { apply, wentWell, yes, ask }: Settling,
  shown: ShownChanges,
  permitted: WriteReach,
): Promise<ChangesAnswer> {
  if (apply === 'never') return 'no';
  if (apply === 'always') return 'yes';
  if (wentWell && (yes || permitted === true)) return 'yes';
  if (yes) return 'no';
  const paths = shown.judged.map(({ change }) => change.path);
  const only = wentWell ? paths.filter((path) => reaches(permitted, path)) : [];
  if (ask && (paths.length === 0 || only.length < paths.length)) return await ask(shown);
  return only.length > 0 ? { only } : 'no';
}

type Wanted = Pick<ApplyOrder, 'only' | 'guarded' | 'takesCommits'>;

/** What an answer lets be applied; undefined for nothing. */
export function wantedOf(answer: ChangesAnswer): Wanted | undefined {
  if (answer === 'no') return undefined;
  return answer === 'yes' ? { guarded: false } : { guarded: false, ...answer };
}
