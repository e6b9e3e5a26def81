// An attempt that was stored as JSON, checked field by field.
import { isJson } from '../base/json.ts';
import { isFlag, isListOf, isNumber, isObject, isOptional, isText, isWord } from '../base/value/shape.ts';
import { type Attempt, CASE_STATES } from './attempt.ts';
import { ASPECTS, type Judgement } from './judge.ts';
import { STEP_STATES, type Step, type Totals } from './trace.ts';

const isJudgement = isObject<Judgement>({
  aspect: isWord(ASPECTS),
  rule: isText,
  ok: isOptional(isFlag),
  message: isText,
  evidence: isListOf(isNumber),
});

const isStep = isObject<Step>({
  name: isText,
  skill: isOptional(isText),
  path: isOptional(isText),
  args: isOptional(isJson),
  status: isWord(STEP_STATES),
  executed: isFlag,
  at: isNumber,
});

const isTotals = isObject<Totals>({
  turns: isNumber,
  toolCalls: isNumber,
  scriptRuns: isNumber,
  tokens: isNumber,
  cost: isNumber,
  milliseconds: isNumber,
});

export const isAttempt = isObject<Attempt>({
  state: isWord(CASE_STATES),
  judgements: isListOf(isJudgement),
  steps: isListOf(isStep),
  triggered: isListOf(isText),
  totals: isTotals,
  answer: isText,
  error: isOptional(isText),
});
