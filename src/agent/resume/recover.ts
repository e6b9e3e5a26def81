// Recovers a killed run from its record: the decision in progress, and what is known of its effect.
import path from 'node:path';
import type { AuditRecord, TextRef } from '../../audit/event.ts';
import { readKeptBytes } from '../../audit/observation.ts';
import { sha256 } from '../../base/ids.ts';
import type { Json } from '../../base/json.ts';
import { spend } from '../budget.ts';
import { checkAnswer } from '../decide.ts';
import type { RunState } from '../run-state.ts';
import type { KeptPlace, LeftOffInside, Recovered, RecoveredEffect } from '../session.ts';
import { isStateName, type StateName } from '../state.ts';
import { readRunState } from './saved-run.ts';

export interface LeftOff extends LeftOffInside {
  readonly state: RunState;
  readonly inner?: LeftOffInside;
  /** How often the model has answered so far. */
  readonly answers: number;
}

export function recover(saved: Json, records: readonly AuditRecord[], folder: string): LeftOff {
  const state = readRunState(saved, path.basename(folder));
  const since = recordsSince(saved, records);
  const answers = records.filter(({ type }) => type === 'model').length;
  const at = lastState(records, isOuter) ?? 'Init';
  addTokens(since, state.child ?? state);
  if (!state.child) return { state, answers, at, ...recoverTurn(since, state, folder) };
  const split = since.findIndex((record) => isOuter(record) && record.to === 'Observe');
  const [inside, outside] = split === -1 ? [since, []] : [since.slice(0, split), since.slice(split)];
  const inner = { at: innerState(since, records), ...recoverTurn(inside, state.child, folder) };
  return { state, answers, at, inner, ...recoverOuter(state, outside, folder) };
}

/** The decision that led inside was saved with the state. */
function recoverOuter({ pending, plan }: RunState, since: readonly AuditRecord[], folder: string) {
  if (!pending || !plan) return {};
  const recovered = { decision: pending, plan, isPlanRecorded: true, isCounted: true, read: [] };
  return { recovered: { ...recovered, ...recoverObservation(since, folder) } };
}

/** Everything recorded after the state: it may not have reached the disk before the next one was announced. */
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

function recoverTurn(
  since: readonly AuditRecord[],
  state: RunState,
  folder: string,
): Pick<LeftOffInside, 'recovered' | 'badAnswer'> {
  const asked = since.filter((record) => record.type === 'model');
  const answer = asked.at(-1)?.answer;
  const text = answer && readKept(answer, folder);
  if (!text) return {};
  const checked = checkAnswer(state, text.text);
  // After a second invalid answer the run was about to fail; it gets another retry instead.
  if (!checked.ok) return asked.length === 1 ? { badAnswer: text.text } : {};
  const effect = recoverEffect(since, folder);
  // A text that was redacted on its way to the disk must not be executed.
  if (!text.isWhole && !effect) return {};
  const recovered: Recovered = {
    decision: checked.decision,
    plan: checked.plan,
    isPlanRecorded: since.some(({ type }) => type === 'plan'),
    read: since.flatMap(readingOf),
    ...(effect && { effect }),
    ...recoverObservation(since, folder),
  };
  return { recovered };
}

function readingOf(record: AuditRecord): string[] {
  if (record.type === 'resource-loaded') return [`${record.skill} ${record.path}`];
  return record.type === 'skill-selected' ? [record.skill] : [];
}

function recoverObservation(since: readonly AuditRecord[], folder: string): Pick<Recovered, 'observation'> {
  const kept = since.findLast((record) => record.type === 'observation')?.text;
  const text = kept && readKept(kept, folder)?.text;
  return kept && text !== undefined ? { observation: { text, kept } } : {};
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

/** States of an inner run carry its name before a slash. */
function isOuter(record: AuditRecord): record is AuditRecord & { type: 'state' } {
  return record.type === 'state' && !record.to.includes('/');
}

function isInner(record: AuditRecord): record is AuditRecord & { type: 'state' } {
  return record.type === 'state' && record.to.includes('/');
}

type IsState = (record: AuditRecord) => record is AuditRecord & { type: 'state' };

function lastState(records: readonly AuditRecord[], isMeant: IsState): StateName | undefined {
  const name = records.findLast(isMeant)?.to.split('/').at(-1);
  return isStateName(name) ? name : undefined;
}

/** An end recorded before the last save belongs to an earlier one. */
function innerState(since: readonly AuditRecord[], records: readonly AuditRecord[]): StateName {
  const earlier = lastState(records, isInner) ?? 'Init';
  return lastState(since, isInner) ?? (earlier === 'Final' ? 'Init' : earlier);
}

/** A text beside the log, if its hash still matches. */
export function readKept(kept: TextRef, folder: string): { text: string; isWhole: boolean } | undefined {
  const text = readKeptText(kept, folder);
  return text === undefined ? undefined : { text, isWhole: Buffer.byteLength(text) === kept.bytes };
}

export function readKeptText(kept: KeptPlace, folder: string): string | undefined {
  const bytes = readKeptBytes(folder, kept);
  return bytes && sha256(bytes) === kept.sha256 ? bytes.toString('utf8') : undefined;
}
