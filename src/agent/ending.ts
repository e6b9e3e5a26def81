// How a run can end, and its outcome: an answer, a partial answer, a wait, or a failure.
import { ERRORS } from '../base/error/catalogue.ts';
import { Fault } from '../base/errors.ts';
import { statedOutcome } from '../base/flat-outcome.ts';
import { inLanguage, type Text } from '../base/language.ts';
import {
  type Answering,
  type Data,
  type EndedRun,
  failedOutcome,
  type InterruptedOutcome,
  interruptedOutcome,
  makeOutcome,
  type Outcome,
} from '../base/outcome.ts';
import { visible } from '../base/text.ts';
import type { Aside } from '../model/action.ts';
import type { BudgetName } from './budget.ts';
import type { Stuck } from './progress.ts';
import { limitsOf, type RunState } from './run-state.ts';

export type Ending =
  | ({ readonly kind: 'answered'; readonly content: string } & Aside)
  | { readonly kind: 'budget'; readonly name: BudgetName; readonly content?: string }
  | { readonly kind: 'stuck'; readonly why: Stuck }
  /** Resumable failures are not of the run itself: a model that cannot be reached. */
  | { readonly kind: 'failed'; readonly fault: Fault; readonly resumable: boolean }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'waiting'; readonly outcome: InterruptedOutcome };

export interface RunPlace {
  readonly run_id: string;
  /** The folder of the record. */
  readonly record: string;
}

/** Whether the run can be resumed later. */
export function isOpen(ending: Ending): boolean {
  return ['stopped', 'waiting', 'budget'].includes(ending.kind) || (ending.kind === 'failed' && ending.resumable);
}

export function concludeRun(ending: Ending, state: RunState, place: RunPlace, by: Answering): Outcome {
  const data = factsOf(state, place);
  const run = { id: place.run_id, record: place.record };
  const next = `skillwright run --resume ${run.id}`;
  switch (ending.kind) {
    case 'answered':
      return answered(ending, state, data, run, by);
    case 'budget': {
      const why = budgetEnded(ending.name, state);
      const facts = { ...data, exhausted: ending.name, resume_command: next };
      return incomplete(why, state, facts, { ...run, resumeCommand: next }, by, ending.content);
    }
    case 'stuck':
      return incomplete(STUCK[ending.why], state, { ...data, stopped_by: ending.why }, run, by);
    case 'failed': {
      const hint = inLanguage(ending.fault.hint, by.language);
      if (!ending.resumable) return failedOutcome(by, ending.fault, { ...data, hint }, { run, next: hint });
      const resumable = { next, run: { ...run, resumeCommand: next } };
      return failedOutcome(by, ending.fault, { ...data, resume_command: next }, resumable);
    }
    case 'stopped': {
      const summary = { en: 'stopped; it can be resumed', zh: '已停止，可继续' };
      const asks = { waitsFor: 'resume', next, run: { ...run, resumeCommand: next } } as const;
      return interruptedOutcome(by, summary, asks, { ...data, resume_command: next });
    }
    case 'waiting':
      return waiting(ending.outcome, data, run, by);
  }
}

/** The question of one call stops the whole run. */
function waiting({ summary, data, ...asks }: InterruptedOutcome, facts: Data, run: EndedRun, by: Answering): Outcome {
  const { waitsFor, question, next, note } = asks;
  return interruptedOutcome(
    by,
    summary,
    {
      waitsFor,
      ...(question !== undefined && { question }),
      ...(note !== undefined && { note }),
      ...(next !== undefined && { next }),
      run: { ...run, ...(next !== undefined && { resumeCommand: next }) },
    },
    { ...data, ...facts },
  );
}

function answered(
  ending: Ending & { kind: 'answered' },
  state: RunState,
  data: Data,
  place: EndedRun,
  by: Answering,
): Outcome {
  const { content, pending, failed } = ending;
  const all = { ...data, answer: content };
  const run = { ...place, answer: content };
  const summary = firstLine(content);
  if (pending) return statedOutcome(by, 'pending', summary, { ...all, ...pending });
  if (failed) {
    const next = typeof failed.hint === 'string' ? { next: visible(failed.hint) } : {};
    return failedOutcome(by, gaveUp(failed), { ...all, failed }, { run, ...next });
  }
  if (state.uncertain.length === 0) return makeOutcome(by, 'success', summary, all, { run });
  return makeOutcome(by, 'partial', uncertainText(state), all, { run });
}

