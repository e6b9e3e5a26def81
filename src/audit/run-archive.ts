// Runs after the fact: lists them, verifies their records, and prunes them.
import path from 'node:path';
import { toFault } from '../base/errors.ts';
import { removeTree } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { namesIfThere, readTextIfThere } from '../base/read-file.ts';
import { visible } from '../base/text.ts';
import type { AuditRecord } from './event.ts';
import { findRunFolder, keptFolderIn, RUN_ID } from './run-folder.ts';
import { openRegister } from './run-register.ts';
import { openAuditKey } from './seal.ts';
import { type Verification, verifyLog } from './verify.ts';
import { type Change, verifyTexts } from './verify-texts.ts';

export interface RunEntry {
  readonly id: string;
  readonly folder: string;
  /** run.json as it is; undefined when unreadable. Untrusted: anyone could have written it, so it is only shown. */
  readonly summary: Record<string, unknown> | undefined;
}

export interface RunVerification extends Pick<Verification, 'ok' | 'events' | 'torn' | 'ended'> {
  readonly broken_at?: number;
  readonly why?: string;
  /** Texts that were pruned by age. */
  readonly pruned: number;
  /** Texts of a killed run that are missing, and may never have been written. */
  readonly missing?: number;
}

export interface PruneOptions {
  readonly now: number;
  /** Whole runs older than this are removed. */
  readonly runsMs: number;
  /** Of runs older than this the kept texts are removed; the log stays. */
  readonly observationsMs: number;
  /** The latest runs stay whole, however old. */
  readonly keep?: number;
  /** Only report what would be removed. */
  readonly isTrial?: boolean;
}

/** The latest first. */
export function listRuns(project: string): RunEntry[] {
  const folder = path.join(project, '.agent', 'runs');
  return listIds(folder)
    .map((id) => readRun(project, id))
    .sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
}

/** The id has a resolution of one second; within it the time of the summary is used, if it is in that second. */
function orderOf({ id, summary }: RunEntry): string {
  const second = new Date(startOf(id)).toISOString().slice(0, 19);
  const started = typeof summary?.started === 'string' && summary.started.startsWith(second) ? summary.started : second;
  return `${started} ${id}`;
}

export function readRun(project: string, id: string): RunEntry {
  const folder = findRunFolder(project, id);
  return { id, folder, summary: readSummary(path.join(folder, 'run.json')) };
}

/** A run with its events, as far as they verify. */
export interface VerifiedRun {
  readonly verified: RunVerification;
  readonly records: readonly AuditRecord[];
}

export function verifyRun(project: string, home: string, id: string): RunVerification {
  return readVerified(project, home, id).verified;
}

/** An unreadable record is a broken one: it must not stop the verification of the others. */
export function readVerified(project: string, home: string, id: string): VerifiedRun {
  const folder = findRunFolder(project, id);
  const nothing = { events: 0, torn: false, ended: false, pruned: 0 };
  try {
    return verifyFolder(folder, project, home, id);
  } catch (error) {
    const verified = { ok: false, ...nothing, broken_at: 0, why: visible(toFault(error).message) };
    return { verified, records: [] };
  }
}

function verifyFolder(folder: string, project: string, home: string, id: string): VerifiedRun {
  const register = openRegister(home, project);
  const key = openAuditKey(home);
  const place = { folder, head: register.headOf(id), project: register.project };
  const { ok, events, torn, ended, broken_at = events, why, sealedFrom, records } = verifyLog(place, id, key);
  const base = { events, torn, ended, pruned: 0 };
  if (!ok) return { verified: { ok, ...base, broken_at, ...(why !== undefined && { why }) }, records };
  const recorded = register.pruned(id, key);
  // Runs with events from before seals recorded no pruning: missing texts may have been pruned.
  const isPruned = (file: string) => recorded.has(file) || sealedFrom > 0;
  const { changed: text, pruned, missing } = verifyTexts(folder, records, { ended, isPruned });
  const changed = text ?? findChangedSummary(folder, records);
  const all = { ...base, pruned, ...(missing > 0 && { missing }) };
  if (!changed) return { verified: { ok: true, ...all }, records };
  return { verified: { ok: false, ...all, broken_at: changed.seq, why: changed.why }, records };
}

/** Runs this user began here whose whole record is gone, the latest first. */
export function findVanished(project: string, home: string): string[] {
  const there = new Set(listIds(path.join(project, '.agent', 'runs')));
  const enlisted = openRegister(home, project).list();
  return enlisted
    .filter((id) => RUN_ID.test(id) && !there.has(id))
    .sort()
    .reverse();
}

/** Removes them from the register, so that they are no longer reported. */
export function forgetRuns(project: string, home: string, ids: readonly string[]): void {
  const register = openRegister(home, project);
  for (const id of ids) register.strike(id);
}

/** On the user's word that the project was moved: its runs are those of this folder from now on. */
export function adoptRuns(project: string, home: string, from: string): string[] {
  return openRegister(home, project).adopt(from, openAuditKey(home));
}

/** Which runs were removed, which lost their texts, and which had gone before pruning. */
export function pruneRuns(
  project: string,
  home: string,
  options: PruneOptions,
): { removed: string[]; emptied: string[]; vanished: string[] } {
  const register = openRegister(home, project);
  const key = openAuditKey(home);
  const vanished = findVanished(project, home).filter((id) => options.now - startOf(id) > options.runsMs);
  const removed: string[] = [];
  const emptied: string[] = [];
  for (const { id, folder } of listRuns(project).slice(options.keep ?? 0)) {
    const age = options.now - startOf(id);
    const observations = path.join(folder, 'observations');
    if (age > options.runsMs) {
      if (!options.isTrial) removeTree(folder);
      removed.push(id);
    } else if (age > options.observationsMs && namesIfThere(observations).length > 0) {
      if (!options.isTrial) removeTree(keptFolderIn(folder));
      if (!options.isTrial) removeTexts(observations, (files) => register.recordPruned(id, files, key));
      emptied.push(id);
    }
  }
  if (!options.isTrial) forgetRuns(project, home, [...removed, ...vanished]);
  return { removed, emptied, vanished };
}

/** Recorded first: a kill in between leaves texts that may be removed, never some that are missed. */
function removeTexts(observations: string, record: (files: readonly string[]) => void): void {
  record(namesIfThere(observations).map((name) => `observations/${name}`));
  removeTree(observations);
}

function findChangedSummary(folder: string, records: readonly AuditRecord[]): Change | undefined {
  const end = records.findLast((record) => record.type === 'run-end');
  if (end?.type !== 'run-end') return undefined;
  const found = readTextIfThere(path.join(folder, 'run.json'));
  const isSame = found !== undefined && sha256(found) === end.run_sha256;
  return isSame ? undefined : { seq: end.seq, why: 'run.json was changed' };
}

function readSummary(file: string): Record<string, unknown> | undefined {
  // A running process may be in the middle of writing it: retried.
  return readSummaryOnce(file) ?? readSummaryOnce(file);
}

function readSummaryOnce(file: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(readTextIfThere(file) ?? 'null');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function startOf(id: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(id) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}

function listIds(folder: string): string[] {
  return namesIfThere(folder).filter((name) => RUN_ID.test(name));
}
