// The port to what Skillwright remembers about one project; its adapters are the only code that writes a database.

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

/** What is known about the executions of one skill. Failures are counted apart and change nothing else. */
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
  /** Sizes and times of its files; empty when they are too young to be trusted. */
  readonly fingerprint: string;
  /** Empty when its files could not be hashed. */
  readonly digest: string;
}

export interface ScannedSkills {
  all(): ReadonlyMap<string, ScannedSkill>;
  /** Decides and writes in one transaction: nobody else writes between what `decide` is shown and what it returns. */
  reconcile<Change extends ScanChange>(decide: (known: ReadonlyMap<string, ScannedSkill>) => Change): Change;
}

export interface ScanChange {
  readonly put: readonly ScannedSkill[];
  readonly removeFolders: readonly string[];
}

/** What a database on this machine answers at once, one elsewhere later. */
export type Awaitable<Value> = Value | Promise<Value>;

/** One execution per key among any number of processes, and its result for a while afterwards. */
export interface Flights {
  claim(wish: FlightWish): Awaitable<Claim>;
  /** False when the lead is lost; then nothing the former leader does counts any more. */
  renew(lead: Lead, leaseMs: number): Awaitable<boolean>;
  /** False when the lead is lost: the result is refused. */
  finish(lead: Lead, result: string, windowMs: number): Awaitable<boolean>;
  /** What is known about these keys; a key that is missing is free. */
  look(keys: readonly string[]): Awaitable<ReadonlyMap<string, FlightSeen>>;
  /** Forgets what is over. */
  clean(): Awaitable<void>;
}

/** A fence is never given twice: whoever leads a key later has a higher one. */
export interface Lead {
  readonly key: string;
  readonly fence: number;
}

export interface FlightWish {
  readonly key: string;
  /** Fingerprint of what is to be done: the same key for something else is a conflict. */
  readonly payload: string;
  /** Names the processes the leader will start, so that a successor can end them. */
  readonly tag: string;
  readonly leaseMs: number;
  /** A finished result is not good enough. */
  readonly fresh?: boolean;
}

export type Claim =
  /** `former` names the processes of a leader that went silent; they are to be ended before anything is started. */
  | { readonly state: 'leading'; readonly fence: number; readonly former?: string }
  | FlightSeen
  | { readonly state: 'conflict' };

export type FlightSeen =
  | { readonly state: 'running'; readonly fence: number; readonly payload: string }
  | { readonly state: 'finished'; readonly fence: number; readonly payload: string; readonly result: string };
