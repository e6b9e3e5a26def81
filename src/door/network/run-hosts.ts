// Hosts that a person allowed for the rest of a run, by the digest of the code they were asked about.
import type { HostRule } from '../../base/host-rule.ts';

export interface RunHosts {
  give(digest: string, rule: HostRule): void;
  of(digest: string): readonly HostRule[];
  /** The whole network, where single hosts cannot be told apart. */
  giveAll(digest: string): void;
  hasAll(digest: string): boolean;
}

export function createRunHosts(): RunHosts {
  const given = new Map<string, HostRule[]>();
  const whole = new Set<string>();
  return {
    give: (digest, rule) => void given.set(digest, [...(given.get(digest) ?? []), rule]),
    of: (digest) => given.get(digest) ?? [],
    giveAll: (digest) => void whole.add(digest),
    hasAll: (digest) => whole.has(digest),
  };
}
