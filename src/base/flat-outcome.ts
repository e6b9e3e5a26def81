// The outcome as others see it: a state, a sentence and plain data. Outcomes are flattened here on their way out, and read
// here when they come back: from a queue, from a cache, or stated by a script. By hand, for a stored answer loads little.
import { FAULT_REASONS } from './errors.ts';
import { isRecord, isTextList, jsonIfValid } from './json.ts';
import {
  AGENTS,
  type Agent,
  type Answering,
  type Data,
  exitCode,
  type Failure,
  type InterruptedOutcome,
  icon,
  makeOutcome,
  type Outcome,
  type OutcomeMeta,
  type Product,
  type RefusedResult,
  type SkillReply,
  STATES,
  type State,
  type WaitingDecision,
} from './outcome.ts';
import { isListOf, isNumber, isObject, isOptional, isText, isWord } from './value/shape.ts';

/** What every call answers with. `data` depends on the state and on what was asked for. */
export interface FlatOutcome {
  readonly state: State;
  readonly agent: Agent;
  readonly summary: string;
  readonly data: Data;
  readonly meta: OutcomeMeta;
}

export function flatten({ state, agent, summary, data, meta }: Outcome): FlatOutcome {
  return { state, agent, summary, data, meta };
}

/** As a queue keeps it, with the reason of a failure; of one that is longer than `limit`, what says why. */
export function storedText(outcome: Outcome, limit: number): string {
  const reason = 'failure' in outcome ? outcome.failure.reason : undefined;
  const flat = { ...flatten(outcome), ...(reason && { reason }) };
  const text = JSON.stringify(flat);
  if (text.length <= limit) return text;
  const { type, code, msg, run_id } = flat.data;
  return JSON.stringify({ ...flat, data: { type, code, msg, run_id, shortened: true, length: text.length } });
}

/** Undefined where the text is no outcome. */
export function parseOutcome(text: string): Outcome | undefined {
  return readOutcome(jsonIfValid(text));
}

/** Undefined where the value is no outcome. */
export function readOutcome(value: unknown): Outcome | undefined {
  if (!isFlatOutcome(value)) return undefined;
  const { state, agent, summary, data, meta } = value;
  const outcome = typed({ state, agent, summary, data, meta });
  const reason = 'reason' in value ? FAULT_REASONS.find((known) => known === value.reason) : undefined;
  return reason && 'failure' in outcome ? { ...outcome, failure: { ...outcome.failure, reason } } : outcome;
}

const isFlatOutcome = isObject<FlatOutcome>({
  state: isWord(STATES),
  agent: isWord(AGENTS),
  summary: isText,
  data: isRecord,
  meta: isObject<OutcomeMeta>({ agent: isWord(AGENTS), time: isNumber, ts: isText }),
});

/** An outcome whose data is not ours: what a script states, or what a tool returned. */
export function statedOutcome(
  by: Answering,
  state: State,
  summary: Parameters<typeof makeOutcome>[2],
  data: Data,
): Outcome {
  return typed({ ...flatten(makeOutcome(by, 'success', summary, data)), state });
}

/**
 * The exit code of the command line for an outcome, for a program that wraps it.
 * @example
 * process.exitCode = exitCode(outcome.document);
 */
export function exitCodeOf(flat: FlatOutcome): number {
  return exitCode(typed(flat));
}

export function iconOf(flat: FlatOutcome): string {
  return icon(typed(flat));
}

function typed(flat: FlatOutcome): Outcome {
  const { state, data } = flat;
  const common = { ...flat, ...readCommon(data) };
  switch (state) {
    case 'success':
    case 'partial':
      return { ...common, state };
    case 'pending':
      return { ...common, state, missing: Array.isArray(data.missing) ? data.missing.map(String) : [] };
    case 'interrupted':
      return { ...common, state, ...readQuestion(data) };
    case 'timeout':
    case 'error':
      return { ...common, state, failure: readFailure(data) };
  }
}

function readCommon(data: Data) {
  const { resume_with, resume_command, prompt, hint, note, warnings, details, cached, original_result } = data;
  const next = [resume_with, resume_command, prompt, hint].find((text) => typeof text === 'string');
  const stderr = isRecord(details) ? details.stderr : undefined;
  const run = readRun(data);
  return {
    ...(next !== undefined && { next }),
    ...(typeof note === 'string' && { note }),
    ...(Array.isArray(warnings) && { warnings }),
    ...(typeof stderr === 'string' && { stderr }),
    ...(cached === true && { cached: { original: original_result } }),
    ...(run && { run }),
    product: readProduct(data),
  };
}

function readRun({ run_id: id, record, answer, resume_command: resumeCommand }: Data): Outcome['run'] {
  if (typeof id !== 'string' || typeof record !== 'string') return undefined;
  return {
    id,
    record,
    ...(typeof answer === 'string' && { answer }),
    ...(typeof resumeCommand === 'string' && { resumeCommand }),
  };
}

function readProduct(data: Data): Product {
  const { content, stdout, analysis_prompt: analysis, refused } = data;
  const reply = readReply(data);
  return {
    ...(reply && { reply }),
    ...(typeof content === 'string' && { content }),
    ...(typeof stdout === 'string' && { printed: stdout }),
    ...(typeof analysis === 'string' && { analysis }),
    ...(isRefusedList(refused) && { refused }),
  };
}

const isRefusedList = isListOf(
  isObject<RefusedResult>({
    path: isText,
    why: isText,
    holds: isOptional(isListOf(isText)),
    kept: isOptional(isText),
    allow: isOptional(isText),
  }),
);

function readReply({ response, mended, action_filled }: Data): SkillReply | undefined {
  if (!isRecord(response)) return undefined;
  const { data, error, message, metadata } = response;
  return {
    success: response.success === true,
    data,
    ...(isRecord(error) && {
      error: {
        code: String(error.code),
        message: String(error.message),
        ...(isRecord(error.details) && { details: error.details }),
      },
    }),
    ...(typeof message === 'string' && { message }),
    ...(isRecord(metadata) && { metadata }),
    mended: isTextList(mended) ? mended : [],
    namedAction: action_filled !== true,
  };
}

function readQuestion(data: Data): Pick<InterruptedOutcome, 'waitsFor' | 'question' | 'decision'> {
  const { type, question, interrupted_skills: items } = data;
  const waitsFor = type === 'ApprovalRequired' ? 'approval' : items === undefined ? leftOpen(data) : 'decisions';
  const decision = readDecision(data);
  return { waitsFor, ...(typeof question === 'string' && { question }), ...(decision && { decision }) };
}

function leftOpen({ changes }: Data): InterruptedOutcome['waitsFor'] {
  return isRecord(changes) ? 'changes' : 'resume';
}

function readDecision(data: Data): WaitingDecision | undefined {
  const { id, interrupted_skills: items, allowed: choices, expires, analysis_prompt: analysis } = data;
  if (typeof id !== 'string' || typeof expires !== 'string' || !isTextList(items) || !isTextList(choices))
    return undefined;
  return { id, items, choices, expires, ...(typeof analysis === 'string' && { analysis }) };
}

function readFailure({ type, code, msg, recoverable, details }: Data): Failure {
  return {
    ...(typeof type === 'string' && { type }),
    ...(typeof code === 'string' && { code }),
    ...(typeof msg === 'string' && { msg }),
    ...((typeof recoverable === 'boolean' || recoverable === null) && { recoverable }),
    ...(isRecord(details) && { details }),
  };
}
