// The port to the stored state of one project; its adapters are the only code that writes a database.

export interface Store extends Disposable {
  readonly usage: UsageRecords;
  readonly scanned: ScannedSkills;
  readonly flights: Flights;
  close(): void;
}

/** One execution that has ended. */
export interface Use {
  readonly ok: boolean;
  readonly durationMs: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Usage statistics of one skill. Failures are counted apart and change nothing else. */
export interface Usage {
  readonly count: number;
  readonly failures: number;
  readonly totalMs: number;
  readonly lastMs?: number;
  readonly lastUsed?: number;
}

export interface UsageRecords {
  /** Durable when it returns. */
  record(skill: string, use: Use): Awaitable<void>;
  of(skill: string): Usage | undefined;
  all(): ReadonlyMap<string, Usage>;
}

/** A skill as the last scan saw it. */
export interface ScannedSkill {
  readonly folder: string;
  readonly skillId: string;
  readonly name: string;
  readonly source: string;
  /** Sizes and times of its files; empty when they are too recent to detect a later change. */
  readonly fingerprint: string;
  /** Empty when its files could not be hashed. */
  readonly digest: string;
}

export interface ScannedSkills {
  all(): ReadonlyMap<string, ScannedSkill>;
  /** Decides and writes in one transaction: no other process writes between what `decide` reads and what it returns. */
  reconcile<Change extends ScanChange>(decide: (known: ReadonlyMap<string, ScannedSkill>) => Change): Change;
}

export interface ScanChange {
  readonly put: readonly ScannedSkill[];
  readonly removeFolders: readonly string[];
}

/** Synchronous for a database on this machine, asynchronous for a server; what must be synchronous is read when it is opened. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Single-flight: one execution per key among any number of processes, and its result for a while afterwards. */
export interface Flights {
  claim(wish: FlightWish): Awaitable<Claim>;
  /** The heartbeat of a leader. False when the lead is lost: every later write of the former leader is refused. */
  renew(lead: Lead, leaseMs: number): Awaitable<boolean>;
  /** False when the lead is lost: the result is refused. */
  finish(lead: Lead, result: string, windowMs: number): Awaitable<boolean>;
  /** The state of these keys; a missing key is free. */
  look(keys: readonly string[]): Awaitable<ReadonlyMap<string, FlightSeen>>;
  /** Deletes expired entries. */
  clean(): Awaitable<void>;
}

/** A fencing token is never given twice: each later leader of a key has a higher one. */
export interface Lead {
  readonly key: string;
  readonly fence: number;
}

export interface FlightWish {
  readonly key: string;
  /** Fingerprint of the call: the same idempotency key for another call is a conflict. */
  readonly payload: string;
  /** Tag of the processes the leader will start, so that a successor can end them. */
  readonly tag: string;
  readonly leaseMs: number;
  /** A finished result is not accepted: run again. */
  readonly fresh?: boolean;
}

export type Claim =
  /** `former` is the tag of a leader whose lease expired; its processes must be ended before anything is started. */
  | { readonly state: 'leading'; readonly fence: number; readonly former?: string }
  | FlightSeen
  | { readonly state: 'conflict' };

export type FlightSeen =
  | { readonly state: 'running'; readonly fence: number; readonly payload: string }
  | { readonly state: 'finished'; readonly fence: number; readonly payload: string; readonly result: string };
