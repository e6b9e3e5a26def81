// The port to what Skillwright remembers about one project; its adapters are the only code that writes a database.

export interface Store extends Disposable {
  readonly usage: UsageRecords;
  readonly scanned: ScannedSkills;
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
  record(skill: string, use: Use): void;
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
