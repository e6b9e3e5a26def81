// Executes one validated action and returns its observation. Effects go through the door; reading a chosen skill does not need it.
import { toFault } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import { inLanguage } from '../base/language.ts';
import type { Outcome } from '../base/outcome.ts';
import type { Call, RunShell } from '../door/call.ts';
import { perform, permitReading } from '../door/perform.ts';
import { loadResource } from '../loader/resource.ts';
import type { Action } from '../model/action.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { isForModels } from '../registry/search/index.ts';
import { findTool, riskOf, toolOf } from '../tools/list.ts';
import { readFile } from '../tools/read-file.ts';
import { readServerToolName } from '../tools/server-tool.ts';
import type { Acted } from './acted.ts';
import { asAttribute } from './frame.ts';
import { outcomeText } from './outcome-text.ts';
import { activeSkills, type FoundSkill, findSelected, findSkill, referenceOf } from './selection.ts';
import type { Session } from './session.ts';
import { argumentsIn } from './skill-text.ts';
import { runSubagent } from './subagent.ts';
import { readObservation } from './told/read-observation.ts';

export type ToolAction = Exclude<Action, { type: 'select_skills' | 'final_answer' }>;

const HITS = 8;

/** Every failure is an observation, never an exception out of the loop. */
export async function act(action: ToolAction, session: Session): Promise<Acted> {
  try {
    switch (action.type) {
      case 'load_resource':
        return await readResource(action, session);
      case 'search_skills':
        return await searchSkills(action.query, session);
      default: {
        const kept = action.type === 'use_tool' && findTool(action.tool) === readFile.name ? action.args : undefined;
        const opened = kept && (await readObservation(kept, session));
        if (opened) return opened;
        const wanted = callOf(action, session);
        if (typeof wanted === 'string') return refuse(wanted);
        if ('subagent' in wanted) return await runSubagent(wanted.subagent, wanted.params, session);
        return await passDoor(wanted, session);
      }
    }
  } catch (error) {
    const fault = toFault(error);
    return { state: 'error', text: `${fault.code}: ${fault.message}\n${inLanguage(fault.hint, 'en')}`, effect: false };
  }
}

/** Whether repeating it could do harm; reading cannot. */
export function isEffect(action: Action): boolean {
  if (action.type === 'run_script' || action.type === 'invoke_skill') return true;
  if (action.type !== 'use_tool') return false;
  const tool = findTool(action.tool);
  return tool === undefined || riskOf(tool) !== 'low';
}

/** Whether it starts a program. */
export function isScriptRun(action: Action): boolean {
  if (action.type === 'run_script' || action.type === 'invoke_skill') return true;
  if (action.type !== 'use_tool') return false;
  const about = aboutOf(action.tool);
  return about === 'command' || about === 'shell';
}

type Of<Type extends ToolAction['type']> = Extract<ToolAction, { type: Type }>;

async function readResource(action: Of<'load_resource'>, session: Session): Promise<Acted> {
  const { skill: ref, relative_path, section_hint } = action;
  const found = findSelected(ref, session);
  if ('problem' in found) return refuse(found.problem);
  const { skill } = found;
  const refused = await refuseReading(skill, relative_path, session);
  if (refused) return refused;
  const options = {
    // Whole here: an observation shows the ends of what is too long, and its rest can be read.
    maxLines: Infinity,
    ...argumentsIn(session.state, skill),
    ...(section_hint !== undefined && { section: section_hint }),
  };
  const { text, unknownSection, truncated, outline } = loadResource(skill, relative_path, options);
  session.requireUnchanged(skill, { file: relative_path });
  if (!session.read?.includes(`${skill.skillId} ${relative_path}`))
    session.run.record({ type: 'resource-loaded', skill: skill.skillId, path: relative_path, sha256: sha256(text) });
  const titles = outline.map(({ title }) => title).join('; ');
  const notes = [
    ...(unknownSection === undefined ? [] : [`there is no section ${unknownSection}`]),
    ...(truncated && titles !== '' ? [`sections to ask for: ${titles}`] : []),
  ];
  return {
    state: unknownSection === undefined ? 'success' : 'error',
    text: [text, ...notes].join('\n'),
    effect: false,
  };
}

/** Policy decides about reading; in a replay it has decided already. */
async function refuseReading(skill: SkillEntry, file: string, session: Session): Promise<Acted | undefined> {
  const { effects, within, turn, context, stop } = session;
  if ('replay' in effects) return undefined;
  const outcome = await permitReading(skill, file, context, effects.doorFor(within, turn), AS_AGENT);
  return outcome && { ...actedBy(outcome, stop), effect: false };
}

async function searchSkills(query: string, session: Session): Promise<Acted> {
  const search = await session.search();
  const { hits } = search.search(query, { limit: HITS, accept: isForModels });
  const lines = hits.map(
    ({ skill: { name, source, manifest } }) => `${asAttribute(name)} (${source}): ${asAttribute(manifest.description)}`,
  );
  return { state: 'success', text: lines.length > 0 ? lines.join('\n') : 'no skill fits', effect: false };
}

