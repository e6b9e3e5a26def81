// May it? Policy first; where policy asks: a grant, an approval already given, `--yes`, a person, or a saved question.

import { Fault } from '../base/errors.ts';
import { toJson } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { typedWord } from '../base/text/shell-word.ts';
import { visible } from '../base/text.ts';
import {
  type Answerer,
  type ApprovalScope,
  type ApprovalSubject,
  approvalKey,
  isFromAfar,
  yesAnswers,
} from '../policy/approval.ts';
import { policyHash } from '../policy/decide.ts';
import type { Grant } from '../policy/grant/grant.ts';
import { describeTarget } from '../policy/grant/store.ts';
import { interrupt } from '../policy/interrupt/interrupt.ts';
import { type Policy, type PolicyDecision, speakLayers } from '../policy/policy.ts';
import { alwaysGrant } from '../policy/question/always.ts';
import type { ApprovalQuestion, OfferedGrant } from '../policy/question/facts.ts';
import { sayOutside } from '../policy/rule.ts';
import { NO_SANDBOX } from '../policy/tier.ts';
import { calledName } from '../registry/called-name.ts';
import { boundDigest } from '../registry/role/skill.ts';
import type { Interrupt } from '../store/interrupt-store.ts';
import { factsOf, rememberSeen, tellFacts, viewOf } from './approval-facts.ts';
import type { Call } from './call.ts';
import { type Consent, offeredTo } from './consent/consent.ts';
import { declaredOnly, notByFollowing, notByYes, unnamedBy } from './consent/unnamed.ts';
import type { Door } from './door.ts';
import { findStanding, type Standing } from './standing-grant.ts';
import type { CallEffect } from './work.ts';

/** A question was saved; whoever answers it lets the call go on. */
export interface SavedQuestion {
  readonly granted: false;
  readonly interrupt: Interrupt;
  readonly note?: Text;
}

/**
 * `grant`: the standing permission it rests on, if it does. `shown`: a person said yes to exactly this call. `inside`:
 * nobody was asked, because it stays inside. `again`: other rules hold now.
 */
export type Permit =
  | { readonly granted: true; readonly grant?: Grant; readonly inside?: true; readonly shown?: boolean }
  | { readonly granted: false; readonly again: true }
  | SavedQuestion;

export interface PermitQuestion {
  readonly id: string;
  readonly call: Call;
  readonly work: CallEffect;
  readonly policy: Policy;
  readonly decision: PolicyDecision;
  readonly consent: Consent;
}

const GRANTED: Permit = { granted: true };

export async function obtainPermit(question: PermitQuestion, door: Door): Promise<Permit> {
  const { decision } = question;
  if (decision.effect === 'deny') throw refused(question);
  if (door.no) throw refusedBy('client', question, door.no.reason, door);
  if (question.consent.mixed.length > 0) return await askFirst(question, door);
  if (decision.effect === 'allow' && !decision.inside) return GRANTED;
  const standing: Standing = decision.onlyPerson ? {} : findStanding(question.work, question.policy.tier, door);
  const { grant } = standing;
  const unnamed = grant ? unnamedBy(grant, declaredOnly(question)) : [];
  if (grant && unnamed.length === 0) return useGrant(grant, question, door);
  if (decision.inside) return { granted: true, inside: true };
  if (decision.onlyGrant) throw onlyByGrant(question);
  const approved = useApproval(question, door);
  if (approved) return approved;
  if (door.yes && isForYes(question)) return approve(question, door, 'once', 'yes-option');
  const variables = declaredOnly(question);
  const unanswered = door.yes && variables.length > 0 ? notByYes(question, variables) : undefined;
  const more = grant ? notByFollowing(question, unnamed) : noteOn(standing);
  const note = unanswered ?? more ?? noteOnEffects(decision) ?? question.consent.notCounted[0];
  return await askOrSave(question, note, door);
}

/** Whether `--yes` answers it, and whoever counts no more than that. */
export function isForYes(question: Pick<PermitQuestion, 'work' | 'policy' | 'decision' | 'consent'>): boolean {
  const { decision, consent } = question;
  return consent.mixed.length === 0 && yesAnswers({ about: 'call', decision, variables: declaredOnly(question) });
}

/** What others left in the layer is decided about by a person, whatever allows the call otherwise. */
async function askFirst(question: PermitQuestion, door: Door): Promise<Permit> {
  const { decision, work, policy } = question;
  const { grant } = findStanding(work, policy.tier, door);
  if (decision.onlyGrant && !grant) throw onlyByGrant(question);
  return useApproval(question, door) ?? (await askOrSave(question, undefined, door));
}

