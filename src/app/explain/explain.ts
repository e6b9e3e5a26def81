// What policy says about a call and which rule of each layer said so, without doing anything.
import path from 'node:path';
import { inLanguage } from '../../base/language.ts';
import { realPath } from '../../base/paths.ts';
import { judgedCall } from '../../door/judged-call.ts';
import { nameProgram } from '../../door/named-program.ts';
import type { Standing } from '../../door/standing-grant.ts';
import type { Beyond } from '../../policy/asking.ts';
import { decide } from '../../policy/decide.ts';
import { callFromWords, effectWith, explainLines } from '../../policy/explain.ts';
import type { Grant } from '../../policy/grant/grant.ts';
import {
  type Allowance,
  type AskedCall,
  type Effect,
  type PolicyDecision,
  type SpokenLayer,
  speakLayers,
} from '../../policy/policy.ts';
import { readRole } from '../../policy/role.ts';
import type { Tier } from '../../policy/tier.ts';
import { recallTier } from '../../process/sandbox/sandbox.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { digestIfSound } from '../../skill/digest.ts';
import { findTool, isExecuting } from '../../tools/list.ts';
import { findWithRole } from '../grant/grantee.ts';
import { openFindings } from '../grave-finding.ts';
import type { Runtime } from '../runtime.ts';
import { obeyedFiles, withFileGuard } from './file-guard.ts';
import { beyondIn, type ExplainedReach, reachFor, sayExplainedReach } from './reach.ts';
import { serverGrant } from './server-tool.ts';
import { type CallParams, type ExplainedCall, hasNoSettings, nameGrant, standingFor } from './standing-grant.ts';

export interface ExplainOrder {
  /** A skill, or role/skill: then that role asks unless another one is named. */
  readonly skill: string;
  readonly source?: string | undefined;
  readonly role?: string | undefined;
  readonly tool: string;
  /** What the tool takes: the command, the script and its words, the path or the address. */
  readonly words: readonly string[];
  /** The words behind the action of a protocol skill. */
  readonly params: CallParams;
  readonly network: boolean;
}

export interface Explanation {
  readonly skill: SkillEntry;
  readonly role?: Allowance | undefined;
  readonly decision: PolicyDecision;
  /** Its layers in words. */
  readonly layers: readonly SpokenLayer[];
  /** The grant that would answer it. */
  readonly grant?: Grant | undefined;
  /** What it would reach beyond its sandbox, by which grants. */
  readonly reach: ExplainedReach;
  /** What would happen, counting the grant. */
  readonly effect: Effect;
  /** For people: the verdict, the layers, and who decides. */
  readonly lines: readonly string[];
  /** Absent until the sandbox of this machine was tried. */
  readonly tier?: Tier | undefined;
  /** The call would run something, and nobody knows yet how well it would be confined. */
  readonly isUntried: boolean;
}

export async function explainCall(order: ExplainOrder, runtime: Runtime): Promise<Explanation> {
  runtime.requireConfig();
  const named = order.role === undefined ? undefined : readRole(runtime.project, order.role);
  const { skill, role: own } = await findWithRole(order.skill, order.source, runtime);
  const role = named ?? own;
  const tier = recallTier({ cacheFolder: runtime.sandboxFolder });
  const effectsOnly = runtime.config.executionLayers.user.ask === 'effects' ? ('setting' as const) : undefined;
  const policy = runtime.policyFor({ skills: [skill], ...(role && { role }), ...(tier && { tier }), effectsOnly });
  const called = askedCall(order, skill, runtime);
  const { params } = order;
  const reach = await reachFor({ asked: called, skill, params }, tier, runtime);
  const outside = effectsOnly ? await outsideOf(called, skill, reach) : {};
  const asked = isOfSkill(order) ? called : { ...called, ...obeyedFiles(order, runtime), ...outside };
  const decided = decide(await judgedCall(asked), policy);
  const decision = isOfSkill(order) ? decided : withFileGuard(decided, asked, runtime);
  const { grant, voided } =
    decision.effect === 'ask' && !decision.onlyPerson ? await grantFor({ asked, skill, params }, tier, runtime) : {};
  const around = {
    isDefault: hasNoSettings(runtime.config.executionLayers.user),
    ...(grant && { grant: nameGrant(grant) }),
    ...(voided && { voided: nameGrant(voided) }),
  };
  const { tool } = decision;
  return {
    skill,
    role,
    decision,
    layers: speakLayers(decision.layers),
    grant,
    effect: effectWith(decision, around),
    lines: [
      ...explainLines(decision, runtime.language, around),
      ...sayExplainedReach(reach).map((text) => inLanguage(text, runtime.language)),
    ],
    reach,
    tier,
    isUntried: tier === undefined && tool !== undefined && isExecuting(tool),
  };
}

