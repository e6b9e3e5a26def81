// One locked environment: exact packages with their hashes, from which index and for which interpreter and platform.
import { canonicalJson, type Json } from '../../base/json.ts';
import { type Digest, makeDigest } from '../../base/value/digest.ts';
import type { Ecosystem } from '../need/package-need.ts';

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** `sha256:…` of a wheel; the `sha512-…` integrity of an npm package. */
  readonly hashes: readonly string[];
  /** Of npm: its folder in the tree, where it comes from below the index, and what its neighbours are found by. */
  readonly at?: string;
  readonly from?: string;
  readonly more?: { readonly [key: string]: Json };
  /** Has scripts that are to run at installation. They never do. */
  readonly scripts?: true;
}

/** What `npm ci` compares or installs by; the rest is told for people. */
export const KEPT_OF_NPM = [
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bin',
  'optional',
  'peer',
  'os',
  'cpu',
  'libc',
] as const;

/** What consent is given to: everything that decides which bytes are installed. */
export interface LockEntry {
  readonly ecosystem: Ecosystem;
  readonly needs: Digest;
  readonly wanted: readonly string[];
  /** Without a login. */
  readonly index: string;
  /** For which it was resolved: `linux-x86_64`, `cpython-3.11`. */
  readonly platform: string;
  readonly interpreter: string;
  /** Nothing published later was looked at; null where the resolver has no such bound. */
  readonly before: string | null;
  readonly packages: readonly LockedPackage[];
}

export interface LockedEnvironment {
  readonly hash: Digest;
  readonly entry: LockEntry;
  /** Who resolved it, and when. */
  readonly resolved: { readonly by: string; readonly at: string };
  /** The digest of what was built from it, by interpreter and platform. */
  readonly trees: Readonly<Record<string, Digest>>;
}

export function entryHash(entry: LockEntry): Digest {
  return hashOf(entry);
}

/** The same of an entry that nobody has checked. */
export function hashOf(entry: object): Digest {
  return makeDigest(canonicalJson(entry));
}

/** `requests==2.31.0`, as people write it. */
export function packageWord({ ecosystem }: Pick<LockEntry, 'ecosystem'>, { name, version }: LockedPackage): string {
  return ecosystem === 'python' ? `${name}==${version}` : `${name}@${version}`;
}
