// The agent as a state machine: Init → IndexSkills → Decide → (LoadSkillBody | Act → Observe) → Decide … → Final.
import { Fault, toFault } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import { isMarkdown } from '../loader/resource.ts';
import type { Action, Aside, Decision } from '../model/action.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { act, isEffect, isScriptRun, type ToolAction } from './act.ts';
import type { Acted } from './acted.ts';
import { type Budget, exhausted, NOTHING_SPENT, remaining, spend } from './budget.ts';
import { adoptPlan, decideNext } from './decide.ts';
import { describeAction } from './describe.ts';
import type { Ending } from './ending.ts';
import { mayGoOn } from './extend-budget.ts';
import { compact, makeObservation } from './observation.ts';
import { advance, stuckBy } from './progress.ts';
import { leftOf, limitsOf, type RunState } from './run-state.ts';
import { chooseSkills } from './selection.ts';
import type { Recovered, Session } from './session.ts';
import { readSkillText, type SkillText } from './skill-text.ts';
import { beginTurn, endTurn } from './trace.ts';

export async function runLoop(session: Session): Promise<Ending> {
  const { machine } = session;
  enter(session);
  for (;;) {
    const ending = await takeTurn(session);
    endTurn(session, ending);
    if (!ending) continue;
    if (isFinal(ending, session)) machine.move('Final');
    return ending;
  }
}

/** A run whose budget is used up can be resumed; one inside another ends with it. */
function isFinal({ kind }: Ending, { depth }: Session): boolean {
  return kind === 'answered' || kind === 'stuck' || (kind === 'budget' && depth === 1);
}

/** To the first decision, or in a resumed run to where the next one is due. */
function enter({ machine, recovered }: Session): void {
  if (machine.at === 'Init') machine.move('IndexSkills');
  if (machine.at === 'Act' && !recovered) machine.move('Observe');
  if (machine.at !== 'Final' && !recovered) machine.move('Decide');
}

async function takeTurn(session: Session): Promise<Ending | undefined> {
  const { state, clock, machine } = session;
  const over = session.recovered ? undefined : await endOf(session);
  if (over) return over;
  const before = state.spent;
  const startedAt = clock.now();
  session.trace?.({ type: 'turn', turn: before.turns + 1, depth: session.depth });
  beginTurn(session);
  const decided = takeRecovered(session) ?? (await decideNext(session));
  if ('fault' in decided) return decided.stopped ? { kind: 'stopped' } : failure(decided.fault);
  const { decision } = decided;
  const turn: Turn = decided;
  if (!turn.recovered?.isCounted) state.spent = spend(state.spent, { turns: 1 });
  const { action } = decision;
  const ending =
    action.type === 'final_answer'
      ? answered(action, state, turn)
      : await observeAction(action, decision, session, turn.recovered);
  state.spent = spend(state.spent, { seconds: (clock.now() - startedAt) / 1000 });
  if (ending && ending.kind !== 'budget') return ending;
  chargeSkill(action, before, state);
  delete state.pending;
  delete session.read;
  session.save();
  if (ending) return ending;
  machine.move('Decide');
  return undefined;
}

type FinalAnswer = Extract<Action, { type: 'final_answer' }>;

interface Turn {
  readonly recovered?: Recovered;
  readonly aside?: Aside;
}

function answered({ content }: FinalAnswer, { refused }: RunState, { aside }: Turn): Ending {
  return refused ? { kind: 'budget', name: refused, content } : { kind: 'answered', content, ...aside };
}

