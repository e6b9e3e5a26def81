// What a call that `explain` speaks about would reach beyond its sandbox, and by which grant.
import type { Text } from '../../base/language.ts';
import type { Data } from '../../base/outcome.ts';
import { consentFor, NO_CONSENT } from '../../door/consent/consent.ts';
import type { Beyond } from '../../policy/asking.ts';
import { kindsOf, NO_REACH, plainReach } from '../../policy/consent/reach.ts';
import { sayReachShortly } from '../../policy/consent/say-reach.ts';
import type { Grant } from '../../policy/grant/grant.ts';
import type { Tier } from '../../policy/tier.ts';
import { findTool, isExecuting, toolOf } from '../../tools/list.ts';
import type { Runtime } from '../runtime.ts';
import { coveredCall, type ExplainedCall, sourcesFor } from './standing-grant.ts';

export interface ExplainedReach {
  readonly grants: readonly Grant[];
  /** A text that only names the skill gets it by a yes to that very text, never by the grant alone. */
  readonly byThisYes: boolean;
  /** What a grant says and the sandbox of this machine cannot do. */
  readonly notCounted: readonly Text[];
}

/** Empty for tools of our own: nothing of them runs in a sandbox. */
export async function reachFor(call: ExplainedCall, tier: Tier | undefined, runtime: Runtime): Promise<ExplainedReach> {
  const tool = findTool(call.asked.tool);
  const work = tool && isExecuting(tool) ? await coveredCall(call, runtime) : undefined;
  const { grants, notCounted } = work ? consentFor(work, tier, sourcesFor(call, runtime)) : NO_CONSENT;
  return { grants, notCounted, byThisYes: tool !== undefined && toolOf(tool).about !== 'script' };
}

/** What of it counts without a yes to this very call. */
export function beyondIn({ grants, byThisYes }: ExplainedReach): Beyond[] {
  return byThisYes ? [] : [...new Set(grants.flatMap(({ reach = NO_REACH }) => kindsOf(reach)))];
}

/** One sentence a grant; none where nothing is reached. */
export function sayExplainedReach({ grants, byThisYes, notCounted }: ExplainedReach): Text[] {
  const sentences = grants.map(({ id, reach = NO_REACH }): Text => {
    const may = sayReachShortly(reach);
    return byThisYes
      ? {
          en: `Only by a yes to this very text it may, as the grant ${id} says: ${may.en}.`,
          zh: `仅当此文本本身获得同意时，才可按授权 ${id}: ${may.zh}。`,
        }
      : { en: `By the grant ${id} it may: ${may.en}.`, zh: `按授权 ${id}，它可以: ${may.zh}。` };
  });
  return [...sentences, ...notCounted];
}

export function describeExplainedReach({ grants, byThisYes, notCounted }: ExplainedReach, say: (text: Text) => string) {
  const data: Data = {
    grants: grants.map(({ id, reach = NO_REACH }) => ({ id, ...plainReach(reach) })),
    ...(byThisYes && { only_by_yes: true }),
    ...(notCounted.length > 0 && { not_counted: notCounted.map(say) }),
  };
  return grants.length === 0 ? {} : { reach: data };
}
