// From the record of a killed run to where it left off: the decision under way, and what is known of its effect.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AuditRecord, TextRef } from '../audit/event.ts';
import { sha256 } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import { spend } from './budget.ts';
import { checkAnswer } from './decide.ts';
import { fromJson, type RunState } from './run-state.ts';
import type { Recovered, RecoveredEffect } from './session.ts';
import { isStateName, type StateName } from './state.ts';

export interface LeftOff {
  readonly state: RunState;
  readonly at: StateName;
  readonly recovered?: Recovered;
  readonly innerRecovered?: Recovered;
  /** How often the model has answered so far. */
  readonly answers: number;
}

export function recover(saved: Json, records: readonly AuditRecord[], folder: string): LeftOff {
  const state = fromJson(structuredClone(saved));
  const since = recordsSince(saved, records);
  const innermost = state.child ?? state;
  addTokens(since, innermost);
  const found = recoverTurn(since, innermost, folder);
  const answers = records.filter(({ type }) => type === 'model').length;
  const at = lastState(records, false) ?? 'Init';
  if (!state.child) return { state, at, answers, ...(found && { recovered: found }) };
  const { pending, plan } = state;
  return {
    state,
    at,
    answers,
    ...(pending && plan && { recovered: { decision: pending, plan, at, read: [], isCounted: true } }),
    ...(found && { innerRecovered: found }),
  };
}

/** Everything recorded after the state was: it may not have reached the disk before the next one was announced. */
function recordsSince(saved: Json, records: readonly AuditRecord[]): readonly AuditRecord[] {
  const hash = sha256(`${JSON.stringify(saved)}\n`);
  const at = records.findLastIndex((record) => record.type === 'checkpoint' && record.sha256 === hash);
  return records.slice(at + 1);
}

function addTokens(since: readonly AuditRecord[], state: RunState): void {
  for (const record of since) {
    if (record.type !== 'model') continue;
    const { input_tokens, output_tokens, cost = 0 } = record;
    state.spent = spend(state.spent, { tokens: input_tokens + output_tokens, cost });
  }
}

function recoverTurn(since: readonly AuditRecord[], state: RunState, folder: string): Recovered | undefined {
  const answer = since.findLast((record) => record.type === 'model')?.answer;
  const text = answer && readKept(answer, folder);
  const checked = text === undefined ? undefined : checkAnswer(state, text.text);
  if (!text || !checked?.ok) return undefined;
  const effect = recoverEffect(since, folder);
  // A text that lost a secret on its way to the disk is no order to act on.
  if (!text.isWhole && !effect) return undefined;
  const observed = since.findLast((record) => record.type === 'observation')?.text;
  const observation = observed && readKept(observed, folder)?.text;
  return {
    decision: checked.decision,
    plan: checked.plan,
    at: lastState(since, state !== undefined) ?? 'Decide',
    read: since.flatMap((record) => (record.type === 'skill-selected' ? [record.skill] : [])),
    ...(effect && { effect }),
    ...(observed && observation !== undefined && { observation: { text: observation, kept: observed } }),
  };
}

function recoverEffect(since: readonly AuditRecord[], folder: string): RecoveredEffect | undefined {
  const intent = since.findLast((record) => record.type === 'call-intent');
  if (!intent) return undefined;
  const { call, tool, skill } = intent;
  const result = since.findLast((record) => record.type === 'call-result' && record.call === call);
  if (result?.type !== 'call-result') {
    const args = readKept(intent.args, folder)?.text ?? '';
    return { known: false, call, tool, args, ...(skill !== undefined && { skill }) };
  }
  const { state, exit, error, output } = result;
  const facts = [
    `${state}: ${tool}`,
    ...(exit === null ? [] : [`exit: ${exit}`]),
    ...(error ? [`code: ${error}`] : []),
  ];
  const printed = output && readKept(output, folder)?.text;
  return { known: true, state, text: [...facts, ...(printed ? [`output:\n${printed}`] : [])].join('\n') };
}

/** States of a run inside the run carry its name before a slash. */
function lastState(records: readonly AuditRecord[], inner: boolean): StateName | undefined {
  const names = records.flatMap((record) => (record.type === 'state' ? [record.to] : []));
  const name = inner ? names.at(-1)?.split('/').at(-1) : names.findLast((one) => !one.includes('/'));
  return isStateName(name) ? name : undefined;
}

/** A text beside the log, if it is still what the log says. */
export function readKept(kept: TextRef, folder: string): { text: string; isWhole: boolean } | undefined {
  if (kept.ref === undefined) return undefined;
  try {
    const bytes = readFileSync(path.join(folder, kept.ref));
    if (sha256(bytes) !== kept.sha256) return undefined;
    return { text: bytes.toString('utf8'), isWhole: bytes.length === kept.bytes };
  } catch {
    return undefined;
  }
}
