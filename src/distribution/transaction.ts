// Installs staged skills and removes old ones in one transaction; after a kill the next command finishes it.
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { createFileOnce, makeFolder, moveTree, removeEmptyFolder, removeTree, writeNewFile } from '../base/files.ts';
import { randomId } from '../base/ids.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { errorCode, readTextIfThere } from '../base/read-file.ts';
import { changeLock, type LockChange, readSkill, renderSkill } from './lock.ts';
import { ensureRoot, type InstallPlace, requireContained } from './place.ts';
import { moveToTrash, readFields, type TrashRecord } from './trash.ts';

export interface TransactionStep {
  /** Path below the root; `org/name` only for what is removed. */
  readonly folderName: string;
  /** The index of the staged folder that is moved in; absent: none. */
  readonly staged?: number;
  /** What happens to the existing skill; absent: there is none. */
  readonly replaced?: TrashRecord;
  /** The lock entry afterwards; absent: no entry. */
  readonly change?: LockChange;
}

export interface Staging {
  readonly folder: string;
  /** The staging folder of this index, for the files of one skill. */
  newFolder(index: number): string;
  /** Removes it, and empty parent folders created for it. */
  discard(): void;
}

interface Plan {
  readonly pid: number;
  readonly staging: string;
  readonly steps: readonly TransactionStep[];
}

const STAGING = /^\.staging-(\d+)-[0-9a-f]+$/;
const LONGEST_MS = 10 * 60_000;
const WAIT_MS = 50;
const WAITS = 100;

export function openStaging(place: InstallPlace): Staging {
  const name = `.staging-${process.pid}-${randomId(8)}`;
  const folder = path.join(place.root, name);
  makeFolder(path.dirname(place.journal));
  writeNewFile(markOf(place, name), '');
  const made = ensureRoot(place);
  makeFolder(folder);
  makeFolder(path.join(folder, 'new'));
  makeFolder(path.join(folder, 'old'));
  return {
    folder,
    newFolder: (index) => newFolder(folder, index),
    discard() {
      removeTree(folder);
      removeTree(markOf(place, name));
      for (const empty of made.toReversed()) removeEmptyFolder(empty);
    },
  };
}

/** The commit point: from here on only a broken disk stops it; every question was asked before. */
export function commit(place: InstallPlace, staging: Staging, steps: readonly TransactionStep[]): void {
  // The root may have been replaced since the files were staged.
  requireContained(place);
  if (!isThere(staging.folder))
    throw new Fault('IntegrityMismatch', { en: 'the staged files are gone', zh: '暂存文件已不存在' });
  const plan: Plan = { pid: process.pid, staging: path.basename(staging.folder), steps };
  takeTurn(place, plan);
  carryOut(place, plan);
}

/** Recovery: finishes what a killed command began, and removes what it left. Cheap where there is nothing to do. */
export function recover(place: InstallPlace): void {
  const plan = readPlan(place);
  if (plan && !isAlive(plan.pid, place.journal)) takeUp(place, plan);
  for (const name of leftovers(place.root)) removeTree(path.join(place.root, name));
  for (const name of marksOf(place)) if (!isThere(path.join(place.root, name))) removeTree(markOf(place, name));
}

// Without its staging folder nothing is left to do: it is removed last, or somebody cleaned the project.
function takeUp(place: InstallPlace, plan: Plan): void {
  if (isThere(path.join(place.root, plan.staging))) carryOut(place, plan);
  else forget(place, plan);
}

function carryOut(place: InstallPlace, plan: Plan): void {
  try {
    putInPlace(place, plan);
  } catch (error) {
    undo(place, plan);
    removeTree(place.journal);
    throw error;
  }
  finish(place, plan);
}

function takeTurn(place: InstallPlace, plan: Plan): void {
  makeFolder(path.dirname(place.journal));
  const text = renderPlan(plan);
  for (let waits = 0; waits < WAITS; waits++) {
    if (createFileOnce(place.journal, text)) return;
    const other = readPlan(place);
    if (other && !isAlive(other.pid, place.journal)) recover(place);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
  }
  throw new Fault('AlreadyExists', { en: 'another installation is under way', zh: '另一个安装正在进行' });
}

/** Every step is idempotent: a step that was done is detected. */
function putInPlace(place: InstallPlace, plan: Plan): void {
  const staging = path.join(place.root, plan.staging);
  plan.steps.forEach(({ folderName, staged, replaced }, index) => {
    const target = path.join(place.root, folderName);
    const coming = staged === undefined ? undefined : newFolder(staging, staged);
    const old = oldFolder(staging, index);
    const isPending = coming === undefined || existsSync(coming);
    if (replaced && isPending && isThere(target) && !isThere(old)) moveTree(target, old);
    if (coming !== undefined && existsSync(coming)) moveInto(coming, target);
  });
  const changes = plan.steps.map(({ change }) => change).filter((change) => change !== undefined);
  if (changes.length > 0) changeLock(place.lockFile, changes);
}

