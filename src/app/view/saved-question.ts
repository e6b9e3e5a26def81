// A saved question as people read it: its facts as they were asked about, and what was new then.
import type { Json } from '../../base/json.ts';
import type { Language } from '../../base/language.ts';
import { isListOf, isObject, isText } from '../../base/value/shape.ts';
import type { SinceLastYes } from '../../policy/question/seen-files.ts';
import { saySince } from '../../policy/render-approval.ts';
import type { Interrupt } from '../../store/interrupt-store.ts';

/** The text that the answer is bound to, below what only tells. */
export function questionText({ question, facts }: Pick<Interrupt, 'question' | 'facts'>, language: Language): string {
  const since = sinceIn(facts);
  return since ? `${saySince(since)[language]}\n${question}` : question;
}

function sinceIn(facts: Json | undefined): SinceLastYes | undefined {
  return hasSince(facts) ? facts.since : undefined;
}

const isNames = isListOf(isText);
const hasSince = isObject<{ readonly since: SinceLastYes }>({
  since: isObject<SinceLastYes>({ added: isNames, changed: isNames, removed: isNames }),
});
