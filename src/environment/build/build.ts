// From a locked entry to a stored environment: built once by whoever comes first, sealed, and given its name in whole.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { makeFolder, moveTree, removeTree } from '../../base/files.ts';
import { visible } from '../../base/text.ts';
import type { Digest } from '../../base/value/digest.ts';
import type { Interpreter } from '../../process/interpreter.ts';
import type { IndexPlace } from '../index-place.ts';
import { type LockedEnvironment, packageWord } from '../lock/lock-entry.ts';
import type { NpmSearch } from '../node/npm.ts';
import { withScripts } from '../node/package-lock.ts';
import { buildNode } from '../node/resolve.ts';
import { buildPython } from '../python/build.ts';
import { type EnvironmentManifest, PARTS, sealManifest, writeManifest } from '../store/manifest.ts';
import { isForProgram, programStamp } from '../store/program-stamp.ts';
import { findSound, folderOf, storeName, treeOf } from '../store/sound.ts';
import { openStaging, requireRemoved, takeIn, whileLocked } from '../store/store.ts';
import { closeTree, markPrograms, readTree, traceOf, treeDigest } from '../store/tree.ts';
import { programsBehind } from './behind.ts';
import { nodeMachine, type PackageMachine, type PythonMachine, pythonMachine } from './machine.ts';
import { refusePackages } from './refusal.ts';
import type { InstalledTree, Workshop } from './workshop.ts';

export interface BuildOrder {
  readonly home: string;
  readonly locked: LockedEnvironment;
  readonly index: IndexPlace;
  /** Of Python packages. */
  readonly interpreter?: Interpreter;
  readonly npm: NpmSearch;
  readonly isolated: boolean;
  /** npm packages are installed, and what they would run at installation is left out. */
  readonly withoutScripts: boolean;
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Built {
  readonly manifest: EnvironmentManifest;
  /** It was there already. */
  readonly found: boolean;
}

type OpenWorkshop = (folder: string) => Workshop;

/** Throws a Fault that names what was refused; then nothing is stored. */
export async function buildEnvironment(order: BuildOrder, open: OpenWorkshop): Promise<Built> {
  const { home, locked, isolated } = order;
  refuseScripts(order);
  refuseOtherIndex(order);
  const machine = await machineOf(order);
  const name = storeName(locked.hash, machine.exact, isolated);
  return await whileLocked(home, name, order.signal, async () => {
    const found = findSound(home, name);
    if (found) {
      requireTree(found.tree, machine, order);
      return { manifest: forProgram(found, order), found: true };
    }
    requireRemoved(home, name);
    const folder = openStaging(home, name);
    try {
      return { manifest: await buildIn(name, machine, order, open(folder)), found: false };
    } finally {
      removeTree(folder);
    }
  });
}

/** The same version may have been installed anew. */
function forProgram(found: EnvironmentManifest, { home, interpreter }: BuildOrder): EnvironmentManifest {
  if (isForProgram(found) && found.interpreter === (interpreter?.file ?? '')) return found;
  const manifest = { ...found, ...programOf(interpreter) };
  sealManifest(folderOf(home, found.name), home, manifest);
  return manifest;
}

function programOf(interpreter: Interpreter | undefined) {
  return { interpreter: interpreter?.file ?? '', ...(interpreter && { program: programStamp(interpreter.file) }) };
}

async function buildIn(
  name: string,
  machine: PackageMachine | PythonMachine,
  order: BuildOrder,
  workshop: Workshop,
): Promise<EnvironmentManifest> {
  const { home, locked, now } = order;
  const { tree: made, leftOut } = await install(machine, order, workshop);
  const finished = path.join(workshop.folder, 'finished');
  const tree = path.join(finished, PARTS.tree);
  makeFolder(finished, 0o755);
  moveTree(made, tree);
  markPrograms(tree);
  const entries = readTree(tree, workshop.bounds);
  const found = treeDigest(entries);
  requireTree(found, machine, order);
  closeTree(tree);
  const { entry, hash } = locked;
  const manifest = {
    ...{ name, ecosystem: entry.ecosystem, entry: hash, exact: machine.exact, index: entry.index },
    ...programOf(order.interpreter),
    packages: entry.packages.map((one) => packageWord(entry, one)),
    tree: found,
    trace: traceOf(tree),
    files: entries.filter(({ kind }) => kind === 'file' || kind === 'executable').length,
    bytes: entries.reduce((sum, { kind, size }) => sum + (kind === 'folder' ? 0 : size), 0),
    built: now,
    leftOut,
    behind: programsBehind(tree),
  };
  writeManifest(finished, home, manifest, entries);
  takeIn(home, name, finished);
  const sealed = findSound(home, name);
  if (!sealed) throw changedMeanwhile(treeOf(home, name));
  return sealed;
}

async function machineOf({ locked, interpreter }: BuildOrder): Promise<PackageMachine | PythonMachine> {
  if (locked.entry.ecosystem === 'node') return nodeMachine();
  if (!interpreter) throw new Fault('RuntimeFailed', 'python', { reason: 'missing-part' });
  return await pythonMachine(interpreter);
}

async function install(
  machine: PackageMachine | PythonMachine,
  order: BuildOrder,
  workshop: Workshop,
): Promise<InstalledTree> {
  const { locked, index, interpreter, npm, isolated } = order;
  const { entry } = locked;
  if (!('base' in machine) || !interpreter) return await buildNode(entry, index, npm, workshop);
  return await buildPython({ entry, interpreter, machine, index, isolated }, workshop);
}

function refuseScripts({ locked: { entry }, withoutScripts }: BuildOrder): void {
  const names = withScripts(entry);
  if (names.length > 0 && !withoutScripts) throw refusePackages('code', names);
}

/** The index is pinned by name: another one could hand out other packages under the same names. */
function refuseOtherIndex({ locked: { entry }, index }: BuildOrder): void {
  if (entry.index === index.url) return;
  const [locked, own] = [entry.index, index.url].map((url) => visible(url));
  throw new Fault(
    'PackageRefused',
    { en: `locked from ${locked}, and your index is ${own}`, zh: `锁定自 ${locked}，而您的索引为 ${own}` },
    { details: { locked: entry.index, index: index.url } },
  );
}

/** Another machine of the same kind had these bytes, or nobody had any yet. */
function requireTree(found: Digest, { exact }: PackageMachine, { locked }: BuildOrder): void {
  const expected = locked.trees[exact];
  if (expected === undefined || expected === found) return;
  throw new Fault('IntegrityMismatch', `${expected} ≠ ${found}`, {
    details: { check: 'environment-tree', expected, found, entry: locked.hash },
    hint: {
      en: 'Nothing was stored: the packages are not the bytes that the lock names for this interpreter and platform.',
      zh: '未存入任何内容: 软件包与锁文件为该解释器和平台记录的内容不同。',
    },
  });
}

function changedMeanwhile(tree: string): Fault {
  return new Fault('IntegrityMismatch', tree, { details: { check: 'environment-store' } });
}
