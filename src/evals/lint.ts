// Finds cases that prove nothing: those an agent passes by doing nothing, or by repeating the question.
import type { AuditRecord } from '../audit/event.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import { toFault } from '../base/errors.ts';
import type { Data, Outcome, State } from '../base/outcome.ts';
import { type Case, isNegative } from './case/case.ts';
import { judgeRun } from './judge.ts';
import type { CaseRun } from './trace.ts';

/** Errors mean that the case is not run. */
export async function lintCase(test: Case): Promise<Diagnostic[]> {
  const { file, line, id } = test;
  const place = { path: file, ...(line !== undefined && { line }) };
  try {
    if (!isNegative(test) && (await passes(test, nothing()))) {
      const message = `${id}: a run that does nothing passes this case`;
      const fix = 'expect something that has to happen: a skill, a step, a text';
      return [{ code: 'eval-vacuous', severity: 'error', ...place, message, fix }];
    }
    if (!isNegative(test) && (await passes(test, echo(test.turns.at(-1) ?? '')))) {
      const message = `${id}: repeating the request passes this case`;
      return [
        { code: 'eval-echo', severity: 'warning', ...place, message, fix: 'expect words that are not in the request' },
      ];
    }
    return [];
  } catch (error) {
    // An invalid pattern or schema is detected by trying it.
    return [{ code: 'eval-invalid', severity: 'error', ...place, message: `${id}: ${toFault(error).message}` }];
  }
}

async function passes(test: Case, run: CaseRun): Promise<boolean> {
  const judgements = await judgeRun(test, run);
  return judgements.every(({ ok }) => ok === true);
}

function nothing(): CaseRun {
  return { records: [], text: () => undefined, outcome: outcome('error', {}) };
}

function echo(answer: string): CaseRun {
  const context = { request_id: '', agent_id: null, user_id: null };
  const final = {
    type: 'state',
    from: 'Decide',
    to: 'Final',
    seq: 0,
    ts: '',
    tier: null,
    prev: '',
    ...context,
  } as const;
  const records: AuditRecord[] = [final];
  return { records, text: () => undefined, outcome: outcome('success', { answer }) };
}

function outcome(state: State, data: Data): Outcome {
  return { state, agent: 'agent', summary: '', data, meta: { agent: 'agent', time: 0, ts: '' } };
}
