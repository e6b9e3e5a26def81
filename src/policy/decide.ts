// The one decision: may this call happen? A pure function; the strictest layer wins, and each layer says why.
import path from 'node:path';
import { sha256 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import { refuseStretch } from './command-guard.ts';
import { globalLayer, type KnownCall, listLayer, projectLayer, sandboxLayer, stateLayer, strictest } from './layer.ts';
import { isOwnState } from './place.ts';
import type { AskedCall, Decision, Effect, Layer, Policy } from './policy.ts';
import { findTool, isExecuting, type Risk, riskOf, type Tool } from './tool.ts';

/** For positive controls in tests only: no setting, variable or option reaches these. */
export interface Switches {
  readonly combine: (layers: readonly Layer[]) => Effect;
  readonly guard: typeof refuseStretch;
  readonly isOwnState: typeof isOwnState;
}

export const ENFORCED: Switches = { combine: strictest, guard: refuseStretch, isOwnState };

export function decide(asked: AskedCall, policy: Policy, switches: Switches = ENFORCED): Decision {
  const tool = findTool(asked.tool);
  if (!tool) return unknownTool(asked.tool);
  const call: KnownCall = { ...asked, tool, needs: needsOf(tool, asked) };
  const { role, skills = [], runtime, tier, places } = policy;
  const layers = [
    ...stateLayer(call, places, switches.isOwnState),
    globalLayer(call, policy),
    ...projectLayer(call, policy),
    ...listLayer('role', call, role, places, switches.guard),
    ...skills.flatMap((skill) => listLayer('skill', call, skill, places, switches.guard)),
    ...listLayer('runtime', call, runtime, places, switches.guard),
    ...sandboxLayer(call, tier),
  ];
  const effect = switches.combine(layers);
  const onlyGrant = tier === 'S0' && isExecuting(tool) && { onlyGrant: tier };
  return { effect, risk: highestRisk(call.needs), tool, layers, ...onlyGrant };
}

/**
 * Names this policy; an approval given under another one does not count. Where project and home lie is no part of it:
 * approvals never leave them, and machines that share a project have it in different folders.
 */
export function policyHash({ places, ...policy }: Policy): string {
  const output = places.output.map((folder) => path.relative(places.project, folder));
  return sha256(canonicalJson({ ...policy, output }));
}

function unknownTool(name: string): Decision {
  const layers: Layer[] = [{ layer: 'tools', rule: `unknown tool: ${name}`, effect: 'deny' }];
  return { effect: 'deny', risk: 'high', tool: undefined, layers };
}

function needsOf(tool: Tool, asked: AskedCall): Tool[] {
  const extra: Tool[] = [];
  if (asked.network) extra.push('network_request');
  if (asked.writes) extra.push('write_file');
  return [tool, ...extra.filter((need) => need !== tool)];
}

function highestRisk(needs: readonly Tool[]): Risk {
  const risks = needs.map(riskOf);
  return (['high', 'medium'] as const).find((risk) => risks.includes(risk)) ?? 'low';
}