async function askOrSave(question: PermitQuestion, note: Text | undefined, door: Door): Promise<Permit> {
  if (door.ask) return await askPerson(question, note, door, door.ask);
  return { granted: false, interrupt: await saveQuestion(question, door), ...(note && { note }) };
}

/** What exactly a yes is about. */
export function subjectOf({ work, policy, consent }: SubjectParts): ApprovalSubject {
  const { digest, tool, args, network } = work;
  return { digest, tool, args, network, ...obeyedIn(work), ...reachIn(work, consent), policy: policyHash(policy) };
}

type SubjectParts = Pick<PermitQuestion, 'work' | 'policy' | 'consent'>;

/** Code of the skill has it by a grant; a text that only names the skill has it by this yes. */
function reachIn(work: CallEffect, consent: Consent): Pick<ApprovalSubject, 'reach' | 'mixed'> {
  const reach = offeredTo(work, consent);
  const { mixed } = consent;
  return { ...(reach && { reach }), ...(mixed.length > 0 && { mixed }) };
}

/** Absent where there are none: a yes to an ordinary call names nothing of the kind. */
function obeyedIn({ asked: { obeyed = [] } }: CallEffect): Pick<ApprovalSubject, 'obeyed'> {
  return obeyed.length === 0 ? {} : { obeyed };
}

type UsedGrant = { readonly granted: true; readonly grant: Grant };

function useGrant(grant: Grant, { id }: PermitQuestion, door: Door): UsedGrant {
  door.run.record({ type: 'grant', call: id, grant: grant.id });
  return { granted: true, grant };
}

/** Why somebody is asked who had said yes for good. */
function noteOn({ voided, expired }: Standing): Text | undefined {
  if (expired) return expiredNote(expired);
  if (!voided) return undefined;
  const what = visible(describeTarget(voided.target));
  return {
    en: `The grant ${voided.id} (${what}) no longer counts: the files changed since.`,
    zh: `授权 ${voided.id}（${what}）已失效: 文件此后已更改。`,
  };
}

function noteOnEffects({ layers }: PolicyDecision): Text | undefined {
  const rule = layers.map((layer) => layer.rule).find(({ kind }) => kind === 'outside');
  return rule?.kind === 'outside' ? sayOutside(rule.why) : undefined;
}

function expiredNote({ id, target, expires }: Grant): Text {
  const what = visible(describeTarget(target));
  const at = expires === null ? '' : new Date(expires).toISOString();
  return {
    en: `The grant ${id} (${what}) no longer counts: it expired at ${at}.`,
    zh: `授权 ${id}（${what}）已失效: 已于 ${at} 过期。`,
  };
}

function useApproval(question: PermitQuestion, door: Door): Permit | undefined {
  const approval = door.approvals.take(subjectOf(question));
  if (!approval) return undefined;
  const { key, scope, by } = approval;
  door.run.record({ type: 'approval', call: question.id, key, answer: 'yes', scope, by });
  if (by === 'resume') rememberSeen(question.work, door);
  return { granted: true, shown: !isFromAfar(by) };
}

function approve(question: PermitQuestion, door: Door, scope: ApprovalScope, by: Answerer): Permit {
  const { id } = question;
  const subject = subjectOf(question);
  // A yes for this once is used by this very call; kept, another call at the same time could take it.
  if (scope !== 'once') door.approvals.give(subject, scope, by);
  door.run.record({ type: 'approval', call: id, key: approvalKey(subject, scope), answer: 'yes', scope, by });
  if (by === 'person') rememberSeen(question.work, door);
  return { granted: true, shown: !isFromAfar(by) };
}

async function askPerson(
  question: PermitQuestion,
  note: Text | undefined,
  door: Door,
  ask: NonNullable<Door['ask']>,
): Promise<Permit> {
  const asked = await questionFor(question, door);
  const answer = await ask({ ...asked, ...(note && { note }) });
  const { id, work } = question;
  if (answer === 'once' || answer === 'run') return approve(question, door, answer, 'person');
  const key = approvalKey(subjectOf(question));
  if (answer === 'always' && asked.always && door.grantAlways) {
    door.run.record({ type: 'approval', call: id, key, answer: 'yes', scope: 'always', by: 'person' });
    rememberSeen(work, door);
    return { ...useGrant(door.grantAlways(asked.always), question, door), shown: true };
  }
  if (answer === 'effects' && asked.offersEffects) {
    door.run.record({ type: 'approval', call: id, key, answer: 'effects', by: 'person' });
    door.effectsOnly.choose();
    return { granted: false, again: true };
  }
  throw refusedBy('person', question, typeof answer === 'object' ? answer.no : undefined, door);
}

