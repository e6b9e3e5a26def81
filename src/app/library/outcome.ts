// What a call through the library came to: typed by its state, in plain data that can be kept or sent as it is.
import { flatten } from '../../base/flat-outcome.ts';
import { isRecord, isTextList } from '../../base/json.ts';
import type { Failure, InterruptedOutcome, Outcome } from '../../base/outcome.ts';
import { changesIn } from './change.ts';
import type { CallOutcome, ErrorInfo, OpenQuestion, OutcomeShared } from './public/outcome.ts';

/** `result`: what came out of it, also where it failed; absent where nothing did. */
export function toCallOutcome<Result>(
  outcome: Outcome,
  found: { readonly result: Result } | undefined,
  none: () => Result,
): CallOutcome<Result> {
  const shared = { ...sharedOf(outcome), ...found };
  switch (outcome.state) {
    case 'success':
      return { state: outcome.state, ...shared, result: found ? found.result : none() };
    case 'partial':
      return { state: outcome.state, ...shared };
    case 'pending':
      return { state: outcome.state, ...shared, missing: outcome.missing };
    case 'interrupted': {
      const question = questionIn(outcome);
      return { state: outcome.state, ...shared, waitsFor: outcome.waitsFor, ...(question && { question }) };
    }
    case 'error':
    case 'timeout':
      return { state: outcome.state, ...shared, error: errorOf(outcome.failure, outcome.summary) };
  }
}

function sharedOf(outcome: Outcome): OutcomeShared {
  const { summary, next, warnings, meta, data, run } = outcome;
  const changes = changesIn(data.changes);
  const runId = run?.id ?? changes?.runId;
  return {
    summary,
    ...(runId !== undefined && { runId }),
    ...(changes && { changes }),
    ...(next !== undefined && { next }),
    ...(isTextList(warnings) && { warnings }),
    meta: { agent: meta.agent, seconds: meta.time, at: meta.ts },
    document: flatten(outcome),
  };
}

function questionIn({ data, question = '' }: InterruptedOutcome): OpenQuestion | undefined {
  const { id, expires } = data;
  return typeof id === 'string' && typeof expires === 'string' ? { id, text: question, expires } : undefined;
}

function errorOf({ type = '', code = type, msg, recoverable = null, details }: Failure, summary: string): ErrorInfo {
  return { type, code, message: msg ?? summary, recoverable, ...(isRecord(details) && { details }) };
}