/** In the words of the step that failed, without saying "execution failed" twice. */
function gaveUp({ skill, summary }: NonNullable<Aside['failed']>): Fault {
  const why = typeof summary === 'string' ? summary.replace(FAILED_ALREADY, '') : undefined;
  const detail = visible([skill, why].filter((part) => typeof part === 'string').join(': '));
  return new Fault('RuntimeFailed', detail);
}

const FAILED_ALREADY = new RegExp(
  `^(?:\\w+: )?(?:${Object.values(ERRORS.RuntimeFailed.summary)
    .map((text) => text.replace('{detail}', ''))
    .join('|')})`,
);

function incomplete(why: Text, state: RunState, data: Data, run: EndedRun, by: Answering, content?: string): Outcome {
  const answer = content ?? report(state, why, by);
  const summary = state.uncertain.length > 0 ? joined(why, uncertainText(state)) : why;
  const all = { ...data, answer, type: 'BudgetExhausted', code: 'BUDGET_EXHAUSTED' };
  const { resumeCommand: next } = run;
  return makeOutcome(by, 'partial', summary, all, { run: { ...run, answer }, ...(next !== undefined && { next }) });
}

/** What was done and what was not, from the record. */
function report(state: RunState, why: Text, by: Answering): string {
  const say = (text: Text) => inLanguage(text, by.language);
  const done = state.observations.map(({ turn, of, state: how }) => `- ${turn}. ${of}: ${how}`);
  const open = (state.plan?.steps ?? [])
    .filter(({ status }) => status !== 'completed' && status !== 'skipped')
    .map(({ title, status }) => `- ${visible(title)} (${status})`);
  return [
    say({ en: `Not finished: ${why.en}.`, zh: `未完成: ${why.zh}。` }),
    ...(done.length > 0
      ? [say({ en: 'Done:', zh: '已执行:' }), ...done]
      : [say({ en: 'Nothing was done.', zh: '未执行任何操作。' })]),
    ...(open.length > 0 ? [say({ en: 'Still open:', zh: '尚未完成:' }), ...open] : []),
  ].join('\n');
}

function factsOf(state: RunState, { run_id, record }: RunPlace): Data {
  const { spent, loaded_skills, artifacts, uncertain, plan } = state;
  const skills = [...new Set([...loaded_skills.map(({ name }) => name), ...Object.keys(state.spent_by_skill)])];
  return {
    run_id,
    answer: null,
    skills,
    turns: spent.turns,
    tool_calls: spent.tool_calls,
    tokens: spent.tokens,
    artifacts,
    record,
    spent,
    ...(plan && { plan }),
    ...(uncertain.length > 0 && { uncertain }),
  };
}

function budgetEnded(name: BudgetName, state: RunState): Text {
  const limit = limitsOf(state)[name];
  return { en: `the budget is used up: ${name} (${limit})`, zh: `预算已用尽: ${name} (${limit})` };
}

const STUCK: Record<Stuck, Text> = {
  'same-failure': { en: 'the same call failed again and again', zh: '同一调用反复失败' },
  'no-progress': { en: 'nothing new came of the last turns', zh: '最近几轮没有进展' },
};

function uncertainText({ uncertain }: RunState): Text {
  const names = uncertain
    .map(({ tool, skill, args }) => visible(`${skill ?? ''} ${tool} ${args.slice(0, 200)}`.trim()))
    .join('; ');
  return {
    en: `it is not known whether this happened: ${names}`,
    zh: `无法确定以下操作是否已执行: ${names}`,
  };
}

function joined(a: Text, b: Text): Text {
  return { en: `${a.en}; ${b.en}`, zh: `${a.zh}；${b.zh}` };
}

function firstLine(content: string): string {
  const line = content.trim().split('\n', 1)[0] ?? '';
  return visible(line.length > 200 ? `${line.slice(0, 199)}…` : line);
}
