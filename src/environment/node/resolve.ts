// What npm packages a skill's needs come to, and the same packages installed: their scripts are never run.
import path from 'node:path';
import { makeFolder, removeTree, writeFileAtomic } from '../../base/files.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { nodeMachine } from '../build/machine.ts';
import { refusePackages } from '../build/refusal.ts';
import type { InstalledTree, Workshop } from '../build/workshop.ts';
import type { IndexPlace } from '../index-place.ts';
import type { LockEntry } from '../lock/lock-entry.ts';
import type { NeedSet } from '../need/need-set.ts';
import type { Resolution } from '../python/resolve.ts';
import { type NpmSearch, runNpm } from './npm.ts';
import { dependenciesOf, readPackageLock, renderPackageLock } from './package-lock.ts';

/** Throws a Fault that names what cannot be had from the index. */
export async function resolveNode(
  needs: NeedSet,
  index: IndexPlace,
  search: NpmSearch,
  workshop: Workshop,
): Promise<Resolution> {
  const tree = openTree(needs.wanted, workshop);
  const version = await runNpm(['install', '--package-lock-only'], index, search, workshop);
  const packages = readPackageLock(readTextIfThere(path.join(tree, 'package-lock.json')) ?? '', index);
  const { platform, interpreter } = nodeMachine();
  const entry: LockEntry = {
    ...{ ecosystem: 'node', needs: needs.digest, wanted: needs.wanted, index: index.url },
    ...{ platform, interpreter, before: null, packages },
  };
  return { entry, by: `npm ${version}`.trim() };
}

/** What is returned holds `node_modules` and nothing else. */
export async function buildNode(
  entry: LockEntry,
  index: IndexPlace,
  search: NpmSearch,
  workshop: Workshop,
): Promise<InstalledTree> {
  const tree = openTree(entry.wanted, workshop);
  writeFileAtomic(path.join(tree, 'package-lock.json'), renderPackageLock(entry, index), { mode: 0o644 });
  await runNpm(['ci'], index, search, workshop);
  for (const name of ['package.json', 'package-lock.json']) removeTree(path.join(tree, name));
  makeFolder(path.join(tree, 'node_modules'), 0o755);
  return { tree, leftOut: [] };
}

function openTree(wanted: readonly string[], { folder }: Workshop): string {
  const tree = path.join(folder, 'tree');
  makeFolder(tree, 0o755);
  const dependencies = dependenciesOf(wanted.map(checkWanted));
  const manifest = JSON.stringify({ name: 'environment', private: true, dependencies });
  writeFileAtomic(path.join(tree, 'package.json'), manifest, { mode: 0o644 });
  return tree;
}

/** A name and a range of versions: nothing that npm would fetch from elsewhere. */
function checkWanted(word: string): string {
  if (/^(?:@[a-z0-9~][\w.~-]*\/)?[A-Za-z0-9~][\w.~-]*(?:@[\w.~^<>=|*+\s-]+)?$/.test(word)) return word;
  throw refusePackages('address', [word]);
}