/** The no, on the record. The reason is for whoever asked: a model reads it as a part of what came of its action. */
function refusedBy(by: Answerer, question: PermitQuestion, reason: string | undefined, door: Door): Fault {
  const { id, work } = question;
  const why = reason !== undefined && { reason: door.run.keep(reason) };
  door.run.record({ type: 'approval', call: id, key: approvalKey(subjectOf(question)), answer: 'no', by, ...why });
  const { tool } = work;
  const said = reason === undefined ? { en: '', zh: '' } : { en: `; the reason: ${reason}`, zh: `；原因: ${reason}` };
  return new Fault(
    'ApprovalDenied',
    { en: `${tool}: the answer was no${said.en}`, zh: `${tool}: 未获批准${said.zh}` },
    { hint: { en: 'Nothing was run.', zh: '未执行任何操作。' } },
  );
}

/** The facts, and what may be answered beside yes and no. */
async function questionFor(question: PermitQuestion, door: Door): Promise<ApprovalQuestion> {
  const { work, policy } = question;
  const facts = await factsOf(question, door);
  const always = door.grantAlways && offeredGrant(question, door);
  const isOffered = policy.project?.ask !== 'each' && policy.caller?.ask !== 'each' && door.effectsOnly.offer();
  return {
    ...facts,
    ...(always && { always }),
    ...(isOffered && { offersEffects: true }),
    whole: () => viewOf(work, door, Number.POSITIVE_INFINITY),
  };
}

/** What others obey is no habit, and a call without a skill has no files that a grant could be bound to. */
function offeredGrant({ work, policy, decision, consent }: PermitQuestion, door: Door): OfferedGrant | undefined {
  const { skill, digest, tool, granted, network } = work;
  if (!skill || digest === '' || decision.onlyPerson || consent.mixed.length > 0) return undefined;
  return alwaysGrant({
    skill: calledName(skill),
    digest: boundDigest(skill, digest),
    ...{ tool, granted, network, tier: policy.tier },
    project: door.places.project,
    now: door.clock.now(),
  });
}

/** The call in one line, for summaries. */
export function wordsOf({ skill, tool, words }: CallEffect): string {
  const who = skill ? `${skill.name}: ` : '';
  return `${who}${tool} ${visible(words.join(' '))}`;
}

async function saveQuestion(asked: PermitQuestion, door: Door): Promise<Interrupt> {
  const { call, work } = asked;
  const facts = await factsOf(asked, door);
  const saved = await interrupt(
    door.interrupts,
    {
      kind: 'approval',
      question: tellFacts(facts, door.language),
      facts: toJson(facts),
      items: [work.tool],
      choices: ['approve', 'deny'],
      digest: approvalKey(subjectOf(asked)),
      payload: toJson(call),
    },
    door.clock.now(),
  );
  door.run.record({ type: 'interrupt', interrupt: saved.id, kind: saved.kind });
  return saved;
}

function refused({ work, decision }: PermitQuestion): Fault {
  const deciding = decision.layers.find((layer) => layer.effect === 'deny');
  const [said] = deciding ? speakLayers([deciding]) : [];
  const why = `${work.tool} (${said?.layer}: ${said?.rule})`;
  return new Fault('PermissionDenied', why, {
    details: { tool: work.tool, risk: decision.risk, layers: speakLayers(decision.layers) },
    hint: toExplain(work),
  });
}

function toExplain({ skill, tool, asked: { remote } }: CallEffect): Text {
  const whose = skill ? [typedWord(skill.folderName)] : remote === undefined ? ['…'] : [];
  const named = remote === undefined ? tool : typedWord(`mcp:${remote}`);
  const command = ['skillwright', 'explain', ...whose, named].join(' ');
  return { en: `\`${command}\` shows which rule decides.`, zh: `\`${command}\` 显示所依据的规则。` };
}

function onlyByGrant({ work, decision }: PermitQuestion): Fault {
  const tier = decision.onlyGrant ?? NO_SANDBOX;
  return new Fault(
    'PermissionDenied',
    {
      en: `${work.tool}: sandbox ${tier} needs a grant that names it`,
      zh: `${work.tool}: 沙箱 ${tier} 需要明确的授权`,
    },
    {
      hint: {
        en: `\`skillwright grants add … --tier ${tier}\`, or \`skillwright doctor\` for a better sandbox.`,
        zh: `使用 \`skillwright grants add … --tier ${tier}\`，或用 \`skillwright doctor\` 查看如何获得更好的沙箱。`,
      },
    },
  );
}
