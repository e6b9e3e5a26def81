// Applies what a run changed to the project, all of it or some paths: one transaction, recorded in the owner's log.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { type ChangeSet, changeSetOf, type FileChange, foldersAbove } from '../../workspace/change.ts';
import { entryBelow } from '../../workspace/entry.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import { changedSince } from '../../workspace/transaction/commit.ts';
import { transact } from '../../workspace/transaction/transaction.ts';
import { recordOwn } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';
import { type MadeCommits, type RunCommits, withoutExplained } from './commits.ts';
import type { Judged } from './judge.ts';
import { judgeLayer } from './judge-layer.ts';
import { projectJournals } from './place.ts';

export interface ApplyOrder {
  readonly run: string;
  /** The set that was shown; another one is not applied. */
  readonly digest: ChangeSet['digest'];
  /** Exactly these paths, with the new folders they need; all where absent. */
  readonly only?: readonly string[];
  /** A person said yes to what other tools obey: to all of it, or to these paths. */
  readonly guarded: boolean | ReadonlySet<string>;
  /** Where the project has changed meanwhile: whose version counts. Without it nothing is applied then. */
  readonly keep?: KeptSide | undefined;
  /** Of the run. */
  readonly commits?: RunCommits | undefined;
  /** They are taken with everything; with chosen paths only where that is said. */
  readonly takesCommits?: boolean;
}

/** `mine`: the project as it is now. `theirs`: what the run has written. */
export const KEPT_SIDES = ['mine', 'theirs'] as const;
export type KeptSide = (typeof KEPT_SIDES)[number];

export interface Applied {
  readonly changes: readonly FileChange[];
  /** What stays in the layer. */
  readonly left: readonly Judged[];
  /** The commits that were taken. */
  readonly commits?: MadeCommits;
}

/** Throws a Fault, with nothing applied, where the set is another one or the project has changed. */
export function applyChanges(order: ApplyOrder, layer: ProjectLayer, runtime: Runtime): Applied {
  const set = layer.changes();
  if (set.digest !== order.digest) throw anotherSet();
  const judged = withoutExplained(judgeLayer(set, layer, runtime), order.commits);
  const chosen = resolveConflicts(chooseChanges(judged, order), judged, order, layer, runtime);
  const paths = new Set(chosen.map(({ path }) => path));
  const left = judged.filter(({ change }) => !paths.has(change.path));
  const commits = commitsToTake(order);
  const taking = commits?.plan.changes ?? [];
  if (chosen.length + taking.length === 0) return { changes: [], left };
  const { project } = runtime;
  const content = ({ path }: FileChange) => commits?.plan.content(path) ?? layer.content(path);
  const facts = { kind: 'apply', project, run: order.run, of: undefined } as const;
  const plan = { ...facts, changes: [...chosen, ...taking], content, now: runtime.clock.now() };
  const files = plan.changes.map(({ path }) => path);
  recordOwn(runtime, { command: 'runs apply', operation: order.run, files }, () =>
    transact(plan, projectJournals(runtime)),
  );
  if (left.length > 0) layer.applied(chosen);
  return { changes: chosen, left, ...(commits && { commits }) };
}

function commitsToTake({ commits, only, takesCommits = only === undefined }: ApplyOrder): MadeCommits | undefined {
  return takesCommits && commits?.state === 'made' ? commits : undefined;
}

/** Throws a Fault where the project has changed and nobody said whose version counts. */
function resolveConflicts(
  chosen: readonly FileChange[],
  judged: readonly Judged[],
  order: ApplyOrder,
  layer: ProjectLayer,
  { project }: Runtime,
): readonly FileChange[] {
  const changed = new Set([...layer.raced(chosen), ...changedSince(project, chosen)]);
  if (changed.size === 0) return chosen;
  if (order.keep === undefined) throw conflict([...changed].map(visible), order.run);
  if (order.keep === 'mine') {
    const isFolder = (path: string) => entryBelow(project, path)?.kind === 'folder';
    // Below what is no folder in the project nothing can be put.
    const isCutOff = ({ path }: FileChange) =>
      foldersAbove(path).some((above) => changed.has(above) && !isFolder(above));
    const below = chosen.filter(isCutOff).map(({ path }) => path);
    return chooseChanges(judged, { ...order, without: new Set([...changed, ...below]) });
  }
  return chosen.map((change) => (changed.has(change.path) ? ontoProject(change, project) : change));
}

/** The same result, from what is there now. */
function ontoProject({ path, after }: FileChange, project: string): FileChange {
  const before = entryBelow(project, path);
  return { path, ...(before && { before }), ...(after && { after }) };
}

function conflict(paths: readonly string[], run: string): Fault {
  return new Fault('Conflict', paths.join(', '), {
    details: { paths },
    hint: {
      en: `\`skillwright runs apply ${run} --keep mine\` keeps the project's version of these, \`--keep theirs\` takes the run's.`,
      zh: `\`skillwright runs apply ${run} --keep mine\` 保留项目中的版本，\`--keep theirs\` 采用运行的版本。`,
    },
  });
}

/** Only what may be applied, with the folders it needs; a folder goes only with everything that was in it. */
export function chooseChanges(
  judged: readonly Judged[],
  { only, guarded, without }: Pick<ApplyOrder, 'only' | 'guarded'> & { readonly without?: ReadonlySet<string> },
): FileChange[] {
  const named = only && new Set(only);
  const isNamed = ({ path }: FileChange) => (named?.has(path) ?? true) && !without?.has(path);
  const mayGuarded = ({ path }: FileChange) => (typeof guarded === 'boolean' ? guarded : guarded.has(path));
  const allowed = judged.flatMap(({ change, verdict }) =>
    isNamed(change) && (verdict === 'plain' || (verdict === 'guarded' && mayGuarded(change))) ? [change] : [],
  );
  const above = new Set(allowed.flatMap(({ path }) => foldersAbove(path)));
  const all = judged.map(({ change }) => change);
  const isMade = ({ path, before, after }: FileChange) =>
    after?.kind === 'folder' && before?.kind !== 'folder' && above.has(path) && !without?.has(path);
  const chosen = new Set([...allowed, ...all.filter(isMade)]);
  const held = new Set(all.filter((change) => !chosen.has(change)).flatMap(({ path }) => foldersAbove(path)));
  for (const change of chosen)
    if (change.before?.kind === 'folder' && change.after?.kind !== 'folder' && held.has(change.path))
      chosen.delete(change);
  return [...changeSetOf([...chosen]).changes];
}

function anotherSet(): Fault {
  return new Fault(
    'IntegrityMismatch',
    { en: 'the changes are not those that were shown', zh: '更改与所展示的不同' },
    {
      hint: {
        en: 'Look at them again with `skillwright runs changes`.',
        zh: '请用 `skillwright runs changes` 重新查看。',
      },
    },
  );
}
