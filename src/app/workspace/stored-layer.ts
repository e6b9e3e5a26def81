// The changes of an earlier run, as its layer kept them: to look at, to apply, to discard.
import { existsSync } from 'node:fs';
import { Fault } from '../../base/errors.ts';
import { removeTree } from '../../base/files.ts';
import { visible } from '../../base/text.ts';
import type { ChangeSet } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { findRun } from '../find-run.ts';
import { recordOwn } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';
import { type Applied, applyChanges } from './apply.ts';
import { type Judged, judgeChanges } from './judge.ts';
import { layerPlace } from './place.ts';

/** While it is mounted. */
export interface StoredChanges {
  readonly run: string;
  readonly set: ChangeSet;
  readonly judged: readonly Judged[];
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
    return await use({ run, set, judged: judgeChanges(set.changes, layer.names), layer });
  } finally {
    await workspace.close();
  }
}

export interface ApplyRequest {
  readonly only?: readonly string[];
  /** Asks about what other tools obey; where nobody can be asked it stays in the layer. */
  readonly askGuarded?: ((guarded: readonly Judged[]) => Promise<boolean>) | undefined;
}

export async function applyStored(
  written: string,
  request: ApplyRequest,
  runtime: Runtime,
): Promise<Applied & { run: string }> {
  const done = await withStoredChanges(written, runtime, async ({ run, set, judged, layer }) => {
    const guarded = judged.filter(({ verdict }) => verdict === 'guarded');
    const mayGuarded = guarded.length > 0 && ((await request.askGuarded?.(guarded)) ?? false);
    const { only } = request;
    return {
      run,
      ...applyChanges({ run, digest: set.digest, guarded: mayGuarded, ...(only && { only }) }, layer, runtime),
    };
  });
  if (done.left.length === 0) removeTree(layerPlace(runtime, done.run).folder);
  return done;
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

function noChanges(run: string): Fault {
  const shown = visible(run);
  return new Fault(
    'DataNotFound',
    { en: `the run ${shown} left no changes that wait`, zh: `运行 ${shown} 没有等待的更改` },
    {
      hint: {
        en: '`skillwright runs undo` takes back what was applied.',
        zh: '`skillwright runs undo` 可撤销已应用的更改。',
      },
    },
  );
}
