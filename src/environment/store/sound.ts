// Where an environment of this user lies, by hash below home, and whether it is as it was when it was sealed.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { canonicalJson } from '../../base/json.ts';
import { type Digest, digestName, makeDigest } from '../../base/value/digest.ts';
import { type EnvironmentManifest, PARTS, readManifest } from './manifest.ts';
import { traceOf } from './tree.ts';

export function storeFolder(home: string): string {
  return path.join(home, '.agent', 'environments');
}

/** Another interpreter, platform or way of seeing the machine's packages is another environment. */
export function storeName(entry: Digest, exact: string, isolated: boolean): string {
  return digestName(makeDigest(canonicalJson({ entry, exact, isolated })));
}

export function folderOf(home: string, name: string): string {
  return path.join(storeFolder(home), name);
}

export function treeOf(home: string, name: string): string {
  return path.join(folderOf(home, name), PARTS.tree);
}

/** Whole, sealed, and as it was when it was sealed: by the trace of its files, not by their contents. */
export function findSound(home: string, name: string): EnvironmentManifest | undefined {
  const manifest = readManifest(folderOf(home, name), home);
  return manifest && isUntouched(home, manifest) ? manifest : undefined;
}

export function isUntouched(home: string, { name, trace }: EnvironmentManifest): boolean {
  const tree = treeOf(home, name);
  if (!lstatSync(tree, { throwIfNoEntry: false })?.isDirectory()) return false;
  return traceOf(tree) === trace;
}
