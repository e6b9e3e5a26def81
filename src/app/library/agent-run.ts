// A run of the agent from code: begun at once, read as events while it goes on, with a promise of its outcome.
import { isTextList } from '../../base/json.ts';
import type { Outcome } from '../../base/outcome.ts';
import { VERSION } from '../../base/version.ts';
import type { RunOrder } from '../run/order.ts';
import type { Runtime } from '../runtime.ts';
import { readBudget } from './budget.ts';
import { callerOf } from './caller.ts';
import { orFailed } from './carry-out.ts';
import { openStream } from './event/stream.ts';
import { tellTrace } from './event/trace.ts';
import { type Handle, quietly } from './handle.ts';
import { checkModel, modelOrder } from './model.ts';
import { toCallOutcome } from './outcome.ts';
import type { RunEvent } from './public/event.ts';
import type { CallOutcome } from './public/outcome.ts';
import type { AgentRun, RunOptions, RunResult } from './public/run.ts';

type Drive = (runtime: Runtime, order: RunOrder) => Promise<Outcome>;

/** Throws a Fault for options that are none, before anything has begun. */
export function driveFromCode(handle: Handle, options: RunOptions, drive: Drive): AgentRun {
  const begun = handle.begin();
  const model = options.model ?? handle.model;
  checkModel(model);
  const events = openStream<RunEvent>();
  const emit = quietly((event) => {
    events.push(event);
    quietly(options.onEvent)(event);
  });
  const caller = callerOf({ ...options, onEvent: emit }, begun, handle);
  const budget = budgetOf(options);
  const outcome = handle.track(
    orFailed<RunResult>(begun, async () => {
      const { runtime, role } = await inRole(options.role, begun);
      const { signal, context, role: _, attended: _attended, ...rest } = caller;
      const order: RunOrder = {
        ...rest,
        version: VERSION,
        ...(await modelOrder(model, runtime)),
        ...(role && { role }),
        ...(context && { requestId: context.request_id }),
        ...(signal && { stop: signal, abort: signal }),
        budget,
        trace: tellTrace(emit),
      };
      return { outcome: await drive(runtime, order) };
    }).then(({ outcome: ended }) => {
      const told = tellRun(ended);
      emit({ type: 'ended', outcome: told });
      events.end();
      return told;
    }),
  );
  return { outcome, [Symbol.asyncIterator]: () => events[Symbol.asyncIterator]() };
}

const NOTHING: RunResult = { answer: null, skills: [], turns: 0, toolCalls: 0, tokens: 0, artifacts: [] };

/** The end of a run of the agent, as the library and `run --stream-json` tell it. */
export function tellRun(outcome: Outcome): CallOutcome<RunResult> {
  return toCallOutcome(outcome, outcome.run && { result: resultIn(outcome) }, () => NOTHING);
}

/** As the facts of a run are told. */
function resultIn({ data, run }: Outcome): RunResult {
  const { skills, turns, tool_calls: toolCalls, tokens, artifacts } = data;
  const count = (value: unknown) => (typeof value === 'number' ? value : 0);
  return {
    answer: run?.answer ?? null,
    skills: isTextList(skills) ? skills : [],
    turns: count(turns),
    toolCalls: count(toolCalls),
    tokens: count(tokens),
    artifacts: isTextList(artifacts) ? artifacts : [],
  };
}

function budgetOf({ budget = {}, timeout }: RunOptions): NonNullable<RunOrder['budget']> {
  return { ...(timeout !== undefined && { seconds: timeout }), ...readBudget(budget) };
}

async function inRole(
  name: string | undefined,
  runtime: Runtime,
): Promise<Pick<RunOrder, 'role'> & { runtime: Runtime }> {
  if (name === undefined) return { runtime };
  const [{ requireRole }, { wantedRole, withSkillsOf }] = await Promise.all([
    import('../../jobs/executor.ts'),
    import('../run/as-role.ts'),
  ]);
  const role = await requireRole(runtime.project, name);
  return { role: wantedRole(role), runtime: withSkillsOf(role, runtime) };
}
