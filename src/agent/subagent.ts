// A skill as subagent: an inner run on the remaining budget; only the answer comes back.
import type { Span } from '../base/telemetry.ts';
import { visible } from '../base/text.ts';
import type { SkillEntry } from '../registry/discover.ts';
import type { Acted } from './acted.ts';
import { NOTHING_SPENT, remaining, spend } from './budget.ts';
import type { Ending } from './ending.ts';
import { createSession } from './open-session.ts';
import { leftOf, newRunState, type RunState } from './run-state.ts';
import { activeSkills } from './selection.ts';
import type { Session } from './session.ts';
import { readSkillText } from './skill-text.ts';
import { createMachine, type StateName } from './state.ts';
import { beginRun } from './trace.ts';

export async function runSubagent(
  skill: SkillEntry,
  params: Readonly<Record<string, unknown>>,
  outer: Session,
): Promise<Acted> {
  const span = beginRun(outer.turn, { name: skill.name, model: outer.model });
  const inner = openInner(skill, taskOf(params, outer), outer, span);
  delete outer.inner;
  const ending = await outer.runInside(inner);
  span?.end(ending.kind === 'failed' ? ending.fault.code : undefined);
  if (ending.kind === 'waiting') return { state: 'interrupted', text: '', effect: true, waiting: ending.outcome };
  if (ending.kind === 'stopped') return { state: 'stopped', text: '', effect: true };
  closeInner(inner.state, outer.state);
  outer.state.artifacts.push(...inner.state.artifacts);
  return { effect: true, ...answerOf(ending) };
}

function openInner(skill: SkillEntry, task: string, outer: Session, span: Span | undefined): Session {
  const earlier = outer.state.child;
  const state = earlier ?? newInner(skill, task, outer.state);
  const { bodyLines, requireUnchanged, serverOf, inner: left } = outer;
  const { text, loaded } = readSkillText(skill, { state, bodyLines, requireUnchanged, serverOf });
  const label = (name: StateName) => `${skill.name}/${name}`;
  if (!earlier) {
    state.loaded_skills.push(loaded);
    if (!outer.read?.includes(skill.skillId))
      outer.run.record({ type: 'skill-selected', skill: skill.skillId, source: skill.source });
  }
  const inner = createSession(outer, {
    state,
    depth: 1,
    catalog: outer.catalog,
    within: activeSkills(outer),
    bodies: new Map([[skill.skillId, text]]),
    machine: createMachine(
      (from, to) => outer.run.record({ type: 'state', from: label(from), to: label(to) }),
      left?.at,
    ),
    save: () => {
      outer.state.child = state;
      outer.save();
    },
    runInside: outer.runInside,
    tracer: span ?? outer.tracer,
    left,
  });
  // From here on a killed run resumes inside, not with the decision that led here.
  if (!earlier) inner.save();
  return inner;
}

function newInner(skill: SkillEntry, task: string, outer: RunState): RunState {
  return newRunState({
    request: { text: task, normalized: task, named: [skill.skillId], input: task },
    model: outer.model,
    whereabouts: outer.whereabouts,
    servers: outer.servers,
    limits: leftOf(outer),
    skillLimits: outer.skill_limits,
  });
}

/** The usage of the inner run counts; its time is part of the outer turn already. */
function closeInner(inner: RunState, outer: RunState): void {
  outer.spent = spend(outer.spent, { ...inner.spent, seconds: 0 });
  for (const [name, used] of Object.entries(inner.spent_by_skill))
    outer.spent_by_skill[name] = spend(outer.spent_by_skill[name] ?? remaining(used, used), used);
  // The person was asked inside, and it is one budget.
  if (inner.extended) outer.extended = spend(outer.extended ?? NOTHING_SPENT, inner.extended);
  outer.uncertain.push(...inner.uncertain);
  delete outer.child;
}

function answerOf(ending: Exclude<Ending, { kind: 'waiting' | 'stopped' }>): Pick<Acted, 'state' | 'text'> {
  switch (ending.kind) {
    case 'answered':
      return { state: 'success', text: ending.content };
    case 'budget':
      return { state: 'partial', text: ending.content ?? `the budget for ${ending.name} is used up` };
    case 'stuck':
      return { state: 'partial', text: `it got nowhere: ${ending.why}` };
    case 'failed':
      return { state: 'error', text: visible(ending.fault.message) };
  }
}

function taskOf({ task, input, ...rest }: Readonly<Record<string, unknown>>, outer: Session): string {
  const written = [task, input].find((value) => typeof value === 'string' && value !== '');
  if (typeof written === 'string') return written;
  return Object.keys(rest).length > 0 ? JSON.stringify(rest) : outer.state.request.normalized;
}
