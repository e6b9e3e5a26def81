// How much of a network one call gets: bytes, connections, questions, and time for each step.

export interface ProxyLimits {
  /** Both ways together, of all connections. */
  readonly bytes: number;
  readonly connectionsAtOnce: number;
  readonly connections: number;
  readonly questions: number;
  /** Until a program has said what it wants. */
  readonly headMs: number;
  readonly askMs: number;
  readonly lookupMs: number;
  readonly connectMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** How often open connections are compared with what is allowed. */
  readonly recheckMs: number;
}

export const DEFAULT_LIMITS: ProxyLimits = {
  bytes: 4 * 1024 ** 3,
  connectionsAtOnce: 256,
  connections: 5000,
  questions: 3,
  headMs: 30_000,
  askMs: 120_000,
  lookupMs: 10_000,
  connectMs: 20_000,
  idleMs: 300_000,
  recheckMs: 250,
};
