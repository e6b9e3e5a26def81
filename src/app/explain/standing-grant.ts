// Which standing permission would answer a call that `explain` speaks about.
import type { Json } from '../../base/json.ts';
import { DEFAULTS } from '../../config/layer.ts';
import type { Execution } from '../../config/value.ts';
import { commandsOf } from '../../door/kind/shell.ts';
import { runFilesOfAll, runPlaces } from '../../door/run-file.ts';
import { type Covered, findStanding, type GrantSources, type Standing } from '../../door/standing-grant.ts';
import type { CallEffect } from '../../door/work.ts';
import type { Grant } from '../../policy/grant/grant.ts';
import { describeTarget, openGrants } from '../../policy/grant/store.ts';
import type { AskedCall } from '../../policy/policy.ts';
import type { Tier } from '../../policy/tier.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { digestIfSound } from '../../skill/digest.ts';
import { readTyped } from '../../skill/value.ts';
import { findTool, toolOf } from '../../tools/list.ts';
import type { Runtime } from '../runtime.ts';
import { readShipped } from '../shipped.ts';

export type CallParams = Readonly<Record<string, string>>;

/** The call that is spoken about; parameters only where the entry of a protocol skill would be run. */
export interface ExplainedCall {
  readonly asked: AskedCall;
  readonly skill: SkillEntry;
  readonly params: CallParams;
}

export async function standingFor(call: ExplainedCall, tier: Tier | undefined, runtime: Runtime): Promise<Standing> {
  const work = await coveredCall(call, runtime);
  return work ? findStanding(work, tier, sourcesFor(call, runtime)) : {};
}

/** Undefined for a tool nobody knows, and for files that cannot be run. */
export async function coveredCall(call: ExplainedCall, { places }: Runtime): Promise<Covered | undefined> {
  const { asked, skill } = call;
  const tool = findTool(asked.tool);
  const digest = digestIfSound(skill);
  if (!tool || digest === undefined) return undefined;
  const { network = false } = asked;
  const runs = runFilesOfAll(await commandsIn(asked), runPlaces(places, skill));
  return { tool, skill, digest, network, granted: { ...grantedFor(call), runs } };
}

export function sourcesFor({ params }: Pick<ExplainedCall, 'params'>, runtime: Runtime): GrantSources {
  const grants = openGrants(runtime.home, runtime.project).list();
  return {
    grants: () => grants.map(Object.keys(params).length > 0 ? asItIs : ofTheAction),
    shipped: readShipped(runtime.builtin),
    clock: runtime.clock,
    places: runtime.places,
  };
}

/** The commands whose files a grant is bound to. */
async function commandsIn({ tool: name, argv = [], shell }: AskedCall): Promise<readonly (readonly string[])[]> {
  if (shell !== undefined) return await commandsOf(shell);
  const tool = findTool(name);
  return tool && toolOf(tool).about === 'command' ? [argv] : [];
}

const asItIs = (grant: Grant): Grant => grant;

/** Where no parameter is named, the question is about the action; what a grant says about parameters is left out. */
function ofTheAction(grant: Grant): Grant {
  const { target } = grant;
  return target.kind === 'action' ? { ...grant, target: { kind: 'action', action: target.action } } : grant;
}

export function nameGrant({ id, target }: Grant): string {
  return `${id} (${describeTarget(target)})`;
}

/** As far as what a call may do is concerned. */
export function hasNoSettings(settings: Execution): boolean {
  const { default: usual, requireApprovalFor, enabled, denied, programs, ask } = settings;
  const { execution } = DEFAULTS;
  const asksAsUsual = execution.require_approval_for.every((tool) => requireApprovalFor.includes(tool));
  return (
    [usual, ask, programs].every((value, at) => value === [execution.default, execution.ask, undefined][at]) &&
    asksAsUsual &&
    [...enabled, ...denied].length === 0
  );
}

/** As `call` would send them: a grant says which types it is for. */
function typed(params: CallParams, { manifest }: SkillEntry, action: string): Readonly<Record<string, Json>> {
  const declared = manifest.actions?.find(({ name }) => name === action)?.params ?? [];
  const typeOf = (name: string) => declared.find((param) => param.name === name);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, readTyped(typeOf(name), value)]));
}

/** For the entry of a protocol skill, the words behind it are the action and its parameters. */
function grantedFor({ asked, skill, params }: ExplainedCall): CallEffect['granted'] {
  const { script, paths, url, shell, argv = [] } = asked;
  if (shell !== undefined) return { shell };
  const plain = script?.replace(/^\.\//, '');
  const [action] = argv;
  if (plain !== undefined && plain === skill.manifest.entry?.replace(/^\.\//, '') && action !== undefined)
    return { script: plain, action, params: typed(params, skill, action) };
  const named = { ...(plain !== undefined && { script: plain, path: plain }), ...(paths && { paths }) };
  return { ...named, ...(url !== undefined && { url }), argv };
}
