// What each layer says about a call, with the rule that made it say so.
import path from 'node:path';
import type { ToolRule } from '../skill/skill.ts';
import { findTool, isExecuting, riskOf, toolFor } from '../tools/list.ts';
import type { ToolName } from '../tools/tool-name.ts';
import { commonName } from './command/common-name.ts';
import type { ObeyedFile, ToolNeed } from './need.ts';
import { coversCall, type Subject } from './pattern.ts';
import { isInOutput, isOwnState, type Places } from './place.ts';
import { type Allowance, EFFECTS, type Effect, type Layer, type Policy } from './policy.ts';
import { ENDS_DAEMONS, isAtLeast, isUnconfined, type Tier } from './tier.ts';

export interface KnownCall {
  readonly tool: ToolName;
  readonly byPerson?: boolean;
  readonly files: readonly string[];
  /** For settings: the tool itself, and the tools its effects and extra wishes amount to. */
  readonly needs: readonly ToolNeed[];
  /** For lists of tools: all that the tool is used on, and its extra wishes. */
  readonly subjects: readonly Subject[];
}

export function strictest(layers: readonly Layer[]): Effect {
  return EFFECTS.find((effect) => layers.some((layer) => layer.effect === effect)) ?? 'deny';
}

export function stateLayer(call: KnownCall, places: Places): Layer[] {
  if (!call.files.some((file) => isOwnState(file, places))) return [];
  return [{ layer: 'state', rule: { kind: 'own-state' }, effect: 'deny' }];
}

/** A person's own command is its own answer. */
export function guardLayer({ byPerson }: KnownCall, obeyed: readonly ObeyedFile[]): Layer[] {
  if (byPerson) return [];
  return obeyed.map((file) => ({ layer: 'files', rule: { kind: 'guarded-path', ...file }, effect: 'ask' }));
}

export function globalLayer(call: KnownCall, policy: Policy): Layer {
  const layers = call.needs.map((need) => globalRule(need, call, policy));
  const effect = strictest(layers);
  return (
    layers.find((layer) => layer.effect === effect) ?? { layer: 'global', rule: { kind: 'no-tool' }, effect: 'deny' }
  );
}

function globalRule(need: ToolNeed, call: KnownCall, { settings, places }: Policy): Layer {
  const layer = 'global';
  const { tool } = need;
  const isReading = riskOf(tool) === 'low';
  if (names(settings.denied, tool)) return { layer, rule: { kind: 'denied', tool }, effect: 'deny' };
  if (settings.default === 'deny' && !isReading && !names(settings.enabled, tool))
    return { layer, rule: { kind: 'not-enabled', tool }, effect: 'deny' };
  if (isResult(need, places)) return { layer, rule: { kind: 'result' }, effect: 'allow' };
  if (call.byPerson && call.tool === toolFor('write')) return { layer, rule: { kind: 'own-command' }, effect: 'allow' };
  const asks = settings.requireApprovalFor ? names(settings.requireApprovalFor, tool) : !isReading;
  if (asks) return { layer, rule: { kind: 'approval-required', tool }, effect: 'ask' };
  return { layer, rule: isReading ? { kind: 'reading' } : { kind: 'no-approval', tool }, effect: 'allow' };
}

export function projectLayer(call: KnownCall, { project, places }: Policy): Layer[] {
  if (!project) return [];
  const layer = 'project';
  return call.needs.map((need): Layer => {
    const { tool } = need;
    if (names(project.denied, tool)) return { layer, rule: { kind: 'denied', tool }, effect: 'deny' };
    if (project.default === 'deny' && riskOf(tool) !== 'low')
      return { layer, rule: { kind: 'denied-by-default' }, effect: 'deny' };
    if (names(project.requireApprovalFor, tool) && !isResult(need, places))
      return { layer, rule: { kind: 'approval-required', tool }, effect: 'ask' };
    return { layer, rule: { kind: 'adds-nothing' }, effect: 'allow' };
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
  const { name: list, allowedTools } = allowance;
  // A script reaches the network by its skill's declaration, not by a tool of that name.
  const network = toolFor('network');
  const declares = layer === 'skill' && isExecuting(call.tool) && call.needs.some(({ tool }) => tool === network);
  if (declares && !allowance.network) return [{ layer, rule: { kind: 'network-undeclared', list }, effect: 'deny' }];
  if (!allowedTools) return [{ layer, rule: { kind: 'no-list', list }, effect: 'allow' }];
  return call.subjects
    .filter(({ tool }) => !(declares && tool === network))
    .map((subject) => ({ layer, ...judgeList({ list, allowedTools }, subject, places, call.files.length > 1) }));
}

function judgeList(
  { list, allowedTools }: { readonly list: string; readonly allowedTools: readonly ToolRule[] },
  subject: Subject,
  places: Places,
  isOneOfSeveral: boolean,
): Omit<Layer, 'layer'> {
  const reasons: string[] = [];
  for (const rule of allowedTools) {
    const cover = coversCall(rule, subject, places);
    if (cover.covers) return { rule: { kind: 'listed', list, entry: spell(rule) }, effect: 'allow' };
    if (cover.why !== 'another tool') reasons.push(`${spell(rule)}: ${cover.why}`);
  }
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  const where = isOneOfSeveral ? ` of ${relativePath(subject.path ?? '', places)}` : '';
  return { rule: { kind: 'not-listed', list, tool: subject.tool, where: `${where}${why}` }, effect: 'deny' };
}

/** A list of programs holds for whatever starts one: commands, scripts, skills and tasks. */
export function programLayer(tool: ToolName, program: string | undefined, { settings, project }: Policy): Layer[] {
  if (!isExecuting(tool)) return [];
  const judge = (layer: 'global' | 'project', listed: readonly string[] | undefined): Layer[] => {
    if (!listed || (program !== undefined && listed.some((name) => commonName(name) === program))) return [];
    return [{ layer, rule: { kind: 'program-unlisted', program }, effect: 'deny' }];
  };
  return [...judge('global', settings.programs), ...judge('project', project?.programs)];
}

export function sandboxLayer(call: KnownCall, tier: Tier | undefined): Layer[] {
  if (!tier || !isExecuting(call.tool)) return [];
  const layer = 'sandbox';
  if (isUnconfined(tier)) return [{ layer, rule: { kind: 'grant-required', tier }, effect: 'ask' }];
  if (!isAtLeast(tier, ENDS_DAEMONS)) return [{ layer, rule: { kind: 'daemons-survive', tier }, effect: 'ask' }];
  return [{ layer, rule: { kind: 'confined', tier }, effect: 'allow' }];
}

function isResult({ tool, path: file }: ToolNeed, places: Places): boolean {
  return tool === toolFor('write') && file !== undefined && isInOutput(file, places);
}

function relativePath(file: string, { project }: Places): string {
  return path.relative(project, path.resolve(project, file));
}

function names(list: readonly string[] | undefined, tool: ToolName): boolean {
  return list?.some((name) => findTool(name) === tool) ?? false;
}

function spell(rule: ToolRule): string {
  return rule.pattern === undefined ? rule.tool : `${rule.tool}(${rule.pattern})`;
}