async function grantFor(call: ExplainedCall, tier: Tier | undefined, runtime: Runtime): Promise<Standing> {
  const { remote } = call.asked;
  if (remote === undefined) return await standingFor(call, tier, runtime);
  const grant = serverGrant(remote, runtime);
  return grant ? { grant } : {};
}

/** As a run of the agent would ask: file tools work in its layer, scripts get what the skill declares and grants say. */
async function outsideOf(
  { tool: name }: AskedCall,
  skill: SkillEntry,
  reach: ExplainedReach,
): Promise<Partial<AskedCall>> {
  const tool = findTool(name);
  const digest = digestIfSound(skill);
  const finding = digest === undefined || (await openFindings()(skill, digest));
  const getsVariables = tool !== undefined && isExecuting(tool) && (skill.manifest.secrets ?? []).length > 0;
  const beyond = new Set<Beyond>([...beyondIn(reach), ...(getsVariables ? ['variables' as const] : [])]);
  return { inLayer: true, ...(finding && { finding }), ...(beyond.size > 0 && { beyond: [...beyond] }) };
}

function askedCall(
  { tool: name, words, network }: ExplainOrder,
  { manifest, folder }: SkillEntry,
  { places, env, config, tightening }: Runtime,
): AskedCall {
  const [file] = words;
  if (isOfSkill({ tool: name })) return { tool: name, ...(file !== undefined && { script: file }) };
  const call = callFromWords(name, words);
  const tool = findTool(call.tool);
  const executes = tool !== undefined && isExecuting(tool);
  const leads = ([name, file]: [string, string]) => [name, whereItLeads(path.resolve(places.project, file))];
  const { user, project } = config.executionLayers;
  const listed = user.programs ?? project.programs ?? tightening?.programs;
  const isNamed = executes && (listed !== undefined || call.script !== undefined);
  const around = { places, env, interpreters: config.interpreters };
  const program = isNamed ? programOf(call, folder, around) : undefined;
  return {
    ...call,
    ...(program !== undefined && { program }),
    ...(call.paths && { paths: Object.fromEntries(Object.entries(call.paths).map(leads)) }),
    // What a skill runs wants the network whenever the skill declares it.
    ...((network || (executes && manifest.network)) && { network: true }),
  };
}

function programOf({ argv = [], script }: AskedCall, folder: string, around: Parameters<typeof nameProgram>[2]) {
  const [first, ...words] = argv;
  if (script !== undefined) return nameProgram({ script, args: argv }, folder, around);
  return first === undefined ? undefined : nameProgram({ argv: [first, ...words] }, folder, around);
}

/** `load_resource` names a file of the skill, which needs no guard of the project. */
function isOfSkill({ tool }: Pick<ExplainOrder, 'tool'>): boolean {
  return tool === 'load_resource';
}

/** A file is judged by where its links lead; what does not exist yet, by the folder it would be made in. */
function whereItLeads(file: string): string {
  const real = realPath(file);
  if (real !== undefined || file === path.dirname(file)) return real ?? file;
  return path.join(whereItLeads(path.dirname(file)), path.basename(file));
}