/** The end of the run, where the action leads to one. */
async function observeAction(
  action: Exclude<Action, FinalAnswer>,
  decision: Decision,
  session: Session,
  recovered: Recovered | undefined,
): Promise<Ending | undefined> {
  const { state, machine } = session;
  if (action.type === 'select_skills') {
    machine.move('LoadSkillBody');
    observe(action, loadSkills(action, session), session, recovered);
    return undefined;
  }
  const lacking = await lackingFor(action, session);
  if (session.stop.aborted && lacking) return { kind: 'stopped' };
  if (lacking?.ends && state.refused) return { kind: 'budget', name: lacking.ends };
  if (lacking?.ends) state.refused = lacking.ends;
  if (machine.at !== 'Observe') machine.move('Act');
  state.pending = decision;
  const acted = lacking ? refusal(lacking.why) : (doneBefore(action, state, recovered) ?? (await act(action, session)));
  if (acted.waiting) return { kind: 'waiting', outcome: acted.waiting };
  if (acted.state === 'stopped') return { kind: 'stopped' };
  if (!lacking) state.spent = spend(state.spent, costOf(action));
  machine.move('Observe');
  observe(action, acted, session, recovered);
  return undefined;
}

/** A recorded effect is not repeated; one that only may have happened is reported instead. */
function doneBefore(action: ToolAction, state: RunState, recovered: Recovered | undefined): Acted | undefined {
  const effect = recovered?.effect;
  if (effect?.known) return { state: effect.state, text: effect.text, effect: true };
  if (!effect || !isEffect(action)) return undefined;
  const { call, tool, skill, args } = effect;
  state.uncertain.push({ call, tool, ...(skill !== undefined && { skill }), args });
  const text =
    'uncertain: the run was interrupted while this was under way; whether it happened is unknown. Look before doing it again.';
  return { state: 'uncertain', text, effect: true };
}

function loadSkills(action: Action & { type: 'select_skills' }, session: Session): Acted {
  const { load, notes, failed } = chooseSkills(action.skills, session);
  const lines: string[] = [];
  const problems: string[] = [];
  for (const skill of load) {
    const problem = loadSkill(skill, session);
    if (problem === undefined) lines.push(`${skill.name} (${skill.source}): loaded`);
    else problems.push(`${skill.name} (${skill.source}): not loaded: ${problem}`);
  }
  const isEmpty = failed || (problems.length > 0 && lines.length === 0);
  const text = [...lines, ...problems, ...notes].join('\n');
  return { state: isEmpty ? 'error' : 'success', text, effect: lines.length > 0 };
}

/** Why it could not be read, if so: a missing skill is an observation. */
function loadSkill(skill: SkillEntry, session: Session): string | undefined {
  const { skillId, source } = skill;
  const read = tryRead(skill, session);
  if (read instanceof Fault) return read.message;
  session.bodies.set(skillId, read.text);
  session.state.loaded_skills.push(read.loaded);
  if (!session.read?.includes(skillId)) session.run.record({ type: 'skill-selected', skill: skillId, source });
  return undefined;
}

function tryRead(skill: SkillEntry, session: Session): SkillText | Fault {
  try {
    return readSkillText(skill, session);
  } catch (error) {
    return toFault(error);
  }
}

function observe(action: Action, acted: Acted, session: Session, recovered: Recovered | undefined): void {
  const { state, run, depth } = session;
  const recorded = recovered?.observation;
  const text = recorded?.text ?? acted.text;
  const kept = recorded?.kept ?? run.keep(text);
  if (!recorded) run.record({ type: 'observation', text: kept });
  const seen = {
    turn: state.spent.turns,
    of: describeAction(action),
    state: acted.state,
    text,
    markdown: isMarkdownRead(action),
  };
  const { kept: observations, dropped } = compact([...state.observations, makeObservation(seen, kept)]);
  state.observations = observations;
  state.forgotten += dropped;
  const written = (acted.artifacts ?? []).map(session.noteArtifact);
  state.artifacts = [...new Set([...state.artifacts, ...written])];
  state.progress = advance(state.progress, {
    action: shortHash(canonicalJson(action)),
    result: shortHash(`${acted.state}\n${text}`),
    failed: acted.state !== 'success' && acted.state !== 'partial',
    effect: acted.effect && isEffect(action),
  });
  const summary = text.split('\n', 1)[0] ?? '';
  session.trace?.({ type: 'observed', turn: state.spent.turns, depth, state: acted.state, summary });
}