/** A skill that works on its own is no call. */
interface SubagentWish {
  readonly subagent: SkillEntry;
  readonly params: Of<'invoke_skill'>['params'];
}

type Effect = Of<'run_script' | 'invoke_skill' | 'use_tool'>;

/** What is to pass the door; or why nothing is, for the model to read. */
function callOf(action: Effect, session: Session): Call | SubagentWish | string {
  switch (action.type) {
    case 'run_script':
      return callOfScript(action, session);
    case 'invoke_skill':
      return callOfSkill(action, session);
    case 'use_tool':
      return callOfTool(action, session);
  }
}

function callOfScript({ skill: ref, relative_path, args, stdin }: Of<'run_script'>, session: Session): Call | string {
  const found = findSelected(ref, session);
  if ('problem' in found) return found.problem;
  const { context } = session;
  const input = stdin !== undefined && { stdin };
  return { kind: 'run_script', skill: referenceOf(found.skill), script: relative_path, args, ...input, context };
}

function callOfSkill(
  { skill: ref, action, params }: Of<'invoke_skill'>,
  session: Session,
): Call | SubagentWish | string {
  const found = findSkill(ref, session);
  if ('problem' in found) return found.problem;
  const { skill } = found;
  if (skill.manifest.runMode === 'subagent' && session.depth === 0) return { subagent: skill, params };
  if (skill.kind === 'prompt') return `${asAttribute(skill.name)} is text to read: use select_skills`;
  const given = params as Record<string, Json>;
  const { context } = session;
  if (skill.kind === 'command') return { kind: 'invoke', skill: referenceOf(skill), params: given, context };
  if (action === undefined) return `${asAttribute(skill.name)} needs an action: ${actionsOf(skill)}`;
  return { kind: 'call', skill: referenceOf(skill), action, params: given, context };
}

function callOfTool({ tool, args, skill: ref }: Of<'use_tool'>, session: Session): Call | string {
  const found: FoundSkill | undefined = ref && findSelected(ref, session);
  if (found && 'problem' in found) return found.problem;
  const { context } = session;
  const whose = found ? { skill: referenceOf(found.skill) } : { active: activeSkills(session).map(referenceOf) };
  const remote = readServerToolName(tool);
  if (remote) {
    const { server, tool: name } = remote;
    if (name === undefined) return `name one of its tools: mcp:${server}/tool`;
    return { kind: 'use_server', server, tool: name, args: args as Record<string, Json>, context, ...whose };
  }
  const about = aboutOf(tool);
  if (about === 'script') return 'scripts of skills are run with the action run_script';
  if (about === 'shell') return callOfShell(args, whose, context);
  if (about !== 'command')
    return { kind: 'use_tool', tool, args: args as Record<string, Json>, layered: true, context, ...whose };
  const { argv } = args;
  if (!isWords(argv)) return `${findTool(tool)} takes {"argv": ["program", "word", …]}`;
  return { kind: 'run_command', argv, context, ...whose };
}

function callOfShell(
  { script, timeout }: Record<string, unknown>,
  whose: Pick<RunShell, 'skill' | 'active'>,
  context: RunShell['context'],
): Call | string {
  const isTime = timeout === undefined || (typeof timeout === 'number' && timeout > 0);
  if (typeof script !== 'string' || !isTime) return 'run_shell takes {"script": "text", "timeout": seconds}';
  return { kind: 'run_shell', script, ...(timeout !== undefined && { timeoutSeconds: timeout }), context, ...whose };
}

function aboutOf(name: string) {
  const tool = findTool(name);
  return tool && toolOf(tool).about;
}

const AS_AGENT = { agent: 'agent', surface: 'invoke' } as const;

async function passDoor(call: Call, { effects, within, turn, stop }: Session): Promise<Acted> {
  if ('replay' in effects) return effects.replay(call);
  return actedBy(await perform(call, effects.doorFor(within, turn), AS_AGENT), stop);
}

function actedBy(outcome: Outcome, stop: AbortSignal): Acted {
  const { state, product } = outcome;
  const acted = { state, text: outcomeText(outcome), effect: true, artifacts: product?.artifacts ?? [] };
  // No decision was made: the question is asked again at resume.
  if (stop.aborted && state === 'error' && outcome.failure.code === 'APPROVAL_DENIED')
    return { state: 'stopped', text: '', effect: false };
  return state === 'interrupted' ? { ...acted, waiting: outcome } : acted;
}

function actionsOf({ manifest }: SkillEntry): string {
  const names = (manifest.actions ?? []).map(({ name }) => name);
  return names.length > 0 ? names.join(', ') : 'its instructions name them';
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

function refuse(problem: string): Acted {
  return { state: 'error', text: problem, effect: false };
}
