// What would happen to a call, without making it, asking about it, or writing anything down.
import { type ApprovalSubject, approvalKey } from '../../policy/approval.ts';
import { decide } from '../../policy/decide.ts';
import { type Effect, type SpokenLayer, speakLayers } from '../../policy/policy.ts';
import type { ApprovalFacts } from '../../policy/question/facts.ts';
import type { Risk } from '../../tools/tool-name.ts';
import { factsOf } from '../approval-facts.ts';
import type { Call } from '../call.ts';
import { consentInLayer } from '../consent/consent.ts';
import type { Door } from '../door.ts';
import { isForYes, subjectOf } from '../permit.ts';
import { findStanding } from '../standing-grant.ts';
import { understand } from '../understand.ts';
import { policyOf } from '../work.ts';
import { askedOf } from './asked-call.ts';

export interface CallJudgement {
  readonly effect: Effect;
  readonly risk: Risk;
  readonly layers: readonly SpokenLayer[];
  /** The id of the grant that it rests on. */
  readonly grant?: string;
  /** Names the very call that a yes would be about, files, arguments and policy included. */
  readonly key: string;
  readonly subject: ApprovalSubject;
  /** Whether a yes from afar would count; else only a person's at our own question does. */
  readonly forYes: boolean;
  /** What a person would be shown. */
  facts(): Promise<ApprovalFacts>;
}

/** Undefined for a call that needs no effect. Throws a Fault for what cannot be understood. */
export async function judgeCall(call: Call, door: Door): Promise<CallJudgement | undefined> {
  const work = await understand(call, door);
  if ('answer' in work) return undefined;
  const policy = await policyOf(work, door);
  const consent = await consentInLayer(work, policy.tier, door);
  const decision = decide(await askedOf({ work, consent }, policy, door), policy);
  const subject = subjectOf({ work, policy, consent });
  const layers = speakLayers(decision.layers);
  const described = { call, work, policy, decision, consent };
  const about = {
    ...{ risk: decision.risk, layers, key: approvalKey(subject), subject },
    forYes: isForYes(described),
    facts: () => factsOf(described, door),
  };
  if (decision.effect === 'deny') return { effect: 'deny', ...about };
  if (consent.mixed.length > 0) return { effect: 'ask', ...about };
  const { grant } = decision.onlyPerson ? {} : findStanding(work, policy.tier, door);
  if (grant) return { effect: 'allow', grant: grant.id, ...about };
  // Where nothing confines it, only a grant that says so counts.
  return { effect: decision.onlyGrant ? 'deny' : decision.effect, ...about };
}
