// Judges what a layer holds against the project as it is now: its guarded paths, and what git would leave out.
import type { ChangeSet } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Runtime } from '../runtime.ts';
import { guardedOf } from './guarded.ts';
import { ignoredBy } from './ignored.ts';
import { type Judged, judgeChanges } from './judge.ts';

export function judgeLayer(
  { changes }: ChangeSet,
  layer: Pick<ProjectLayer, 'names' | 'holds'>,
  runtime: Runtime,
): Judged[] {
  const isIgnored = ignoredBy(runtime.project);
  return judgeChanges(changes, layer.names, guardedOf(runtime)).map((one) => {
    const holds = layer.holds(one.change);
    if (holds.length > 0 && one.verdict !== 'refused') return { ...asGuarded(one), holds };
    return one.verdict === 'plain' && isIgnored(one.change) ? { ...one, ignored: true } : one;
  });
}

function asGuarded(one: Judged) {
  const { change } = one;
  return { change, verdict: 'guarded' as const, ...(one.verdict === 'guarded' && one.by && { by: one.by }) };
}
