// Resumes a run of the agent that was stopped or killed, or that waits for an answer.
import { type LeftOff, recover } from '../../agent/resume/recover.ts';
import { claimRun } from '../../agent/resume/run-owner.ts';
import type { RunState } from '../../agent/run-state.ts';
import { findRunFolder, resumeRun } from '../../audit/run-folder.ts';
import { Fault } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import type { Json } from '../../base/json.ts';
import type { Outcome } from '../../base/outcome.ts';
import { answerQuestion, type SavedAnswer } from '../../door/resume.ts';
import { allowanceOf } from '../../door/work.ts';
import { nameModel } from '../../model/choice.ts';
import { preferSource } from '../../registry/prefer-source.ts';
import { type OpenDoor, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { driveRun } from './drive.ts';
import { openModelFor } from './model.ts';
import { doorOptionsOf, type RunOrder } from './order.ts';
import type { WaitingRun } from './question.ts';
import { contextOf } from './role.ts';

/** What is said to the question a run waits for. */
export interface RunAnswer extends WaitingRun, SavedAnswer {}

/** Goes on with a run; one that waits for a decision is given it with `answer`. */
export async function resumeRequest(
  runtime: Runtime,
  id: string,
  order: RunOrder,
  answer?: RunAnswer,
): Promise<Outcome> {
  runtime.requireConfig();
  const startedAt = runtime.clock.now();
  const release = claimRun(findRunFolder(runtime.places.project, id));
  try {
    const { run, left, context } = reopen(runtime, id, order);
    const index = preferSource(runtime.index(), left.state.request.source);
    const state = withWishes(left.state, order);
    const model = await openModelFor(runtime, order, state, index, left.answers);
    const door = openDoor(runtime, { ...doorOptionsOf(state, order), index, context, run });
    const isRefused = answer !== undefined && !(await decide(answer, door));
    const start = isRefused ? withRefusal(left, answer.reason) : left;
    return await driveRun({ runtime, startedAt, order, index, model, door, run, state, left: start });
  } finally {
    release();
  }
}

/** Whether what the run waits for is allowed. */
async function decide(answer: RunAnswer, door: OpenDoor): Promise<boolean> {
  const { call, within } = answer;
  try {
    const bound = door.derive({ within: within.map((name) => allowanceOf(door.resolve(name))) });
    return (await answerQuestion(answer, call, bound)).isApproved;
  } catch (error) {
    // The run does not go on: what was started to look at the call again ends here.
    await Promise.all([door.servers.close(), door.workspace.close()]);
    throw error;
  }
}

/** What the user says now counts from now on. */
function withWishes(state: RunState, { budget = {}, skillBudgets = {}, model }: RunOrder): RunState {
  return {
    ...state,
    limits: { ...state.limits, ...budget },
    skill_limits: { ...state.skill_limits, ...skillBudgets },
    model: model === undefined ? state.model : nameModel(model, process.cwd()),
  };
}

/** The call the run waits for is observed as refused instead of being made. */
function withRefusal(left: LeftOff, reason: string | undefined): LeftOff {
  const why = reason === undefined ? '' : `; the reason: ${reason}`;
  const effect = { known: true, state: 'error', text: `error: ApprovalDenied: the answer was no${why}` } as const;
  const { inner } = left;
  if (inner?.recovered) return { ...left, inner: { ...inner, recovered: { ...inner.recovered, effect } } };
  return left.recovered ? { ...left, recovered: { ...left.recovered, effect } } : left;
}

function reopen(runtime: Runtime, id: string, order: RunOrder) {
  const { home, clock, places } = runtime;
  const context = { request_id: order.requestId ?? randomId(), agent_id: null, user_id: null };
  const options = { project: places.project, home, clock, kind: 'run', request: '', version: order.version, context };
  const { run, state, records } = resumeRun(options, id);
  if (!isRunState(state))
    throw new Fault('DataNotFound', { en: `${id} is no run of the agent`, zh: `${id} 不是智能体运行` });
  const left = recover(state, records, run.folder);
  return { run, left, context: contextOf(left.state.role, context.request_id) };
}

function isRunState(state: Json): boolean {
  return (
    typeof state === 'object' && state !== null && !Array.isArray(state) && 'request' in state && 'limits' in state
  );
}
