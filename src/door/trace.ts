// A call and its process as spans: which tool and skill, what policy said, how it ended. Names, numbers and codes; no argument, no output.
import type { Outcome } from '../base/outcome.ts';
import type { Span, Tracer } from '../base/telemetry.ts';
import type { PolicyDecision } from '../policy/policy.ts';
import type { Ended, Tier } from '../process/order.ts';
import type { Call } from './call.ts';
import type { Door } from './door.ts';
import type { CallRecord } from './record.ts';

export function beginCall({ kind }: Call, { tracer }: Door): Span | undefined {
  return tracer?.begin(`execute_tool ${kind}`, {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.type': 'function',
    'skillwright.call.kind': kind,
  });
}

export function traceDecision(
  { id, work, network, tier, role, span }: CallRecord,
  { effect, risk }: PolicyDecision,
): void {
  span?.rename(`execute_tool ${work.tool}`);
  span?.set({
    'gen_ai.tool.name': work.tool,
    'gen_ai.tool.call.id': id,
    'skillwright.policy.effect': effect,
    'skillwright.policy.risk': risk,
    'skillwright.skill.id': work.skill?.skillId,
    'skillwright.skill.digest': work.digest === '' ? undefined : work.digest,
    'skillwright.role': role,
    'skillwright.network': network,
    'skillwright.sandbox.tier': tier,
  });
}

export function endCall(span: Span, outcome: Outcome): void {
  span.set({ 'skillwright.outcome.state': outcome.state });
  span.end(errorTypeOf(outcome));
}

/** A skill may call its errors what it likes: what does not look like a code is not repeated. */
export function errorTypeOf(outcome: Outcome): string | undefined {
  if (!('failure' in outcome)) return undefined;
  const { code } = outcome.failure;
  return code !== undefined && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : '_OTHER';
}

export interface ProcessSpan extends Disposable {
  ended(how: Ended): void;
}

/** A span that is disposed of before the process has ended says that none was started. */
export function beginProcess(tier: Tier, tracer: Tracer | undefined): ProcessSpan | undefined {
  const span = tracer?.begin('process', { 'skillwright.sandbox.tier': tier });
  if (!span) return undefined;
  return {
    ended({ exit, signal, durationMs, why }) {
      span.set({
        'process.exit.code': exit ?? undefined,
        'skillwright.process.signal': signal ?? undefined,
        'skillwright.process.duration': durationMs / 1000,
        'skillwright.process.ended_by': why,
      });
      span.end(why === 'exit' && exit === 0 ? undefined : why === 'exit' ? (signal ?? 'exit') : why);
    },
    [Symbol.dispose]: () => span.end('not_started'),
  };
}
