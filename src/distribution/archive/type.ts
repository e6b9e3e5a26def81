// What an archive type is: the names its files have, how its bytes are told, and how they are read under one policy.
export interface ArchiveLimits {
  readonly entries: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly ratio: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = { entries: 2000, fileBytes: 10 << 20, totalBytes: 50 << 20, ratio: 100 };

export interface ArchiveFile {
  readonly name: string;
  readonly segments: readonly string[];
  readonly executable: boolean;
  readonly size: number;
  /** The content; throws where it is not as long, or not what the checksum says. */
  read(): Buffer;
}

/** One archive type: a file of its own, listed in types.ts. */
export interface ArchiveType {
  /** The ends of file names that people are told. */
  readonly suffixes: readonly string[];
  /** Further ends that are understood. */
  readonly alsoSuffixes?: readonly string[];
  /** By the first bytes: what a file is called proves nothing. */
  recognises(bytes: Buffer): boolean;
  /** The files in it, all judged before the first is handed out; folders are implied by them. Throws a Fault. */
  open(bytes: Buffer, limits: ArchiveLimits): ArchiveFile[];
}

export function isNamedAs({ suffixes, alsoSuffixes = [] }: ArchiveType, name: string): boolean {
  return [...suffixes, ...alsoSuffixes].some((suffix) => name.toLowerCase().endsWith(suffix));
}
