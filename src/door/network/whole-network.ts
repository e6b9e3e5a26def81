// The whole network in place of consented hosts, where a sandbox cannot tell hosts apart: only a person at a terminal gives it.
import { showHostRule } from '../../base/host-rule.ts';
import { decide } from '../../policy/decide.ts';
import type { AskedCall, Policy } from '../../policy/policy.ts';
import { OWN_INPUT } from '../../process/order.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { isOwnCode } from '../consent/consent.ts';
import type { Door } from '../door.ts';
import type { CallRecord } from '../record.ts';

/** In the record, in the place of one host. */
const EVERY_HOST = { host: '*', port: 0 } as const;

/** False wherever nobody can be asked, or policy would deny it: then the call goes without a network. */
export async function isWholeNetworkGiven(
  { id, work, given, tier }: CallRecord,
  { asked, policy }: { readonly asked: AskedCall; readonly policy: Policy },
  door: Door,
): Promise<boolean> {
  const { skill, digest, network } = work;
  const { lostHosts } = given;
  const readsTerminal = 'stdin' in work && work.stdin === OWN_INPUT;
  if (lostHosts.length === 0 || network || !skill || !isOwnCode(work)) return false;
  if (decide({ ...asked, network: true }, declaredIn(policy, skill)).effect === 'deny') return false;
  if (door.runHosts.hasAll(digest)) return true;
  if (!door.askNetwork || readsTerminal || tier === undefined) return false;
  const answer = await door.askNetwork({ skill: calledName(skill), hosts: lostHosts.map(showHostRule), tier });
  door.run.record({ type: 'host-answer', call: id, ...EVERY_HOST, answer }, tier);
  if (answer === 'run') door.runHosts.giveAll(digest);
  return answer !== 'no';
}

/** A person's consent to hosts stands for this skill's own word that it needs a network; every other rule holds. */
function declaredIn(policy: Policy, { folder }: SkillEntry): Policy {
  const skills = policy.skills?.map((one) => (one.folder === folder ? { ...one, network: true } : one));
  return { ...policy, ...(skills && { skills }) };
}
