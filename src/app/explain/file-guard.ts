// What the guard of the file tools adds to `explain`: a closed path stays closed, whatever policy allows.

import { filesOf } from '../../policy/need.ts';
import { isOwnState } from '../../policy/place.ts';
import type { AskedCall, Layer, PolicyDecision } from '../../policy/policy.ts';
import { refusalOf } from '../../tools/file/path-guard.ts';
import { isChange } from '../../tools/tool.ts';
import type { Runtime } from '../runtime.ts';

export function withFileGuard(decision: PolicyDecision, asked: AskedCall, { places, config }: Runtime): PolicyDecision {
  const { tool, layers } = decision;
  if (!tool || layers.some(({ layer }) => layer === 'state')) return decision;
  const { project } = places;
  const world = { project, outputFolder: config.outputFolder, isOwnState: (file: string) => isOwnState(file, places) };
  const closed = filesOf(tool, asked).flatMap(({ path, does }): Layer[] => {
    const refusal = refusalOf(world, path, isChange(does));
    return refusal ? [{ layer: 'files', rule: { kind: 'closed-path', why: refusal }, effect: 'deny' }] : [];
  });
  return closed.length === 0 ? decision : { ...decision, effect: 'deny', layers: [...closed, ...layers] };
}
