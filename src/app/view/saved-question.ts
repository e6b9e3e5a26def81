// A saved question as people read it: its facts as they were asked about, and what was new then.
import type { Json } from '../../base/json.ts';
import { LANGUAGES, type Language } from '../../base/language.ts';
import { isListOf, isObject, isText, isWord } from '../../base/value/shape.ts';
import { tellFacts } from '../../door/approval-facts.ts';
import type { ApprovalFacts } from '../../policy/question/facts.ts';
import type { SinceLastYes } from '../../policy/question/seen-files.ts';
import { saySince } from '../../policy/render-approval.ts';
import type { Interrupt } from '../../store/interrupt-store.ts';

/** The text that the answer is bound to, below what only tells. */
export function questionText({ question, facts }: Pick<Interrupt, 'question' | 'facts'>, language: Language): string {
  const since = sinceIn(facts);
  const said = sayIn(language, question, facts);
  return since ? `${saySince(since)[language]}\n${said}` : said;
}

/** It was saved in the language of whoever asked; facts that say the same, word for word, are told in the reader's. */
function sayIn(language: Language, question: string, facts: Json | undefined): string {
  const told = LANGUAGES.map((one) => tell(facts, one));
  return told.includes(question) ? (tell(facts, language) ?? question) : question;
}

/** Undefined for what cannot be told: facts of an older form, or none. */
function tell(facts: Json | undefined, language: Language): string | undefined {
  try {
    return areFacts(facts) ? tellFacts(facts, language) : undefined;
  } catch {
    return undefined;
  }
}

/** What its view holds is found out by telling it. */
function areFacts(value: unknown): value is ApprovalFacts {
  return hasWords(value);
}

const hasWords = isObject<Pick<ApprovalFacts, 'words' | 'risk'>>({
  words: isListOf(isText),
  risk: isWord(['low', 'medium', 'high']),
});

function sinceIn(facts: Json | undefined): SinceLastYes | undefined {
  return hasSince(facts) ? facts.since : undefined;
}

const isNames = isListOf(isText);
const hasSince = isObject<{ readonly since: SinceLastYes }>({
  since: isObject<SinceLastYes>({ added: isNames, changed: isNames, removed: isNames }),
});
