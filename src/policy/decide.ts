// The one decision: may this call happen? A pure function; the strictest layer wins, and each layer says why.
import path from 'node:path';
import { sha256 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import { findTool, isExecuting, riskOf, toolFor, toolOf } from '../tools/list.ts';
import type { Risk, ToolName } from '../tools/tool-name.ts';
import {
  globalLayer,
  guardLayer,
  type KnownCall,
  listLayer,
  programLayer,
  sandboxLayer,
  stateLayer,
  strictest,
  tighteningLayer,
} from './layer.ts';
import { filesOf, needsOf, subjectsOf, type ToolNeed } from './need.ts';
import type { Allowance, AskedCall, Layer, Policy, PolicyDecision } from './policy.ts';
import { isUnconfined } from './tier.ts';

export function decide(asked: AskedCall, policy: Policy): PolicyDecision {
  const tool = findTool(asked.tool);
  if (!tool) return unknownTool(asked.tool);
  const call = knownCall(tool, asked);
  const { role, skills = [], runtime, tier, places } = policy;
  const guarded = guardLayer(call, asked.obeyed ?? []);
  const layers = [
    ...stateLayer(call, places),
    ...guarded,
    globalLayer(call, policy),
    ...tighteningLayer('project', call, policy.project, policy),
    ...tighteningLayer('runtime', call, policy.caller, policy),
    ...programLayer(tool, asked, policy),
    ...listLayer('role', call, role, places),
    ...skills.flatMap((skill) => listLayer('skill', call, skill, places)),
    ...listLayer('runtime', call, runtime, places),
    ...sandboxLayer(call, tier),
  ];
  const effect = strictest(layers);
  const onlyGrant = tier && isUnconfined(tier) && isExecuting(tool) && { onlyGrant: tier };
  const onlyPerson = guarded.length > 0 && { onlyPerson: true as const };
  const inside = effect === 'allow' && layers.some(({ rule }) => rule.kind === 'inside') && { inside: true as const };
  return { effect, risk: highestRisk(call.needs), tool, layers, ...onlyGrant, ...onlyPerson, ...inside };
}

/**
 * Names this policy; an approval given under another one does not count. Where project and home lie is no part of it:
 * approvals never leave them, and machines that share a project have it in different folders. Nor is how often a person
 * is asked: a yes means the same.
 */
export function policyHash({ places, skills, effectsOnly: _, ...policy }: Policy): string {
  const output = places.output.map((folder) => path.relative(places.project, folder));
  return sha256(canonicalJson({ ...policy, ...(skills && { skills: skills.map(withoutFolder) }), output }));
}

function withoutFolder({ folder: _, ...allowance }: Allowance): Allowance {
  return allowance;
}

function unknownTool(name: string): PolicyDecision {
  const layers: Layer[] = [{ layer: 'tools', rule: { kind: 'unknown-tool', name }, effect: 'deny' }];
  return { effect: 'deny', risk: 'high', tool: undefined, layers };
}

/** An extra wish names no file, so in a list only an entry without a pattern covers it. */
function knownCall(tool: ToolName, asked: AskedCall): KnownCall {
  const wish = asked.network ? toolFor('network') : undefined;
  const wishes = wish && wish !== tool ? [{ tool: wish }] : [];
  return {
    tool,
    ...(asked.byPerson && { byPerson: true }),
    ...(asked.inLayer && { inLayer: true }),
    ...(asked.network && { network: true }),
    ...(asked.beyond && { beyond: asked.beyond }),
    ...(asked.finding && { finding: true }),
    files: filesOf(tool, asked).map(({ path }) => path),
    needs: [...needsOf(tool, asked), ...wishes],
    // A list that names the tool of a server speaks of the way to it, too.
    subjects: [...subjectsOf(tool, asked), ...(toolOf(tool).about === 'server' ? [] : wishes)],
  };
}

function highestRisk(needs: readonly ToolNeed[]): Risk {
  const risks = needs.map((need) => riskOf(need.tool));
  return (['high', 'medium'] as const).find((risk) => risks.includes(risk)) ?? 'low';
}
