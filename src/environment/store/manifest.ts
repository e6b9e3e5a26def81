// The sealed manifest of a stored environment: what it was made of, the digest of every file, and the trace it is known by.
import path from 'node:path';
import { keyFor, openAuditKey, sealJson, unsealJson } from '../../audit/seal.ts';
import { writeFileAtomic } from '../../base/files.ts';
import { sha256 } from '../../base/ids.ts';
import { jsonIfValid } from '../../base/json.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { type Digest, isDigest } from '../../base/value/digest.ts';
import { isListOf, isNumber, isObject, isOptional, isText, isWord } from '../../base/value/shape.ts';
import type { BuiltFile } from './tree.ts';

export interface EnvironmentManifest {
  /** The name of its folder: of the entry, the interpreter and the platform. */
  readonly name: string;
  readonly ecosystem: 'python' | 'node';
  readonly entry: Digest;
  /** The interpreter and platform it was built for, as a lock keeps tree digests by. */
  readonly exact: string;
  /** The program that runs it; empty for npm packages. */
  readonly interpreter: string;
  /** That program as it was then; absent where any will do. */
  readonly program?: string | undefined;
  readonly index: string;
  readonly packages: readonly string[];
  readonly tree: Digest;
  readonly trace: string;
  readonly files: number;
  readonly bytes: number;
  readonly built: number;
  /** Files that packages bring and nobody gets, each with its package. */
  readonly leftOut?: readonly string[] | undefined;
  /** Programs of packages that the machine has by the same name: its own come first. */
  readonly behind?: readonly string[] | undefined;
  /** Of the list of its files. */
  readonly listing: string;
}

const isManifest = isObject<EnvironmentManifest>({
  ...{ name: isText, ecosystem: isWord(['python', 'node']), entry: isDigest, exact: isText, interpreter: isText },
  ...{
    program: isOptional(isText),
    index: isText,
    packages: isListOf(isText),
    tree: isDigest,
    trace: isText,
    files: isNumber,
    bytes: isNumber,
  },
  ...{ built: isNumber, listing: isText, leftOut: isOptional(isListOf(isText)), behind: isOptional(isListOf(isText)) },
});

const isEntries = isListOf(
  isObject<BuiltFile>({
    path: isText,
    kind: isWord(['file', 'executable', 'link', 'folder']),
    size: isNumber,
    sha256: isText,
  }),
);

export const PARTS = { manifest: 'manifest.json', listing: 'files.json', tree: 'tree' } as const;

export function writeManifest(
  folder: string,
  home: string,
  manifest: Omit<EnvironmentManifest, 'listing'>,
  entries: readonly BuiltFile[],
): void {
  const listing = JSON.stringify(entries);
  writeFileAtomic(path.join(folder, PARTS.listing), listing, { durable: true });
  sealManifest(folder, home, { ...manifest, listing: sha256(listing) });
}

/** Again, for the same files under another trace. */
export function sealManifest(folder: string, home: string, manifest: EnvironmentManifest): void {
  const sealed = sealJson(JSON.stringify(manifest), keyFor('environment', openAuditKey(home)));
  writeFileAtomic(path.join(folder, PARTS.manifest), sealed, { durable: true });
}

/** Undefined where there is none, or it was not sealed by us for this very folder. */
export function readManifest(folder: string, home: string): EnvironmentManifest | undefined {
  const sealed = readTextIfThere(path.join(folder, PARTS.manifest));
  if (sealed === undefined) return undefined;
  const json = unsealJson(sealed, keyFor('environment', openAuditKey(home)));
  const manifest = json === undefined ? undefined : jsonIfValid(json);
  return isManifest(manifest) && manifest.name === path.basename(folder) ? manifest : undefined;
}

/** Undefined where the list is not the one that was sealed. */
export function readListing(folder: string, { listing }: EnvironmentManifest): readonly BuiltFile[] | undefined {
  const text = readTextIfThere(path.join(folder, PARTS.listing));
  const entries = text === undefined || sha256(text) !== listing ? undefined : jsonIfValid(text);
  return isEntries(entries) ? entries : undefined;
}

/** What people and programs are told of an environment. */
export function tellManifest(manifest: EnvironmentManifest) {
  const { name, ecosystem, entry, tree, exact, files, bytes, packages, leftOut = [], behind = [] } = manifest;
  return {
    ...{ ecosystem, environment: name, entry, tree, exact, files, bytes, packages: [...packages] },
    ...(leftOut.length > 0 && { left_out: [...leftOut] }),
    ...(behind.length > 0 && { behind: [...behind] }),
  };
}
