// A run, its turns and its model queries as spans, by OpenTelemetry's conventions for generative AI.
import type { Outcome } from '../base/outcome.ts';
import type { Span, Tracer } from '../base/telemetry.ts';
import { errorTypeOf } from '../door/trace.ts';
import type { Model, TokenUsage } from '../model/model.ts';
import type { Ending } from './ending.ts';
import type { RunState } from './run-state.ts';
import type { Session } from './session.ts';

export interface TracedRun {
  /** The name of the role, or of the skill that runs as subagent. */
  readonly name: string;
  readonly model: Model;
  readonly id?: string;
}

export function beginRun(tracer: Tracer | undefined, { name, model, id }: TracedRun): Span | undefined {
  return tracer?.begin(`invoke_agent ${name}`, {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': name,
    'gen_ai.conversation.id': id,
    ...modelAttributes(model),
  });
}

export function endRun(span: Span, outcome: Outcome, { spent }: RunState): void {
  span.set({
    'skillwright.outcome.state': outcome.state,
    'skillwright.run.turns': spent.turns,
    'skillwright.run.tool_calls': spent.tool_calls,
    'skillwright.run.tokens': spent.tokens,
    'skillwright.run.cost': spent.cost,
  });
  span.end(errorTypeOf(outcome));
}

/** The parent span of everything in the turn. */
export function beginTurn(session: Session): void {
  const { tracer, state, depth } = session;
  if (!tracer) return;
  session.turn = tracer.begin('turn', {
    'skillwright.turn.number': state.spent.turns + 1,
    'skillwright.turn.depth': depth,
  });
}

export function endTurn(session: Session, ending: Ending | undefined): void {
  const { turn } = session;
  if (!turn) return;
  delete session.turn;
  if (ending) turn.set({ 'skillwright.run.ending': ending.kind });
  turn.end(ending?.kind === 'failed' ? ending.fault.code : undefined);
}

export function beginQuestion({ turn, model }: Session): Span | undefined {
  return turn?.begin(
    `chat ${model.name}`,
    { 'gen_ai.operation.name': 'chat', 'gen_ai.output.type': 'json', ...modelAttributes(model) },
    'client',
  );
}

export function endQuestion(span: Span, { inputTokens, outputTokens, cost }: TokenUsage): void {
  span.set({
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'skillwright.usage.cost': cost,
  });
  span.end();
}

function modelAttributes({ name, provider = name }: Model) {
  return { 'gen_ai.provider.name': provider, 'gen_ai.request.model': name };
}
