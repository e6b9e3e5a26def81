// Applies what a run changed to the project, all of it or some paths: one transaction, recorded in the owner's log.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { type ChangeSet, changeSetOf, type FileChange } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import { transact } from '../../workspace/transaction/transaction.ts';
import { recordOwn } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';
import { type Judged, judgeChanges } from './judge.ts';
import { projectJournals } from './place.ts';

export interface ApplyOrder {
  readonly run: string;
  /** The set that was shown; another one is not applied. */
  readonly digest: ChangeSet['digest'];
  /** These paths and what is below them; all where absent. */
  readonly only?: readonly string[];
  /** A person said yes to what other tools obey. */
  readonly guarded: boolean;
}

export interface Applied {
  readonly changes: readonly FileChange[];
  /** What stays in the layer. */
  readonly left: readonly FileChange[];
}

/** Throws a Fault, with nothing applied, where the set is another one or the project has changed. */
export function applyChanges(order: ApplyOrder, layer: ProjectLayer, runtime: Runtime): Applied {
  const set = layer.changes();
  if (set.digest !== order.digest) throw anotherSet();
  const chosen = chooseChanges(judgeChanges(set.changes, layer.names), order);
  const paths = new Set(chosen.map(({ path }) => path));
  const left = set.changes.filter(({ path }) => !paths.has(path));
  const raced = layer.raced(chosen).map(visible);
  if (raced.length > 0) throw new Fault('Conflict', raced.join(', '), { details: { paths: raced } });
  if (chosen.length === 0) return { changes: [], left };
  const { project } = runtime;
  const content = ({ path }: FileChange) => layer.content(path);
  const plan = {
    kind: 'apply',
    project,
    run: order.run,
    of: undefined,
    changes: chosen,
    content,
    now: runtime.clock.now(),
  } as const;
  const files = [...paths];
  recordOwn(runtime, { command: 'runs apply', operation: order.run, files }, () =>
    transact(plan, projectJournals(runtime)),
  );
  return { changes: chosen, left };
}

/** Only what may be applied, with the folders it needs; a folder goes only with everything that was in it. */
export function chooseChanges(
  judged: readonly Judged[],
  { only, guarded }: Pick<ApplyOrder, 'only' | 'guarded'>,
): FileChange[] {
  const isNamed = ({ path }: FileChange) =>
    only === undefined || only.some((one) => path === one || path.startsWith(`${one}/`));
  const allowed = judged.flatMap(({ change, verdict }) =>
    isNamed(change) && (verdict === 'plain' || (verdict === 'guarded' && guarded)) ? [change] : [],
  );
  const above = new Set(
    allowed.flatMap(({ path }) => path.split('/').map((_, at, steps) => steps.slice(0, at).join('/'))),
  );
  const all = judged.map(({ change }) => change);
  const chosen = new Set([...allowed, ...all.filter(({ path, after }) => after?.kind === 'folder' && above.has(path))]);
  for (const change of chosen) {
    const stays = all.some((other) => other.path.startsWith(`${change.path}/`) && !chosen.has(other));
    if (change.before?.kind === 'folder' && change.after?.kind !== 'folder' && stays) chosen.delete(change);
  }
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
