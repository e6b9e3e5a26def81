// Goes on with a saved question: the same call, for the same bytes under the same policy, decided once.
import { Fault } from '../base/errors.ts';
import { LANGUAGES, sameInAll, type Text } from '../base/language.ts';
import type { Outcome } from '../base/outcome.ts';
import { type ApprovalSubject, approvalKey } from '../policy/approval.ts';
import { decide } from '../policy/decide.ts';
import { decideInterrupt } from '../policy/interrupt/interrupt.ts';
import { damagedQuestion, notDecided } from '../policy/interrupt/not-decided.ts';
import type { Interrupt } from '../store/interrupt-store.ts';
import { factsOf, tellFacts } from './approval-facts.ts';
import type { Call } from './call.ts';
import { consentInLayer, isOwnCode, NO_CONSENT } from './consent/consent.ts';
import type { Door } from './door.ts';
import { fail, nameFault } from './fail.ts';
import { answering, perform, speakerOf } from './perform.ts';
import { subjectOf } from './permit.ts';
import { understand } from './understand.ts';
import { policyOf } from './work.ts';

/** What is said to a saved question. */
export interface SavedAnswer {
  readonly question: string;
  /** approve or deny, or item=choice for each item. */
  readonly words: readonly string[];
  /** Of a no, for whoever asked: a model reads it. */
  readonly reason?: string | undefined;
}

export async function resumeCall(answer: SavedAnswer, door: Door): Promise<Outcome> {
  const { question: id, reason } = answer;
  const saved = await door.interrupts.get(id);
  const { isCall } = await import('./saved-call.ts');
  const call = isCall(saved?.payload) ? saved.payload : undefined;
  const by = answering(door, call ? speakerOf(call) : { agent: 'skills', surface: 'invoke' });
  try {
    if (saved && !call) throw damagedQuestion(id);
    const { isApproved, facts } = await answerQuestion(answer, call, door);
    if (!call || !isApproved) throw deniedAnswer(headingOf(saved?.question ?? '', facts), reason);
    return await perform(call, door);
  } catch (error) {
    return fail(by, nameFault(error));
  }
}

/** Decides the question; after a yes this very call passes once. Throws a Fault when nothing is decided. */
export async function answerQuestion(
  { question: id, words, reason }: SavedAnswer,
  call: Call | undefined,
  door: Door,
): Promise<Answered> {
  const asked = call && (await askedNow(call, door));
  // Whoever can write to a shared store must not get a yes by showing other facts than those of the call.
  const digestNow = ({ question }: Interrupt) =>
    asked && isAmong(question, asked.facts) ? approvalKey(asked.subject) : '';
  const decided = await decideInterrupt(door.interrupts, { id, words, digestNow }, door.clock.now());
  if (!decided.ok) throw notDecided(id, decided);
  const isApproved = Object.values(decided.decisions).every((answer) => answer === 'approve');
  if (isApproved && asked) door.approvals.give(asked.subject, 'once', 'resume');
  if (!isApproved) recordNo(id, reason, door);
  return { isApproved, facts: asked?.facts ?? [] };
}

/** A yes is on the record where it is used. */
export function recordNo(id: string, reason: string | undefined, { run }: Pick<Door, 'run'>): void {
  const why = reason !== undefined && { reason: run.keep(reason) };
  run.record({ type: 'interrupt-answer', interrupt: id, by: 'person', answer: run.keep('deny'), ...why });
}

export function deniedAnswer(what: Text, reason: string | undefined): Fault {
  if (reason === undefined) return new Fault('ApprovalDenied', what);
  return new Fault('ApprovalDenied', { en: `${what.en}; the reason: ${reason}`, zh: `${what.zh}；原因: ${reason}` });
}

/** Whoever answers may read another language than whoever was asked. */
function headingOf(question: string, facts: readonly Text[]): Text {
  const told = facts.find((one) => isAmong(question, [one])) ?? sameInAll(question);
  const first = (text: string) => text.split('\n', 1)[0] ?? '';
  return { en: first(told.en), zh: first(told.zh) };
}

function isAmong(question: string, facts: readonly Text[]): boolean {
  return facts.some((one) => LANGUAGES.some((language) => one[language] === question));
}

/** What a yes would be about today; nothing, when the call no longer needs one. */
async function askedNow(call: Call, door: Door): Promise<Asked | undefined> {
  const work = await understand(call, door);
  if ('answer' in work) return undefined;
  const policy = await policyOf(work, door);
  const decision = decide(work.asked, policy);
  const consent = await consentInLayer(work, policy.tier, door);
  const question = { call, work, policy, decision, consent };
  // What a person has granted its code since the question was asked needs no other question.
  const shown = isOwnCode(work)
    ? [question, { ...question, consent: { ...NO_CONSENT, mixed: consent.mixed } }]
    : [question];
  const facts = await Promise.all(shown.map((one) => factsOf(one, door)));
  const told = facts.map((one): Text => ({ en: tellFacts(one, 'en'), zh: tellFacts(one, 'zh') }));
  return { subject: subjectOf(question), facts: told };
}

interface Asked {
  readonly subject: ApprovalSubject;
  /** What a person may have been shown. */
  readonly facts: readonly Text[];
}

interface Answered extends Pick<Asked, 'facts'> {
  readonly isApproved: boolean;
}
