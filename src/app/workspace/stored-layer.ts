// The changes of an earlier run, as its layer kept them: to look at, to apply, to discard.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { removeTree } from '../../base/files.ts';
import { realPath } from '../../base/paths.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import type { ChangeSet } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { findRun } from '../find-run.ts';
import { recordOwn } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';
import { type Applied, type ApplyOrder, applyChanges } from './apply.ts';
import { type RunCommits, withCommits, withoutExplained } from './commits.ts';
import type { Judged } from './judge.ts';
import { judgeLayer } from './judge-layer.ts';
import { layerPlace, projectJournals } from './place.ts';
import { type ChangesAnswer, isWaiting, type ShownChanges, wantedOf } from './settle.ts';

/** Whether changes of a run wait, or are still being made. */
export function hasChanges(run: string, runtime: Runtime): boolean {
  return existsSync(layerPlace(runtime, run).folder);
}

/** While it is mounted. */
export interface StoredChanges {
  readonly run: string;
  readonly set: ChangeSet;
  readonly judged: readonly Judged[];
  readonly commits: RunCommits | undefined;
  readonly layer: ProjectLayer;
}

/** By the id of the run, or `latest`. Throws a Fault where it left no changes. Nothing is mounted afterwards. */
export async function withStoredChanges<Result>(
  written: string,
  runtime: Runtime,
  use: (stored: StoredChanges) => Promise<Result>,
): Promise<Result> {
  const run = findRun(runtime.project, written).id;
  const place = layerPlace(runtime, run);
  if (!existsSync(place.folder)) throw noChanges(run);
  const workspace = openWorkspace(() => place);
  const layer = await workspace.open((await runtime.sandbox()).layers);
  try {
    const set = layer.changes();
    return await withCommits({ run, set, layer }, runtime, (commits) =>
      use({ run, set, judged: withoutExplained(judgeLayer(set, layer, runtime), commits), commits, layer }),
    );
  } finally {
    await workspace.close();
  }
}

export interface ApplyRequest extends Pick<ApplyOrder, 'keep'> {
  /** As a person typed them, standing in `from`. */
  readonly only?: readonly string[];
  readonly from: string;
  /** What was looked at before; other changes are not applied in its place. */
  readonly digest?: string;
  /** Shows a person all of it; absent where nobody is there, or where they have said what they want. */
  readonly ask?: ((shown: ShownChanges) => Promise<ChangesAnswer>) | undefined;
  /** Asks about what other tools obey, and returns the paths of the yes; where nobody can be asked it stays in the layer. */
  readonly askGuarded?: ((guarded: ShownChanges) => Promise<readonly string[]>) | undefined;
}

export interface AppliedRun extends Applied {
  readonly run: string;
  /** The commits of the run, taken or not. */
  readonly made: RunCommits | undefined;
}

export async function applyStored(written: string, request: ApplyRequest, runtime: Runtime): Promise<AppliedRun> {
  const done = await withStoredChanges(written, runtime, async ({ run, set, judged, commits, layer }) => {
    if (request.digest !== undefined && request.digest !== set.digest) throw otherChanges(run);
    const shown = { run, set, judged, commits, project: runtime.project, layer };
    const wanted = await answerTo(request, shown, runtime);
    if (!wanted) return { run, changes: [], left: judged, made: commits };
    const order = { run, digest: set.digest, keep: request.keep, commits, ...wanted };
    return { run, ...applyChanges(order, layer, runtime), made: commits };
  });
  const { run, left, made, commits: taken } = done;
  const isDone = !isWaiting({ waiting: left, commits: made, tookCommits: taken !== undefined });
  if (isDone) removeTree(layerPlace(runtime, run).folder);
  return done;
}

/** Undefined where a person wants nothing of it now. */
async function answerTo(
  { only: typed, from, ask, askGuarded }: ApplyRequest,
  shown: ShownChanges,
  runtime: Runtime,
): Promise<Pick<ApplyOrder, 'only' | 'guarded' | 'takesCommits'> | undefined> {
  if (typed === undefined && ask) return wantedOf(await ask(shown));
  const named = typed?.map((word) => findChanged(word, from, shown.set, runtime));
  const isNamed = ({ change: { path: below } }: Judged) =>
    named === undefined || named.some((one) => below === one || below.startsWith(`${one}/`));
  const meant = shown.judged.filter(isNamed);
  const guarded = meant.filter(({ verdict }) => verdict === 'guarded');
  const others = meant.filter(({ verdict }) => verdict !== 'guarded').map(({ change }) => change.path);
  const agreed = guarded.length > 0 ? ((await askGuarded?.({ ...shown, judged: guarded })) ?? []) : [];
  const takesCommits = named === undefined || named.includes('.git');
  return { only: [...others, ...agreed], guarded: agreed.length > 0, takesCommits };
}

/** From where the person stands, or as `runs changes` names it. Throws a Fault where nothing changed there. */
function findChanged(typed: string, from: string, { changes }: ChangeSet, { project }: Runtime): string {
  const root = realPath(project) ?? project;
  const stood = path.relative(root, path.resolve(realPath(from) ?? from, typed));
  const plain = path.posix.normalize(typed).replace(/\/$/, '');
  const paths = changes.map(({ path: below }) => below);
  const isThere = (one: string) => paths.some((below) => below === one || below.startsWith(`${one}/`));
  const found = [stood, plain].find(isThere);
  if (found !== undefined) return found;
  const shown = visible(typed);
  throw new Fault(
    'DataNotFound',
    { en: `the run changed nothing at ${shown}`, zh: `该运行未更改 ${shown}` },
    didYouMean(typed, paths, {
      en: '`skillwright runs changes` lists them.',
      zh: '`skillwright runs changes` 列出更改。',
    }),
  );
}

/** With the record of a run goes what it changed and never applied, and what was kept to undo it. */
export function forgetChanges(run: string, runtime: Runtime): void {
  removeTree(layerPlace(runtime, run).folder);
  const journals = projectJournals(runtime);
  for (const { id, run: of } of journals.list()) if (of === run) journals.remove(id);
}

/** Whether there was anything to throw away. */
export function discardChanges(
  written: string,
  runtime: Runtime,
): { readonly run: string; readonly discarded: boolean } {
  const run = findRun(runtime.project, written).id;
  const { folder } = layerPlace(runtime, run);
  if (!existsSync(folder)) return { run, discarded: false };
  recordOwn(runtime, { command: 'runs discard', operation: run, files: [] }, () => removeTree(folder));
  return { run, discarded: true };
}

function otherChanges(run: string): Fault {
  const shown = visible(run);
  return new Fault(
    'Conflict',
    { en: `the changes of ${shown} are others by now`, zh: `${shown} 的更改已不同于先前所见` },
    {
      hint: {
        en: `\`skillwright runs changes ${shown}\` shows them as they are.`,
        zh: `\`skillwright runs changes ${shown}\` 显示当前的更改。`,
      },
    },
  );
}

function noChanges(run: string): Fault {
  const shown = visible(run);
  return new Fault(
    'DataNotFound',
    { en: `the run ${shown} left no changes that wait`, zh: `运行 ${shown} 没有等待的更改` },
    {
      hint: {
        en: `\`skillwright runs undo ${shown}\` takes back what was applied.`,
        zh: `\`skillwright runs undo ${shown}\` 可撤销已应用的更改。`,
      },
    },
  );
}
