// How strong the sandbox is, as policy compares it: S3 is strongest, S0 is none.
export const TIERS = ['S0', 'S1', 'S2', 'S3'] as const;
export type Tier = (typeof TIERS)[number];

export function isTier(value: unknown): value is Tier {
  return TIERS.some((tier) => tier === value);
}

export function isAtLeast(tier: Tier, lowest: Tier): boolean {
  return TIERS.indexOf(tier) >= TIERS.indexOf(lowest);
}
