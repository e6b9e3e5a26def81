// How grave a finding is, in an order: the worst one of a list is the one that counts.
export const SEVERITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type Severity = (typeof SEVERITIES)[number];

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}

/** Undefined for an empty list. */
export function worst(severities: Iterable<Severity>): Severity | undefined {
  let found: Severity | undefined;
  for (const severity of severities) {
    if (found === undefined || isAtLeast(severity, found)) found = severity;
  }
  return found;
}
