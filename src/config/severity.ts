// How grave a finding is, in an order: the worst one of a list is the one that counts.
export const SEVERITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type VetSeverity = (typeof SEVERITIES)[number];

export function isAtLeast(severity: VetSeverity, least: VetSeverity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}

/** Undefined for an empty list. */
export function worst(severities: Iterable<VetSeverity>): VetSeverity | undefined {
  let found: VetSeverity | undefined;
  for (const severity of severities) {
    if (found === undefined || isAtLeast(severity, found)) found = severity;
  }
  return found;
}
