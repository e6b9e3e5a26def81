// What a run did, read from its record: steps in order, chosen skills, cost. Nothing here interprets prose.
import type { AuditRecord, TextRef } from '../audit/event.ts';
import type { FlatOutcome } from '../base/flat-outcome.ts';
import type { Json } from '../base/json.ts';
import { parseJson } from '../base/json.ts';
import { STATES } from '../base/outcome.ts';
import { readSaid } from './said.ts';

/** One finished run of a case. */
export interface CaseRun {
  /** Events of all turns, in order. */
  readonly records: readonly AuditRecord[];
  /** A text the record references, if it was kept. */
  readonly text: (ref: TextRef) => string | undefined;
  /** Of the last turn. */
  readonly outcome: FlatOutcome;
  /** The project folder of the run; absent when nothing was run. */
  readonly folder?: string;
  /** What the model streamed, one text per answer; absent without an observer. */
  readonly streamed?: readonly string[];
}

export const STEP_STATES = [...STATES, 'denied', 'unknown'] as const;
export type StepStatus = (typeof STEP_STATES)[number];

/** One thing that a run did, as its record has it. */
export interface Step {
  readonly name: string;
  readonly skill?: string;
  /** A file, for what was loaded. */
  readonly path?: string;
  readonly args?: Json;
  readonly status: StepStatus;
  /** The effect was started; a denied or unanswered call was only requested. */
  readonly executed: boolean;
  /** The record it was read from. */
  readonly at: number;
}

export interface Totals {
  readonly turns: number;
  readonly toolCalls: number;
  readonly scriptRuns: number;
  readonly tokens: number;
  readonly cost: number;
  readonly milliseconds: number;
}

/** A run as its rules see it: what was done, in order, and what it came to. */
export interface Trace {
  readonly steps: readonly Step[];
  /** Skill ids, in the order of their first use. */
  readonly triggered: readonly string[];
  readonly totals: Totals;
  readonly answer: string;
  /** The model came to an answer, or a budget was exhausted; otherwise something broke or waits. */
  readonly finished: boolean;
}

export function readTrace(run: CaseRun): Trace {
  const steps = run.records.flatMap((record, at) => readStep(record, at, run) ?? []);
  const { answer, waitingSkill } = readSaid(run.outcome);
  return {
    steps,
    triggered: [...new Set([...triggeredBy(steps), ...(waitingSkill === undefined ? [] : [waitingSkill])])],
    totals: totalsOf(run.records, steps),
    answer: answer ?? '',
    finished: steps.some(({ name }) => name === 'final_answer'),
  };
}

/** Whether a reference (`name`, `source:name` or a whole id) names the skill of this id. */
export function isSkill(reference: string, skillId: string): boolean {
  return reference === skillId || reference === skillName(skillId) || reference === withoutVersion(skillId);
}

/** `source:name@version` without the rest. */
export function skillName(skillId: string): string {
  return withoutVersion(skillId).replace(/^(?:project|user|builtin):/, '');
}

function withoutVersion(skillId: string): string {
  const at = skillId.lastIndexOf('@');
  return at > 0 ? skillId.slice(0, at) : skillId;
}

function readStep(record: AuditRecord, at: number, run: CaseRun): Step | undefined {
  switch (record.type) {
    case 'skill-selected':
      return { name: 'load_skill', skill: record.skill, status: 'success', executed: true, at };
    case 'resource-loaded': {
      const { skill, path } = record;
      return { name: 'load_resource', skill, path, status: 'success', executed: true, at };
    }
    case 'call-intent':
      return executedCall(record, at, run);
    case 'decision':
      return unexecutedCall(record, at, run.records);
    case 'state':
      return record.to === 'Final' ? { name: 'final_answer', status: 'success', executed: true, at } : undefined;
    default:
      return undefined;
  }
}

type Of<Type extends AuditRecord['type']> = Extract<AuditRecord, { type: Type }>;

function executedCall({ call, tool, skill, args }: Of<'call-intent'>, at: number, run: CaseRun): Step {
  const result = run.records.find((record) => record.type === 'call-result' && record.call === call);
  const ended = result?.type === 'call-result' ? result : undefined;
  const known = readArgs(run.text(args));
  const refused = ended !== undefined && isRefusal(ended);
  return {
    name: tool,
    status: refused ? 'denied' : (STEP_STATES.find((known) => known === ended?.state) ?? 'unknown'),
    executed: !refused,
    at,
    ...(skill !== undefined && { skill }),
    ...(known !== undefined && { args: known }),
  };
}

const REFUSALS = new Set(['PATH_BLOCKED', 'PERMISSION_DENIED', 'APPROVAL_DENIED']);

/** Permitted by policy and stopped by a guard before anything happened; a program that ran has an exit. */
function isRefusal({ error, exit }: Of<'call-result'>): boolean {
  return exit === null && error !== undefined && REFUSALS.has(error);
}

/** A call that was decided and never started: refused, or still waiting for a decision. */
function unexecutedCall(
  { call, tool, effect }: Of<'decision'>,
  at: number,
  records: readonly AuditRecord[],
): Step | undefined {
  if (records.some((record) => record.type === 'call-intent' && record.call === call)) return undefined;
  const refused = records.some(
    (record) => record.type === 'approval' && record.call === call && record.answer === 'no',
  );
  const waits = effect === 'ask' && !refused && records[at + 1]?.type === 'interrupt';
  return { name: tool, status: waits ? 'interrupted' : 'denied', executed: false, at };
}

function triggeredBy(steps: readonly Step[]): string[] {
  const skills = steps.flatMap(({ skill, executed }) => (executed && skill !== undefined ? [skill] : []));
  return [...new Set(skills)];
}

const NOT_TOOLS = new Set(['load_skill', 'load_resource', 'final_answer']);

export function isToolCall({ name }: Step): boolean {
  return !NOT_TOOLS.has(name);
}

function totalsOf(records: readonly AuditRecord[], steps: readonly Step[]): Totals {
  const calls = steps.filter(isToolCall);
  const models = records.filter((record) => record.type === 'model');
  const times = records.map(({ ts }) => Date.parse(ts)).filter((time) => !Number.isNaN(time));
  return {
    turns: models.length,
    toolCalls: calls.length,
    scriptRuns: calls.filter(({ name, executed }) => executed && name.startsWith('run_')).length,
    tokens: models.reduce((sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens, 0),
    cost: models.reduce((sum, { cost = 0 }) => sum + cost, 0),
    milliseconds: times.length > 0 ? Math.max(...times) - Math.min(...times) : 0,
  };
}

function readArgs(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
