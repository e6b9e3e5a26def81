// Which hosts one call may reach: what was consented, what was answered for this run, and who is asked about the rest.
import type { HostRule } from '../../base/host-rule.ts';
import type { Digest } from '../../base/value/digest.ts';
import type { HostAnswer, HostQuestion } from '../../network/reach.ts';
import { NO_REACH } from '../../policy/consent/reach.ts';
import type { OfferedGrant } from '../../policy/question/facts.ts';
import { NO_SANDBOX, type Tier } from '../../policy/tier.ts';
import { OWN_INPUT } from '../../process/order.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { boundDigest } from '../../registry/role/skill.ts';
import { consentOf, isOwnCode } from '../consent/consent.ts';
import type { Door } from '../door.ts';
import { attemptWithoutSecrets } from '../output/without-secrets.ts';
import { type CallRecord, recordAttempt } from '../record.ts';
import type { Secrets } from '../secret.ts';
import type { HostReach } from './call-network.ts';

export function hostReachOf(record: CallRecord, door: Door, secrets: Secrets): HostReach {
  const { work, given, tier } = record;
  const answered = () => door.runHosts.of(work.digest);
  const { hosts } = given.reach;
  const tell = recordAttempt(record, door);
  const wanted = [...hosts, ...answered()];
  const askHost = askerOf(record, door, (host) => void wanted.push(host));
  return {
    hosts: wanted,
    // A grant that is revoked while the call runs cuts what it has open.
    hostsNow: () => [...(wanted.length === 0 ? [] : consentOf(work, tier, door).reach.hosts), ...answered()],
    onAttempt: (attempt) => tell(attemptWithoutSecrets(attempt, secrets)),
    ...(askHost && { askHost }),
  };
}

/** Only about code of the skill, and not at a terminal that the call itself reads from. */
function askerOf(
  { id, work, tier }: CallRecord,
  door: Door,
  onGranted: (host: HostRule) => void,
): HostReach['askHost'] {
  const { askHost } = door;
  const { skill, digest } = work;
  const readsTerminal = 'stdin' in work && work.stdin === OWN_INPUT;
  if (!askHost || !skill || digest === '' || !isOwnCode(work) || readsTerminal) return undefined;
  return async (question: HostQuestion, signal: AbortSignal): Promise<HostAnswer> => {
    const answer = await askHost({ ...question, skill: calledName(skill) }, signal);
    const { host, port } = question;
    if (answer === 'run') door.runHosts.give(digest, { host, port });
    if (answer === 'always') {
      door.grantAlways?.(grantFor(skill, digest, { host, port }, tier, door));
      onGranted({ host, port });
    }
    door.run.record({ type: 'host-answer', call: id, host, port, answer }, tier);
    return answer;
  };
}

function grantFor(skill: SkillEntry, digest: Digest, host: HostRule, tier: Tier | undefined, door: Door): OfferedGrant {
  return {
    ...{ skill: calledName(skill), bound: { digest: boundDigest(skill, digest) }, target: { kind: 'code' } },
    ...{ network: false, writes: false, reach: { ...NO_REACH, hosts: [host] } },
    ...{ tier: tier ?? NO_SANDBOX, created: door.clock.now(), expires: null },
  };
}
