// How strong a sandbox is: a rank, spelled S0, S1, … where people name it. The tiers are in process/sandbox/tiers.ts.
export type Tier = `S${number}`;

export function spellTier(rank: number): Tier {
  return `S${rank}`;
}

/** Nothing is isolated. */
export const NO_SANDBOX = spellTier(0);

/** From here on nothing of a call outlives it. */
export const ENDS_DAEMONS = spellTier(2);

/** From here on a call has a network of its own, through which single hosts can be let. */
export const OWN_NETWORK = spellTier(2);

/** The scale has room above what a tier reaches today: a grant that asks for more counts in no sandbox. */
export function isTier(value: unknown): value is Tier {
  return typeof value === 'string' && /^S[0-5]$/.test(value);
}

export function isAtLeast(tier: Tier, lowest: Tier): boolean {
  return rankOf(tier) >= rankOf(lowest);
}

export function isUnconfined(tier: Tier): boolean {
  return isAtLeast(NO_SANDBOX, tier);
}

/** What `grants add` needs beside the rest, so that the grant counts here: weaker sandboxes have to be named. */
export function tierOption(tier: Tier | undefined): string[] {
  return tier === undefined || isAtLeast(tier, ENDS_DAEMONS) ? [] : [`--tier ${tier}`];
}

function rankOf(tier: Tier): number {
  return Number(tier.slice(1));
}
