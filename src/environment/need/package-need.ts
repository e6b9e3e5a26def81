// What a skill imports that somebody else publishes: one package of one ecosystem, with where that was found and how sure it is.
export type Ecosystem = 'python' | 'node';
/** `declared` for machines; `stated` in prose; `guessed` from an import whose package no table knows. */
export type Certainty = 'declared' | 'stated' | 'imported' | 'guessed';
export interface FoundIn {
  readonly file: string;
  readonly line: number;
}
export interface PackageNeed {
  readonly ecosystem: Ecosystem;
  /** As the index names it: normalised (PEP 503) for Python, as written for npm. */
  readonly name: string;
  /** The version specifier as written (PEP 440 or semver range), '' for any. */
  readonly spec: string;
  readonly extras: readonly string[];
  /** A PEP 508 marker as written, '' for none. */
  readonly marker: string;
  readonly certainty: Certainty;
  readonly foundIn: readonly FoundIn[];
}
export interface PackageConflict {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly specs: readonly { readonly spec: string; readonly foundIn: FoundIn }[];
}
export interface PackageNeeds {
  readonly needs: readonly PackageNeed[];
  readonly conflicts: readonly PackageConflict[];
  readonly unread: readonly { readonly file: string; readonly why: string }[];
}
