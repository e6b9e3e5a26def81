// `use_tool`: a tool of our own, done in this process; policy, approval and record are those of every call.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import type { Data } from '../../base/outcome.ts';
import { realTarget } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';
import { decide } from '../../policy/decide.ts';
import { isOwnState } from '../../policy/place.ts';
import type { AskedCall } from '../../policy/policy.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { digestSkill } from '../../skill/digest.ts';
import { defaultNetworkPolicy } from '../../tools/network-request.ts';
import { findTool, riskOf, type Tool } from '../../tools/tool.ts';
import type { ToolContext, ToolName } from '../../tools/tool-call.ts';
import type { UseTool } from '../call.ts';
import type { Door } from '../door.ts';
import { findStanding } from '../standing-grant.ts';
import { allowanceOf, type CallEffect, policyOf } from '../work.ts';

/** An effect of our own code. */
export interface ToolWork extends CallEffect {
  run(): Promise<Data>;
}

export async function understandTool(call: UseTool, door: Door): Promise<ToolWork> {
  const { TOOLS, checkArguments, isToolName, runTool } = await import('../../tools/tool-call.ts');
  const tool = findTool(call.tool);
  const skill = call.skill === undefined ? undefined : door.resolve(call.skill, call.source);
  const active = skill ? [skill] : (call.active ?? []).map((name) => door.resolve(name));
  // A name nobody knows still goes to policy, which refuses it on the record.
  const name: ToolName | undefined = tool !== undefined && isToolName(tool) ? tool : undefined;
  if (name) checkArguments(TOOLS[name].schema, call.args);
  const asked = askedOf(call, tool, door);
  const effect: CallEffect = {
    tool: tool ?? (call.tool as Tool),
    ...(skill && { skill }),
    digest: digestOf(skill, tool),
    args: { ...call.args },
    words: Object.entries(call.args).map(
      ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
    asked,
    granted: {
      ...(asked.path !== undefined && { path: asked.path }),
      ...(asked.url !== undefined && { url: asked.url }),
    },
    allowances: active.map(allowanceOf),
    network: tool === 'network_request',
    writes: false,
  };
  const run = async () => {
    if (!name) throw new Fault('PermissionDenied', visible(call.tool));
    const covers = await coverageOf(effect, door);
    return await runTool(name, call.args, contextOf(door, covers));
  };
  return { ...effect, run };
}

/** Where a redirect may lead: lists must not refuse it, and a grant that permitted the request must cover it too. */
async function coverageOf(effect: CallEffect, door: Door): Promise<(url: string) => boolean> {
  const policy = await policyOf(effect, door);
  const at = (url: string | undefined): CallEffect =>
    url === undefined ? effect : { ...effect, asked: { ...effect.asked, url }, granted: { ...effect.granted, url } };
  const judge = (url?: string) => {
    const { effect: verdict } = decide(at(url).asked, policy);
    return { verdict, isGranted: verdict === 'ask' && findStanding(at(url), policy.tier, door).grant !== undefined };
  };
  const first = judge();
  return (url) => {
    const next = judge(url);
    return next.verdict !== 'deny' && (!first.isGranted || next.isGranted || next.verdict === 'allow');
  };
}

/** A file is judged by where its links lead. */
function askedOf({ tool: written, args }: UseTool, tool: Tool | undefined, { places }: Door): AskedCall {
  if (tool === 'network_request') return { tool, ...(typeof args.url === 'string' && { url: args.url }) };
  const named = typeof args.path === 'string' ? args.path : '.';
  return { tool: tool ?? written, path: realTarget(path.resolve(places.project, named)) };
}

/** Reading needs no yes, so nothing has to be bound to the bytes of the skill, and they stay unread. */
function digestOf(skill: SkillEntry | undefined, tool: Tool | undefined): string {
  return skill && tool && riskOf(tool) !== 'low' ? digestSkill(skill.folder).digest : '';
}

function contextOf({ places, folders, signal }: Door, covers: (url: string) => boolean): ToolContext {
  return {
    project: places.project,
    outputFolder: folders.output,
    isOwnState: (file) => isOwnState(file, places),
    network: { ...defaultNetworkPolicy, covers, ...(signal && { signal }) },
  };
}
