// Every tier there is. A tier is one file, and an entry here.
import { spellTier, type Tier } from '../../policy/tier.ts';
import { bubblewrapTier } from './linux/bubblewrap.ts';
import { landlockTier } from './linux/landlock.ts';
import { namespacesTier } from './linux/namespaces.ts';
import { bareTier } from './none/bare.ts';
import type { SandboxTier } from './tier.ts';

const LISTED: readonly SandboxTier[] = [bareTier, landlockTier, namespacesTier, bubblewrapTier];

/** Strongest first. */
export const TIERS = LISTED.toSorted((one, other) => other.rank - one.rank);

/** As people name them, strongest first; tiers of several systems may share a rank. */
export const TIER_NAMES: readonly Tier[] = [...new Set(TIERS.map(({ rank }) => spellTier(rank)))];

/** As strong as it gets. */
export const STRONGEST: Tier = TIER_NAMES[0] ?? spellTier(bareTier.rank);

export function tiersNamed(name: Tier): SandboxTier[] {
  return TIERS.filter(({ rank }) => spellTier(rank) === name);
}
