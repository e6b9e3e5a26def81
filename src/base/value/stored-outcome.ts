// An outcome that was stored as JSON; a text that holds none is not taken for one.

import { isRecord, jsonIfValid } from '../json.ts';
import { AGENTS, type Outcome, STATES } from '../outcome.ts';
import { isNumber, isObject, isText, isWord } from './shape.ts';

const isOutcome = isObject<Outcome>({
  state: isWord(STATES),
  agent: isWord(AGENTS),
  summary: isText,
  data: isRecord,
  meta: isObject<Outcome['meta']>({ agent: isWord(AGENTS), time: isNumber, ts: isText }),
});

export function readOutcome(text: string): Outcome | undefined {
  const value = jsonIfValid(text);
  return isOutcome(value) ? value : undefined;
}