// A rename onto a folder that appeared meanwhile fails rather than mixing the two.
function moveInto(staged: string, target: string): void {
  if (isThere(target)) throw new Fault('AlreadyExists', path.basename(target));
  moveTree(staged, target);
}

function undo(place: InstallPlace, plan: Plan): void {
  const staging = path.join(place.root, plan.staging);
  for (const [index, { folderName, staged }] of [...plan.steps.entries()].reverse()) {
    const target = path.join(place.root, folderName);
    const came = staged === undefined ? undefined : newFolder(staging, staged);
    if (came !== undefined && !existsSync(came) && isThere(target)) moveTree(target, came);
    if (isThere(oldFolder(staging, index))) moveTree(oldFolder(staging, index), target);
  }
}

function finish(place: InstallPlace, plan: Plan): void {
  const staging = path.join(place.root, plan.staging);
  plan.steps.forEach(({ replaced, folderName }, index) => {
    const old = oldFolder(staging, index);
    if (replaced && isThere(old)) moveToTrash(place.trash, replaced, old);
    if (folderName.includes('/')) removeEmptyFolder(path.dirname(path.join(place.root, folderName)));
  });
  removeTree(staging);
  forget(place, plan);
}

function forget(place: InstallPlace, plan: Plan): void {
  removeTree(place.journal);
  removeTree(markOf(place, plan.staging));
}

function readPlan(place: InstallPlace): Plan | undefined {
  const text = readTextIfThere(place.journal);
  const value = text === undefined ? undefined : parseJson(text);
  if (!isRecord(value) || !Array.isArray(value.steps)) return undefined;
  return { pid: Number(value.pid), staging: String(value.staging), steps: value.steps.map(readStep) };
}

function renderPlan({ pid, staging, steps }: Plan): string {
  const rendered = steps.map(({ change, replaced, ...step }) => ({
    ...step,
    ...(change && { change: { name: change.name, ...(change.set && { set: renderSkill(change.set) }) } }),
    ...(replaced && { replaced: { ...replaced, ...(replaced.locked && { locked: renderSkill(replaced.locked) }) } }),
  }));
  return `${JSON.stringify({ pid, staging, steps: rendered })}\n`;
}

function readStep(value: unknown): TransactionStep {
  if (!isRecord(value)) throw new Fault('StateUnusable', 'installing');
  const { folderName, staged, replaced, change } = value;
  const record = isRecord(replaced) ? readFields(replaced, String(replaced.id)) : undefined;
  return {
    folderName: String(folderName),
    ...(typeof staged === 'number' && { staged }),
    ...(isRecord(change) && { change: readChange(change) }),
    ...(record && { replaced: record }),
  };
}

function readChange({ name, set }: Record<string, unknown>): LockChange {
  const skill = readSkill(set);
  return { name: String(name), ...(skill && { set: skill }) };
}

// Each staging folder has a mark beside the journal, so that the roots need not be searched.
function markOf({ journal }: Pick<InstallPlace, 'journal'>, staging: string): string {
  return `${journal}${staging}`;
}

function marksOf({ journal }: InstallPlace): string[] {
  const own = path.basename(journal);
  return namesIn(path.dirname(journal))
    .filter((name) => name.startsWith(`${own}.staging-`))
    .map((name) => name.slice(own.length))
    .filter((staging) => !isAlive(Number(STAGING.exec(staging)?.[1]), markOf({ journal }, staging)));
}

function leftovers(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && STAGING.test(entry.name))
    .filter(({ name }) => !isAlive(Number(STAGING.exec(name)?.[1]), path.join(root, name), LONGEST_MS * 12))
    .map(({ name }) => name);
}

// Pids are reused; nothing of ours takes this long.
function isAlive(pid: number, trace: string, longest = LONGEST_MS): boolean {
  const since = statSync(trace, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (pid === process.pid) return true;
  if (Date.now() - since > longest) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function newFolder(staging: string, index: number): string {
  return path.join(staging, 'new', String(index));
}

function oldFolder(staging: string, index: number): string {
  return path.join(staging, 'old', String(index));
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function isThere(target: string): boolean {
  return lstatSync(target, { throwIfNoEntry: false }) !== undefined;
}
