// One turn's decision: one query to the model, one corrective retry with the exact error, then a failure.
import { Fault, toFault } from '../base/errors.ts';
import { type Aside, type Decision, decisionSchemas, type Plan } from '../model/action.ts';
import { type ModelMessage, type ModelReply, NO_USAGE } from '../model/model.ts';
import { parseDecision } from '../model/parse-action.ts';
import { spend } from './budget.ts';
import { buildMessages, correction, promptText } from './context.ts';
import { describeAction } from './describe.ts';
import { changePlan } from './plan.ts';
import type { RunState } from './run-state.ts';
import type { Session } from './session.ts';
import { beginQuestion, endQuestion } from './trace.ts';

type OpenReply = ModelReply & Aside;

export type Decided = { readonly decision: Decision; readonly aside: Aside } | NotDecided;

interface NotDecided {
  readonly fault: Fault;
  /** Set when the user asked to stop. */
  readonly stopped: boolean;
}

export async function decideNext(session: Session): Promise<Decided> {
  const messages = buildMessages(session);
  const { badAnswer } = session;
  delete session.badAnswer;
  const first = badAnswer === undefined ? await askModel(session, messages) : { text: badAnswer, usage: NO_USAGE };
  if ('fault' in first) return first;
  const checked = checkAnswer(session.state, first.text);
  if (checked.ok) return accept(session, checked, first);
  session.trace?.({ type: 'retry', reason: checked.problem });
  const second = await askModel(session, [...messages, ...correction(first.text, checked.problem)]);
  if ('fault' in second) return second;
  const again = checkAnswer(session.state, second.text);
  return again.ok ? accept(session, again, second) : { fault: noDecision(again.problem), stopped: false };
}

type Checked =
  | { readonly ok: true; readonly decision: Decision; readonly plan: Plan }
  | { readonly ok: false; readonly problem: string };

/** All checks of an answer that are possible before anything is executed. */
export function checkAnswer(state: RunState, text: string): Checked {
  const parsed = parseDecision(text);
  if (!parsed.ok) return parsed;
  const { decision } = parsed;
  const { turns, tool_calls, script_runs } = state.limits;
  if (!decision.plan_update) return { ok: true, decision, plan: state.plan ?? firstPlan(state) };
  const limits = { max_turns: turns, max_tool_calls: tool_calls, max_script_runs: script_runs };
  const changed = changePlan(state.plan, decision.plan_update, limits);
  if (!changed.ok) return { ok: false, problem: `plan_update: ${changed.problem}` };
  return { ok: true, decision, plan: changed.plan };
}

/** What a valid decision changes at once: the plan. */
export function adoptPlan({ state, run }: Session, plan: Plan): void {
  if (state.plan === plan) return;
  state.plan = plan;
  run.record({ type: 'plan', plan: run.keep(JSON.stringify(plan)) });
}

function accept(session: Session, { decision, plan }: Checked & { ok: true }, reply: OpenReply): Decided {
  const { pending, failed } = reply;
  adoptPlan(session, plan);
  return { decision, aside: { ...(pending && { pending }), ...(failed && { failed }) } };
}

async function askModel(session: Session, messages: readonly ModelMessage[]): Promise<OpenReply | NotDecided> {
  const { model, run, clock, state, stop, trace, depth } = session;
  const startedAt = clock.now();
  const span = beginQuestion(session);
  try {
    const reply: OpenReply = await model.decide({
      messages,
      schema: decisionSchema(),
      signal: stop,
      ...(trace && {
        onText: (piece: string) => trace({ type: 'thinking', depth, piece }),
        onRetry: ({ reason }) => trace({ type: 'retry', reason: reason.en }),
      }),
    });
    if (span) endQuestion(span, reply.usage);
    const { inputTokens, outputTokens, cost } = reply.usage;
    state.spent = spend(state.spent, { tokens: inputTokens + outputTokens, cost });
    const prompt = run.keep(promptText(messages));
    const answer = run.keep(reply.text);
    const tokens = { input_tokens: inputTokens, output_tokens: outputTokens };
    run.record({ type: 'model', model: model.name, prompt, answer, ...tokens, cost });
    traceDecision(session, reply, clock.now() - startedAt);
    return reply;
  } catch (error) {
    const fault = toFault(error);
    span?.end(stop.aborted ? 'cancelled' : fault.code);
    return { fault, stopped: stop.aborted };
  }
}

function traceDecision({ trace, state, depth }: Session, { text, usage }: ModelReply, milliseconds: number): void {
  if (!trace) return;
  const parsed = parseDecision(text);
  const wanted = parsed.ok ? parsed.decision.action : undefined;
  const [kind, action] = wanted ? [wanted.type, describeAction(wanted)] : ['?', '?'];
  const tokens = usage.inputTokens + usage.outputTokens;
  trace({ type: 'decided', turn: state.spent.turns + 1, depth, kind, action, tokens, milliseconds });
}

/** For a model without a plan: the request is the goal, and answering it the one step. */
function firstPlan({ request, limits }: RunState): Plan {
  return {
    goal: request.normalized.slice(0, 500) || 'answer',
    steps: [{ id: 's1', title: 'fulfil the request', status: 'in_progress' }],
    assumptions: [],
    constraints: { max_turns: limits.turns, max_tool_calls: limits.tool_calls },
  };
}

let schema: unknown;
function decisionSchema(): unknown {
  schema ??= decisionSchemas().decision;
  return schema;
}

function noDecision(problem: string): Fault {
  const short = problem.slice(0, 500);
  return new Fault(
    'ExternalServiceError',
    { en: `the model gave no valid decision, twice: ${short}`, zh: `模型两次未给出有效决策: ${short}` },
    {
      details: { decision: 'invalid' },
      reason: 'unusable-answer',
      hint: {
        en: '`skillwright schema decision` shows the form that is expected; another model may keep to it.',
        zh: '`skillwright schema decision` 显示所需格式；可换用其他模型。',
      },
    },
  );
}