const TURN_BUDGETS = ['turns', 'tokens', 'seconds', 'cost'] as const;

/** What ends a run before its next turn. */
async function endOf(session: Session): Promise<Ending | undefined> {
  const { state, stop } = session;
  const why = stuckBy(state.progress);
  // Asked one turn early: after a no, the model still answers with what is known.
  if (!stop.aborted && !why && state.spent.turns > 0 && leftOf(state).turns === 1) await mayGoOn(session, 'turns');
  for (const name of TURN_BUDGETS) {
    if (stop.aborted || !exhausted(limitsOf(state), state.spent, [name])) continue;
    const goesOn = !why && (await mayGoOn(session, name));
    if (!goesOn && !stop.aborted) return { kind: 'budget', name };
  }
  if (stop.aborted) return { kind: 'stopped' };
  return why && { kind: 'stuck', why };
}

/** What the run cannot afford, after whoever is there was asked about its budget. */
async function lackingFor(action: ToolAction, session: Session): Promise<Lacking | undefined> {
  const lacking = unaffordable(action, session.state);
  if (!lacking?.ends || !(await mayGoOn(session, lacking.ends))) return lacking;
  delete session.state.refused;
  return await lackingFor(action, session);
}

interface Lacking {
  /** The exhausted budget of the whole run; a skill's own budget does not end the run. */
  readonly ends?: 'tool_calls' | 'script_runs';
  readonly why: string;
}

function unaffordable(action: ToolAction, state: RunState): Lacking | undefined {
  const needs = isScriptRun(action) ? (['tool_calls', 'script_runs'] as const) : (['tool_calls'] as const);
  const ends = needs.find((name) => state.spent[name] >= limitsOf(state)[name]);
  if (ends) return { ends, why: `not done: the budget for ${ends} is used up` };
  const skill = skillOf(action);
  const limits = skill === undefined ? undefined : state.skill_limits[skill];
  if (skill === undefined || !limits) return undefined;
  const used = state.spent_by_skill[skill] ?? NOTHING_SPENT;
  const name = (Object.keys(limits) as (keyof Budget)[]).find((one) => used[one] >= (limits[one] ?? Infinity));
  return name && { why: `not done: the budget of ${skill} for ${name} is used up` };
}

function costOf(action: ToolAction): Partial<Budget> {
  return { tool_calls: 1, script_runs: isScriptRun(action) ? 1 : 0 };
}

function isMarkdownRead(action: Action): boolean {
  const file = fileIn(action);
  return typeof file === 'string' && isMarkdown(file);
}

function fileIn(action: Action): unknown {
  if (action.type === 'load_resource') return action.relative_path;
  return action.type === 'use_tool' ? action.args.path : undefined;
}

/** The usage of a turn also counts for the skill it was about. */
function chargeSkill(action: Action, before: Budget, state: RunState): void {
  const skill = skillOf(action);
  if (skill === undefined) return;
  state.spent_by_skill[skill] = spend(state.spent_by_skill[skill] ?? NOTHING_SPENT, remaining(state.spent, before));
}

function skillOf(action: Action): string | undefined {
  return 'skill' in action ? action.skill?.name : undefined;
}

function takeRecovered(session: Session): ({ decision: Decision } & Turn) | undefined {
  const { recovered, state } = session;
  if (!recovered) return undefined;
  delete session.recovered;
  session.read = recovered.read;
  if (recovered.isPlanRecorded) state.plan = recovered.plan;
  else adoptPlan(session, recovered.plan);
  return { decision: recovered.decision, recovered };
}

function failure(fault: (Ending & { kind: 'failed' })['fault']): Ending {
  return { kind: 'failed', fault, resumable: fault.reason !== 'unusable-answer' };
}

function refusal(why: string): Acted {
  return { state: 'error', text: why, effect: false };
}

function shortHash(text: string): string {
  return sha256(text).slice(0, 16);
}
