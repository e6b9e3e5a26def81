// What tests of evals share: records of runs that never happened, and the modules under test as one value.
import type { AuditEvent, AuditRecord, TextRef } from '../../../src/audit/event.ts';
import type { FlatOutcome } from '../../../src/base/flat-outcome.ts';
import type { Json } from '../../../src/base/json.ts';
import type { State } from '../../../src/base/outcome.ts';
import type { Attempt, CaseResult } from '../../../src/evals/attempt.ts';
import { type Case, NO_SKILLS, type SkillExpectation } from '../../../src/evals/case/case.ts';
import type { CaseRun } from '../../../src/evals/trace.ts';

export interface Modules {
  readonly attempt: typeof import('../../../src/evals/attempt.ts');
  readonly compare: typeof import('../../../src/evals/compare.ts');
  readonly instrument: typeof import('../../../src/evals/instrument.ts');
  readonly judge: typeof import('../../../src/evals/judge.ts');
  readonly lint: typeof import('../../../src/evals/lint.ts');
  readonly metrics: typeof import('../../../src/evals/metrics.ts');
  readonly repeat: typeof import('../../../src/evals/repeat.ts');
  readonly statistics: typeof import('../../../src/evals/statistics.ts');
}

const NAMES = ['attempt', 'compare', 'instrument', 'judge', 'lint', 'metrics', 'repeat', 'statistics'] as const;

/** From src/evals, or from a changed copy of it. */
export async function loadModules(folder: string): Promise<Modules> {
  const loaded = await Promise.all(NAMES.map(async (name) => [name, await import(`${folder}/${name}.ts`)]));
  return Object.fromEntries(loaded) as Modules;
}

export function makeCase(parts: Partial<Omit<Case, 'skills'>> & { skills?: Partial<SkillExpectation> } = {}): Case {
  return {
    id: 'case',
    file: 'cases.json',
    turns: ['do it'],
    files: {},
    budget: {},
    steps: [],
    output: [],
    limits: { forbiddenTools: [], requiredTools: [] },
    pass: 'all',
    tags: [],
    ...parts,
    skills: { ...NO_SKILLS, ...parts.skills },
  };
}

export interface Told {
  readonly answer?: string;
  readonly state?: State;
  readonly data?: Record<string, unknown>;
  readonly folder?: string;
  readonly streamed?: readonly string[];
}

/** A run with these events; texts stand in their hashes. */
export function makeRun(events: readonly AuditEvent[], told: Told = {}): CaseRun {
  const { answer = '', state = 'success', data = {}, folder, streamed } = told;
  const outcome: FlatOutcome = {
    state,
    agent: 'agent',
    summary: '',
    data: { answer, ...data },
    meta: { agent: 'agent', time: 0, ts: '' },
  };
  return {
    records: events.map(record),
    text: ({ sha256 }) => sha256,
    outcome,
    ...(folder !== undefined && { folder }),
    ...(streamed && { streamed }),
  };
}

function record(event: AuditEvent, seq: number): AuditRecord {
  const ts = new Date(1_000_000 + seq * 1000).toISOString();
  return { ...event, seq, ts, tier: null, prev: '', request_id: 'r', agent_id: null, user_id: null };
}

export function kept(text: string): TextRef {
  return { sha256: text, bytes: text.length };
}

export const FINAL: AuditEvent = { type: 'state', from: 'Decide', to: 'Final' };

export function load(skill: string): AuditEvent {
  return { type: 'skill-selected', skill: `project:${skill}@1.0`, source: 'project' };
}

export function resource(skill: string, path: string): AuditEvent {
  return { type: 'resource-loaded', skill: `project:${skill}@1.0`, path, sha256: '' };
}

export function model(tokens = 0, cost = 0, answer = ''): AuditEvent {
  return {
    type: 'model',
    model: 'mock',
    prompt: kept(''),
    answer: kept(answer),
    input_tokens: tokens,
    output_tokens: 0,
    cost,
  };
}

let calls = 0;

export interface CallParts {
  readonly skill?: string;
  readonly args?: Json;
  readonly state?: string;
  readonly effect?: 'allow' | 'ask' | 'deny';
  /** Who said yes. */
  readonly by?: 'grant' | 'approval' | 'nobody';
  readonly error?: string;
  readonly exit?: number | null;
}

/** A call as the door records it: decided, permitted, begun, ended. */
export function call(tool: string, parts: CallParts = {}): AuditEvent[] {
  const { skill, args = {}, state = 'success', effect = 'allow', by = 'nobody', exit = 0, error } = parts;
  const id = `c${++calls}`;
  const who = skill === undefined ? {} : { skill: `project:${skill}@1.0` };
  const decision: AuditEvent = { type: 'decision', call: id, tool, effect, risk: 'low', layers: [] };
  const permit: AuditEvent[] =
    by === 'grant'
      ? [{ type: 'grant', call: id, grant: 'g' }]
      : by === 'approval'
        ? [{ type: 'approval', call: id, key: 'k', answer: 'yes', by: 'person' }]
        : [];
  return [
    decision,
    ...permit,
    { type: 'call-intent', call: id, tool, ...who, args: kept(JSON.stringify(args)), network: false },
    { type: 'call-result', call: id, tool, ...who, state, exit, duration_ms: 1, ...(error !== undefined && { error }) },
  ];
}

/** A call that policy or a person refused, or that waits for somebody. */
export function refusedCall(tool: string, how: 'deny' | 'no' | 'waits'): AuditEvent[] {
  const id = `c${++calls}`;
  const effect = how === 'deny' ? 'deny' : 'ask';
  return [
    { type: 'decision', call: id, tool, effect, risk: 'high', layers: [] },
    ...(how === 'no' ? [{ type: 'approval', call: id, key: 'k', answer: 'no', by: 'person' } as const] : []),
    ...(how === 'waits' ? [{ type: 'interrupt', interrupt: 'i', kind: 'approval' } as const] : []),
  ];
}

export function attempt(state: Attempt['state'], parts: Partial<Attempt> = {}): Attempt {
  const totals = { turns: 1, toolCalls: 2, scriptRuns: 1, tokens: 100, cost: 0.5, milliseconds: 1000 };
  return { state, judgements: [], steps: [], triggered: [], totals, answer: '', ...parts };
}

export function result(id: string, attempts: readonly Attempt[], parts: Partial<CaseResult> = {}): CaseResult {
  const passes = attempts.filter(({ state }) => state === 'passed').length;
  const runs = attempts.filter(({ state }) => state === 'passed' || state === 'failed').length;
  const state = passes === runs ? 'passed' : 'failed';
  return { id, state, passes, runs, failures: [], attempts, ...parts };
}
