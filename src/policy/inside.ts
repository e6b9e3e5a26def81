// What stays inside the sandbox and the layer of its run: where people are asked about effects only, it needs no yes.
import { isInside } from '../base/paths.ts';
import { isExecuting, toolOf } from '../tools/list.ts';
import type { ToolName } from '../tools/tool-name.ts';
import type { Outside } from './asking.ts';
import type { AskedCall, Policy } from './policy.ts';
import { ENDS_DAEMONS, isAtLeast } from './tier.ts';

export type InsideCall = Pick<AskedCall, 'network' | 'beyond' | 'finding' | 'inLayer'> & { readonly tool: ToolName };

/** Undefined where all that it does can be looked at afterwards, and nothing has happened until then. */
export function whyOutside(call: InsideCall, { tier, places }: Pick<Policy, 'tier' | 'places'>): Outside | undefined {
  const { about } = toolOf(call.tool);
  if (call.network || about === 'address') return 'network';
  if (about === 'server') return 'server';
  const [beyond] = call.beyond ?? [];
  if (beyond !== undefined) return beyond;
  if (call.finding) return 'finding';
  // Results elsewhere are no change of the project, so no change set would show them.
  if (!places.output.every((folder) => isInside(places.project, folder))) return 'output';
  if (isExecuting(call.tool)) return tier && isAtLeast(tier, ENDS_DAEMONS) ? undefined : 'tier';
  return call.inLayer ? undefined : 'no-layer';
}
