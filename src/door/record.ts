// What the record of a run says about one call: the decision, the intent, how far it is, the result.
import type { Outcome } from '../base/outcome.ts';
import type { Span } from '../base/telemetry.ts';
import type { HostAttempt } from '../network/attempt.ts';
import { isEmptyReach, plainReach } from '../policy/consent/reach.ts';
import type { Grant } from '../policy/grant/grant.ts';
import { type PolicyDecision, speakLayers } from '../policy/policy.ts';
import type { Tier } from '../process/order.ts';
import type { Progress } from '../process/progress.ts';
import type { Consent } from './consent/consent.ts';
import type { Door } from './door.ts';
import type { Executed } from './executed.ts';
import type { CallEffect } from './work.ts';

/** One call of a run, as its record sees it. */
export interface CallRecord {
  readonly id: string;
  readonly work: CallEffect;
  /** Absent for what is done without a sandbox. */
  readonly tier?: Tier;
  readonly role?: string;
  readonly span?: Span;
  /** The standing permission it rests on. */
  readonly grant?: Grant;
  /** Nobody was asked: it stays inside its layer, and what it changes is asked about at the end. */
  readonly inside?: boolean;
  /** What it may reach beyond its sandbox. */
  readonly given: Consent;
  /** The whole network: as the skill declares it, or as a person gave it in place of hosts. */
  readonly network: boolean;
}

export function recordDecision({ id, work, tier, role }: CallRecord, decision: PolicyDecision, door: Door): void {
  const { effect, risk } = decision;
  const layers = speakLayers(decision.layers);
  const who = role !== undefined && { role };
  door.run.record({ type: 'decision', call: id, tool: work.tool, effect, risk, layers, ...who }, tier);
}

/** Names only, and the grants that say so. */
export function recordReach({ id, given, tier }: CallRecord, door: Door): void {
  if (isEmptyReach(given.reach)) return;
  const grants = given.grants.map((grant) => grant.id);
  door.run.record({ type: 'reach', call: id, grants, reach: plainReach(given.reach) }, tier);
}

export function recordIntent({ id, work, network, tier }: CallRecord, door: Door): void {
  const { tool, skill, digest } = work;
  const args = door.run.keep(JSON.stringify(work.args));
  const who = skill && { skill: skill.skillId, digest };
  door.run.record({ type: 'call-intent', call: id, tool, ...who, args, network }, tier);
}

export function recordAttempt({ id, tier }: CallRecord, door: Door): (attempt: HostAttempt) => void {
  return (attempt) => door.run.record({ type: 'network', call: id, ...attempt }, tier);
}

/** Every tenth of the way is kept, the rest is only shown: a script can report more than a record should hold. */
export function recordProgress({ id, tier }: CallRecord, door: Door): (progress: Progress) => void {
  let tenth = -1;
  return (progress) => {
    door.onProgress?.(progress);
    const now = Math.floor(progress.fraction * 10);
    if (now <= tenth) return;
    tenth = now;
    const text = progress.message !== '' && { text: door.run.keep(progress.message) };
    door.run.record({ type: 'progress', call: id, fraction: progress.fraction, ...text }, tier);
  };
}

export function recordResult(
  { id, work, tier }: CallRecord,
  door: Door,
  outcome: Outcome,
  { executed, printed }: { readonly executed?: Executed; readonly printed?: string | Uint8Array } = {},
): void {
  const { tool, skill } = work;
  const error = 'failure' in outcome ? outcome.failure.code : undefined;
  const output = printed === undefined ? undefined : door.run.keep(printed);
  door.run.record(
    {
      type: 'call-result',
      call: id,
      tool,
      ...(skill && { skill: skill.skillId }),
      state: outcome.state,
      exit: executed?.ended.exit ?? null,
      duration_ms: Math.round(executed?.ended.durationMs ?? 0),
      ...(error !== undefined && { error }),
      ...(output && { output }),
      ...(executed && { not_enforced: executed.notEnforced }),
    },
    executed?.tier ?? tier,
  );
}
