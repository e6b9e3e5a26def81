// Finds cases that prove nothing: those an agent passes by doing nothing, or by repeating the question.
import type { AuditRecord } from '../audit/event.ts';
import { type Diagnostic, diagnose } from '../base/diagnostic.ts';
import { toFault } from '../base/errors.ts';
import type { FlatOutcome } from '../base/flat-outcome.ts';
import type { Data, State } from '../base/outcome.ts';
import { type Case, isNegative } from './case/case.ts';
import { judgeRun } from './judge.ts';
import type { CaseRun } from './trace.ts';

/** Errors mean that the case is not run. */
export async function lintCase(test: Case): Promise<Diagnostic[]> {
  const { file, line, id } = test;
  const place = { path: file, ...(line !== undefined && { line }) };
  try {
    if (!isNegative(test) && (await passes(test, nothing()))) {
      const message = { en: `${id}: a run that does nothing passes this case`, zh: `${id}: 什么都不做也能通过此用例` };
      const fix = {
        en: 'expect something that has to happen: a skill, a step, a text',
        zh: '请期望必须发生的事: 技能、步骤或文本',
      };
      return [diagnose({ code: 'eval-vacuous', severity: 'error', ...place, message, fix })];
    }
    if (!isNegative(test) && (await passes(test, echo(test.turns.at(-1) ?? '')))) {
      const message = { en: `${id}: repeating the request passes this case`, zh: `${id}: 复述请求即可通过此用例` };
      const fix = { en: 'expect words that are not in the request', zh: '请期望请求中没有的词语' };
      return [diagnose({ code: 'eval-echo', severity: 'warning', ...place, message, fix })];
    }
    return [];
  } catch (error) {
    // An invalid pattern or schema is detected by trying it.
    const { en, zh } = toFault(error).sentence;
    const message = { en: `${id}: ${en}`, zh: `${id}: ${zh}` };
    return [diagnose({ code: 'eval-invalid', severity: 'error', ...place, message })];
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

function outcome(state: State, data: Data): FlatOutcome {
  return { state, agent: 'agent', summary: '', data, meta: { agent: 'agent', time: 0, ts: '' } };
}
