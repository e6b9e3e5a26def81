// `use_tool`: a tool of our own, done in this process; policy, approval and record are those of every call.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import type { Data } from '../../base/outcome.ts';
import { isInside, realPath } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';
import type { Digest } from '../../base/value/digest.ts';
import type { HostAttempt } from '../../network/attempt.ts';
import { decide } from '../../policy/decide.ts';
import type { ToolUse } from '../../policy/need.ts';
import { isOwnState } from '../../policy/place.ts';
import type { AskedCall } from '../../policy/policy.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { digestSkill } from '../../skill/digest.ts';
import { openFiles } from '../../tools/file/files.ts';
import { obeyedIfChanged } from '../../tools/file/obeyed-change.ts';
import { type World, whereItLeads } from '../../tools/file/path-guard.ts';
import { findTool, toolOf } from '../../tools/list.ts';
import { defaultNetworkPolicy } from '../../tools/network.ts';
import { isChange, namedWords, pathsIn, type Tool } from '../../tools/tool.ts';
import type { ToolContext } from '../../tools/tool-call.ts';
import type { ToolName } from '../../tools/tool-name.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { UseTool } from '../call.ts';
import type { Door } from '../door.ts';
import { findStanding } from '../standing-grant.ts';
import { allowanceOf, type CallEffect, policyOf } from '../work.ts';

interface ToolRunning {
  readonly unseen: boolean;
  /** Hears of every host that a process of it tries to reach. */
  readonly onAttempt: (attempt: HostAttempt) => void;
}

/** An effect of our own code. */
export interface ToolWork extends CallEffect {
  /** `unseen`: nobody was asked about it, so what it changes is not allowed yet. */
  run(how: ToolRunning): Promise<Data>;
}

export async function understandTool(call: UseTool, door: Door): Promise<ToolWork> {
  const { requireArguments, runTool } = await import('../../tools/tool-call.ts');
  const name = findTool(call.tool);
  const tool = name && toolOf(name);
  const skill = call.skill === undefined ? undefined : door.resolve(call.skill, call.source);
  const active = skill ? [skill] : (call.active ?? []).map((one) => door.resolve(one));
  if (tool?.run) requireArguments(tool.name, call.args);
  const seen = call.layered ? await door.workspace.made(door.sandbox) : undefined;
  const world = worldOf(door, seen);
  const used = tool ? usageOf(tool, call.args, world) : {};
  const effect: CallEffect = {
    // A name nobody knows still goes to policy, which refuses it on the record.
    tool: name ?? (call.tool as ToolName),
    ...(skill && { skill }),
    digest: digestOf(skill, tool),
    args: { ...call.args },
    words: (tool?.view ?? namedWords)(call.args),
    asked: {
      tool: name ?? call.tool,
      ...used,
      ...(tool && obeyedIn(tool, call.args, world, door)),
      ...(call.layered && { inLayer: true }),
    },
    ...previewOf(tool, call.args, world),
    granted: used,
    allowances: active.map(allowanceOf),
    network: tool?.about === 'address',
  };
  const run = async ({ unseen }: { readonly unseen: boolean }) => {
    if (!tool?.run) throw new Fault('PermissionDenied', visible(call.tool));
    const covers = await coverageOf(effect, door);
    const use = (layer: ProjectLayer | undefined) => runTool(tool.name, call.args, contextOf(door, layer, covers));
    return await (call.layered && changes(tool)
      ? changeInLayer(
          { paths: unseen ? [] : changedBy(tool, call.args, world), obeyed: effect.asked.obeyed !== undefined },
          use,
          door,
        )
      : use(seen));
  };
  return { ...effect, run };
}

function previewOf(tool: Tool | undefined, args: UseTool['args'], world: World): Pick<CallEffect, 'preview'> {
  const preview = tool?.preview;
  return preview ? { preview: async (most) => await preview(args, openFiles(world), most) } : {};
}

function changes(tool: Tool): boolean {
  return tool.paths.some(({ does }) => isChange(does));
}

/** The paths below the project that the call changes, as it names them. */
function changedBy(tool: Tool, args: UseTool['args'], world: World): string[] {
  const project = realPath(world.project) ?? world.project;
  return changedPaths(tool, args)
    .map((file) => whereItLeads(world, file))
    .filter((file) => isInside(project, file))
    .map((file) => path.relative(project, file));
}

function changedPaths(tool: Tool, args: UseTool['args']): string[] {
  const isChanged = (name: string) => isChange(tool.paths.find((argument) => argument.name === name)?.does ?? []);
  return Object.entries(pathsIn(tool, args)).flatMap(([name, file]) => (isChanged(name) ? [file] : []));
}

/** Whoever allowed this call saw what it does to these files: they are not asked about again while they stay like that. */
async function changeInLayer(
  { paths, obeyed }: { readonly paths: readonly string[]; readonly obeyed: boolean },
  use: (layer: ProjectLayer) => Promise<Data>,
  door: Door,
): Promise<Data> {
  using _turn = await door.workspace.turn(door.signal);
  const layer = await door.workspace.open((await door.sandbox()).layers);
  const began = Date.now();
  layer.begin(began);
  try {
    const data = await use(layer);
    layer.remember(began);
    layer.allow(paths, { obeyed });
    return data;
  } catch (error) {
    layer.remember(began);
    throw error;
  }
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

/** Every path and the address that the arguments name; a file is judged by where its links lead. */
function usageOf(tool: Tool, args: UseTool['args'], world: World): Pick<ToolUse, 'paths' | 'url'> {
  const url = tool.address === undefined ? undefined : args[tool.address];
  const paths = Object.entries(pathsIn(tool, args)).map(([name, file]) => [name, whereItLeads(world, file)]);
  return {
    ...(paths.length > 0 && { paths: Object.fromEntries(paths) }),
    ...(typeof url === 'string' && { url }),
  };
}

/** Of the files that would be changed, those that other tools obey; they are told as the arguments name them. */
function obeyedIn(tool: Tool, args: UseTool['args'], world: World, door: Door): Pick<AskedCall, 'obeyed'> {
  const changed = changedPaths(tool, args);
  if (changed.length === 0) return {};
  const guarded = door.guarded();
  const obeyed = changed.flatMap((file) => {
    const by = obeyedIfChanged(world, file, guarded);
    return by ? [{ path: file, by }] : [];
  });
  return obeyed.length === 0 ? {} : { obeyed };
}

/** Reading needs no yes, so nothing has to be bound to the bytes of the skill, and they stay unread. */
function digestOf(skill: SkillEntry | undefined, tool: Tool | undefined): Digest | '' {
  return skill && tool && tool.risk !== 'low' ? digestSkill(skill).digest : '';
}

function contextOf(door: Door, layer: ProjectLayer | undefined, covers: (url: string) => boolean): ToolContext {
  const { signal } = door;
  return { ...worldOf(door, layer), network: { ...defaultNetworkPolicy, covers, ...(signal && { signal }) } };
}

function worldOf({ places, folders }: Door, layer: ProjectLayer | undefined): World {
  const { project } = places;
  const own = (file: string) => isOwnState(file, places);
  return { project, tree: layer?.tree, outputFolder: folders.output, isOwnState: own };
}
