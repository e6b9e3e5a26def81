// May it? Policy first; where policy asks: a grant, an approval already given, `--yes`, a person, or a saved question.
import { Fault } from '../base/errors.ts';
import { toJson } from '../base/json.ts';
import type { Language, Text } from '../base/language.ts';
import { visible } from '../base/text.ts';
import {
  type Answerer,
  type ApprovalScope,
  type ApprovalSubject,
  approvalKey,
  yesAnswers,
} from '../policy/approval.ts';
import { policyHash } from '../policy/decide.ts';
import type { Grant } from '../policy/grant/grant.ts';
import { describeTarget } from '../policy/grant/store.ts';
import { interrupt } from '../policy/interrupt/interrupt.ts';
import { type Policy, type PolicyDecision, speakLayers } from '../policy/policy.ts';
import { type ApprovalQuestion, renderFacts } from '../policy/render-approval.ts';
import { NO_SANDBOX } from '../policy/tier.ts';
import type { Interrupt } from '../store/interrupt-store.ts';
import type { Call } from './call.ts';
import type { Door } from './door.ts';
import { findStanding, type Standing } from './standing-grant.ts';
import type { CallEffect } from './work.ts';

/** A question was saved; whoever answers it lets the call go on. */
export interface SavedQuestion {
  readonly granted: false;
  readonly interrupt: Interrupt;
  readonly note?: Text;
}

/** `grant`: the standing permission it rests on, if it does. */
export type Permit = { readonly granted: true; readonly grant?: Grant } | SavedQuestion;

export interface PermitQuestion {
  readonly id: string;
  readonly call: Call;
  readonly work: CallEffect;
  readonly policy: Policy;
  readonly decision: PolicyDecision;
}

const GRANTED: Permit = { granted: true };

export async function obtainPermit(question: PermitQuestion, door: Door): Promise<Permit> {
  const { decision } = question;
  if (decision.effect === 'deny') throw refused(question);
  if (decision.effect === 'allow') return GRANTED;
  const standing: Standing = decision.onlyPerson ? {} : findStanding(question.work, question.policy.tier, door);
  const { grant } = standing;
  if (grant) return useGrant(grant, question, door);
  if (decision.onlyGrant) throw onlyByGrant(question);
  if (useApproval(question, door)) return GRANTED;
  if (door.yes && yesAnswers({ about: 'call', decision })) return approve(question, door, 'once', 'yes-option');
  const note = noteOn(standing);
  if (door.ask) return await askPerson(question, note, door, door.ask);
  return { granted: false, interrupt: await saveQuestion(question, door), ...(note && { note }) };
}

/** What exactly a yes is about. */
export function subjectOf(work: CallEffect, policy: Policy): ApprovalSubject {
  const { digest, tool, args, network } = work;
  return { digest, tool, args, network, ...obeyedIn(work), policy: policyHash(policy) };
}

/** Absent where there are none: a yes to an ordinary call names nothing of the kind. */
function obeyedIn({ asked: { obeyed = [] } }: CallEffect): Pick<ApprovalSubject, 'obeyed'> {
  return obeyed.length === 0 ? {} : { obeyed };
}

function useGrant(grant: Grant, { id }: PermitQuestion, door: Door): Permit {
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

function expiredNote({ id, target, expires }: Grant): Text {
  const what = visible(describeTarget(target));
  const at = expires === null ? '' : new Date(expires).toISOString();
  return {
    en: `The grant ${id} (${what}) no longer counts: it expired at ${at}.`,
    zh: `授权 ${id}（${what}）已失效: 已于 ${at} 过期。`,
  };
}

function useApproval(question: PermitQuestion, door: Door): boolean {
  const { id, work, policy } = question;
  const approval = door.approvals.take(subjectOf(work, policy));
  if (!approval) return false;
  const { key, scope, by } = approval;
  door.run.record({ type: 'approval', call: id, key, answer: 'yes', scope, by });
  return true;
}

function approve({ id, work, policy }: PermitQuestion, door: Door, scope: ApprovalScope, by: Answerer): Permit {
  const subject = subjectOf(work, policy);
  // A yes for this once is used by this very call; kept, another call at the same time could take it.
  if (scope !== 'once') door.approvals.give(subject, scope, by);
  door.run.record({ type: 'approval', call: id, key: approvalKey(subject, scope), answer: 'yes', scope, by });
  return GRANTED;
}

async function askPerson(
  question: PermitQuestion,
  note: Text | undefined,
  door: Door,
  ask: NonNullable<Door['ask']>,
): Promise<Permit> {
  const answer = await ask({ ...describe(question), ...(note && { note }) });
  if (answer !== 'no') return approve(question, door, answer, 'person');
  const key = approvalKey(subjectOf(question.work, question.policy));
  door.run.record({ type: 'approval', call: question.id, key, answer: 'no', by: 'person' });
  throw new Fault(
    'ApprovalDenied',
    { en: `${question.work.tool}: the answer was no`, zh: `${question.work.tool}: 未获批准` },
    { hint: { en: 'Nothing was run.', zh: '未执行任何操作。' } },
  );
}

function describe({ call, work, decision, policy }: Omit<PermitQuestion, 'id'>): ApprovalQuestion {
  const { digest, tool, network, skill, words, runs = [] } = work;
  const role = policy.role?.name ?? call.role;
  return {
    subject: { digest, tool, network, ...obeyedIn(work) },
    risk: decision.risk,
    words,
    ...(runs.length > 0 && { runs }),
    ...(skill && { skill: skill.skillId }),
    ...(role !== undefined && { role }),
    ...(policy.tier && { tier: policy.tier }),
  };
}

/** The call in one line, for summaries. */
export function wordsOf({ skill, tool, words }: CallEffect): string {
  const who = skill ? `${skill.name}: ` : '';
  return `${who}${tool} ${visible(words.join(' '))}`;
}

/** What a person reads who answers later: the same facts as at the prompt. */
export function factsOf(question: Omit<PermitQuestion, 'id'>, language: Language): string {
  return renderFacts(describe(question), language).join('\n');
}

async function saveQuestion(asked: PermitQuestion, door: Door): Promise<Interrupt> {
  const { call, work, policy } = asked;
  const saved = await interrupt(
    door.interrupts,
    {
      kind: 'approval',
      question: factsOf(asked, door.language),
      items: [work.tool],
      choices: ['approve', 'deny'],
      digest: approvalKey(subjectOf(work, policy)),
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

function toExplain({ skill, tool }: CallEffect): Text {
  const command = `skillwright explain ${skill ? visible(skill.folderName) : '…'} ${tool}`;
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
