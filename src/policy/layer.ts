// What each layer says about a call, with the rule that made it say so.
import type { ToolRule } from '../skill/skill.ts';
import { findTool, isExecuting, riskOf, type Tool } from '../tools/tool.ts';
import { coversCall, type Subject } from './pattern.ts';
import { isInOutput, isOwnState, type Places } from './place.ts';
import { type Allowance, EFFECTS, type Effect, type Layer, type Policy } from './policy.ts';
import { ENDS_DAEMONS, isAtLeast, isUnconfined, type Tier } from './tier.ts';

export interface KnownCall extends Subject {
  readonly byPerson?: boolean;
  /** The tool itself, and the tools its extra wishes amount to. */
  readonly needs: readonly Tool[];
}

export function strictest(layers: readonly Layer[]): Effect {
  return EFFECTS.find((effect) => layers.some((layer) => layer.effect === effect)) ?? 'deny';
}

export function stateLayer(call: KnownCall, places: Places): Layer[] {
  if (isExecuting(call.tool) || call.path === undefined || !isOwnState(call.path, places)) return [];
  return [{ layer: 'state', rule: "Skillwright's own state", effect: 'deny' }];
}

export function globalLayer(call: KnownCall, policy: Policy): Layer {
  const layers = call.needs.map((need) => globalRule(need, call, policy));
  const effect = strictest(layers);
  return layers.find((layer) => layer.effect === effect) ?? { layer: 'global', rule: 'no tool', effect: 'deny' };
}

function globalRule(need: Tool, call: KnownCall, { settings, places }: Policy): Layer {
  const layer = 'global';
  const isReading = riskOf(need) === 'low';
  if (names(settings.denied, need)) return { layer, rule: `execution.denied: ${need}`, effect: 'deny' };
  if (settings.default === 'deny' && !isReading && !names(settings.enabled, need))
    return { layer, rule: `execution.default: deny, ${need} is not enabled`, effect: 'deny' };
  if (isResult(need, call, places)) return { layer, rule: 'writing to the output folder', effect: 'allow' };
  if (call.byPerson && call.tool === 'write_file') return { layer, rule: "a person's own command", effect: 'allow' };
  const asks = settings.requireApprovalFor ? names(settings.requireApprovalFor, need) : !isReading;
  if (asks) return { layer, rule: `execution.require_approval_for: ${need}`, effect: 'ask' };
  return { layer, rule: isReading ? 'reading is allowed' : `${need} needs no approval`, effect: 'allow' };
}

export function projectLayer(call: KnownCall, { project, places }: Policy): Layer[] {
  if (!project) return [];
  const layer = 'project';
  return call.needs.map((need): Layer => {
    if (names(project.denied, need)) return { layer, rule: `execution.denied: ${need}`, effect: 'deny' };
    if (project.default === 'deny' && riskOf(need) !== 'low')
      return { layer, rule: 'execution.default: deny', effect: 'deny' };
    if (names(project.requireApprovalFor, need) && !isResult(need, call, places))
      return { layer, rule: `execution.require_approval_for: ${need}`, effect: 'ask' };
    return { layer, rule: 'adds nothing', effect: 'allow' };
  });
}

/** A list of tools can only narrow: being on it means "not refused here", never "granted". */
export function listLayer(
  layer: 'role' | 'skill' | 'runtime',
  call: KnownCall,
  allowance: Allowance | undefined,
  places: Places,
): Layer[] {
  if (!allowance) return [];
  const { name, allowedTools } = allowance;
  // A script reaches the network by its skill's declaration, not by a tool of that name.
  const declares = layer === 'skill' && isExecuting(call.tool) && call.needs.includes('network_request');
  if (declares && !allowance.network) return [{ layer, rule: `${name}: network is not declared`, effect: 'deny' }];
  if (!allowedTools) return [{ layer, rule: `${name}: no allowed-tools, no restriction`, effect: 'allow' }];
  return call.needs
    .filter((need) => !(declares && need === 'network_request'))
    .map((need): Layer => {
      // Words and paths belong to the tool itself; an extra wish has none, so only an entry without pattern covers it.
      const subject = need === call.tool ? call : { tool: need };
      const verdict = judgeList(allowedTools, subject, places);
      return { layer, rule: `${name}: allowed-tools ${verdict.rule}`, effect: verdict.effect };
    });
}

function judgeList(rules: readonly ToolRule[], subject: Subject, places: Places): Omit<Layer, 'layer'> {
  const reasons: string[] = [];
  for (const rule of rules) {
    const cover = coversCall(rule, subject, places);
    if (cover.covers) return { rule: `lists ${spell(rule)}`, effect: 'allow' };
    if (cover.why !== 'another tool') reasons.push(`${spell(rule)}: ${cover.why}`);
  }
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  return { rule: `does not cover ${subject.tool}${why}`, effect: 'deny' };
}

export function sandboxLayer(call: KnownCall, tier: Tier | undefined): Layer[] {
  if (!tier || !isExecuting(call.tool)) return [];
  const layer = 'sandbox';
  if (isUnconfined(tier)) return [{ layer, rule: `${tier}: needs a grant that names ${tier}`, effect: 'ask' }];
  if (!isAtLeast(tier, ENDS_DAEMONS)) return [{ layer, rule: `${tier}: daemons may survive`, effect: 'ask' }];
  return [{ layer, rule: tier, effect: 'allow' }];
}

function isResult(need: Tool, call: KnownCall, places: Places): boolean {
  return need === 'write_file' && call.tool === need && call.path !== undefined && isInOutput(call.path, places);
}

function names(list: readonly string[] | undefined, tool: Tool): boolean {
  return list?.some((name) => findTool(name) === tool) ?? false;
}

function spell(rule: ToolRule): string {
  return rule.pattern === undefined ? rule.tool : `${rule.tool}(${rule.pattern})`;
}
