// What the guard of the file tools adds to `explain`: a closed path stays closed, whatever policy allows.

import { isOwnState } from '../../policy/place.ts';
import type { AskedCall, Layer, PolicyDecision } from '../../policy/policy.ts';
import { refusalOf } from '../../tools/path-guard.ts';
import { isExecuting, riskOf } from '../../tools/tool.ts';
import type { Runtime } from '../runtime.ts';

export function withFileGuard(
  decision: PolicyDecision,
  { path }: AskedCall,
  { places, config }: Runtime,
): PolicyDecision {
  const { tool, layers } = decision;
  if (!tool || isExecuting(tool) || path === undefined || layers.some(({ layer }) => layer === 'state'))
    return decision;
  const { project } = places;
  const world = { project, outputFolder: config.outputFolder, isOwnState: (file: string) => isOwnState(file, places) };
  const refusal = refusalOf(world, path, riskOf(tool) !== 'low');
  if (!refusal) return decision;
  const closed: Layer = { layer: 'files', rule: refusal.en, effect: 'deny' };
  return { ...decision, effect: 'deny', layers: [closed, ...layers] };
}
