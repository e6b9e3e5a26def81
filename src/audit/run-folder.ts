// The folder of one run: its log, its summary, its state and the texts it saw.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/errors.ts';
import { makeFolder, overwriteFile, removeTree, writeFileAtomic } from '../base/files.ts';
import { sha256, timeId } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import { AT_ONCE, createLater, type Later } from '../base/later.ts';
import { isNotFound, namesIfThere, readTextIfThere } from '../base/read-file.ts';
import { removeHidden } from '../base/text.ts';
import type { AuditContext, AuditEvent, AuditRecord, TextRef } from './event.ts';
import { type AuditLog, openLog } from './log.ts';
import { createKeeper, cutUnrecorded, lastPart, readKeptBytes, type TextKeeper } from './observation.ts';
import { createRedactor, type Secret } from './redact.ts';
import { openRegister } from './run-register.ts';
import { addToSummary, EXCERPT, type RunSummary } from './run-summary.ts';
import { openStateFiles, readSavedState, type StateFiles } from './saved-state.ts';
import { openAuditKey } from './seal.ts';
import { type LogPlace, verifyLog } from './verify.ts';

export interface RecordOptions {
  readonly project: string;
  readonly home: string;
  readonly clock: Clock;
  /** The command that drives it: run, call, invoke, task, job. */
  readonly kind: string;
  readonly request: string;
  readonly version: string;
  readonly context: AuditContext;
  readonly tier?: string;
  readonly secrets?: readonly Secret[];
  /** Keep no text, only hashes; such a run cannot be resumed. */
  readonly private?: boolean;
}

export interface RunEnd {
  readonly outcome: string;
  readonly output?: string;
  readonly budget?: Record<string, number>;
}

export interface RunFolder {
  readonly id: string;
  readonly folder: string;
  record(event: AuditEvent, tier?: string): AuditRecord;
  /** Keeps a text beside the log and returns its reference. */
  keep(text: string | Uint8Array): TextRef;
  /** A folder for files that would be lost otherwise; undefined where nothing but hashes is kept. */
  keptFolder(): string | undefined;
  /** What a run needs to resume. */
  saveState(state: object): void;
  finish(end: RunEnd): void;
  /** Without an end: the run can be resumed later, and its summary has the interim state. */
  close(outcome: string): void;
}

export function startRun(options: RecordOptions): RunFolder {
  const now = options.clock.now();
  const id = timeId(now);
  const register = openRegister(options.home, options.project);
  // Home first: when it is not writable, nothing is left in the project.
  const head = register.enlist(id);
  const folder = path.join(makeRunsFolder(options.project), id);
  try {
    makeFolder(folder);
    return beginRecord(options, { folder, head, project: register.project }, id, now);
  } catch (error) {
    // Nothing has happened yet, and a partial beginning would count as a broken record for good.
    removeTree(folder);
    register.strike(id);
    throw error;
  }
}

function beginRecord(options: RecordOptions, place: LogPlace, id: string, now: number): RunFolder {
  const { folder } = place;
  const tools = openTools(options, place, id);
  const request = tools.keeper.keep(options.request);
  const started = new Date(now).toISOString();
  const summary = newSummary(options, { id, started, request }, tools.redact);
  tools.later.add(() => writeSummary(folder, summary));
  const run = makeRunFolder(options, folder, summary, tools);
  run.record({ type: 'run-start', kind: options.kind, request, version: options.version });
  return run;
}

/** Continues a run that was stopped or killed. Throws a Fault when its record does not verify. */
export function resumeRun(options: RecordOptions, id: string): { run: RunFolder; state: Json; records: AuditRecord[] } {
  const folder = findRunFolder(options.project, id);
  const register = openRegister(options.home, options.project);
  const place = { folder, head: register.headOf(id), project: register.project };
  const { torn, lost, records: verified } = verifyLog(place, id, openAuditKey(options.home));
  const records = [...verified];
  const { state, file } = readSavedState(folder, records);
  const started = records.find((record) => record.type === 'run-start');
  if (started?.type !== 'run-start') throw new Fault('IntegrityMismatch', id);
  // Opening verifies the log; nothing read above is trusted before that.
  const { agent_id, user_id } = started;
  const context = { ...options.context, agent_id, user_id };
  const tools = openTools({ ...options, context }, place, id, { records, file });
  cutUnrecorded(folder, records);
  const asked = readKeptBytes(folder, started.request)?.toString('utf8') ?? '';
  const begun = { id, started: started.ts, request: started.request };
  const summary = newSummary({ ...options, context, request: asked }, begun, tools.redact);
  for (const record of records) addToSummary(summary, record, record.tier);
  writeSummary(folder, summary);
  const run = makeRunFolder(options, folder, summary, tools);
  run.record({ type: 'run-resumed', torn, ...(lost !== undefined && { lost }) });
  return { run, state, records };
}

/** The folder of a run, by an id that cannot lead anywhere else. */
export function findRunFolder(project: string, id: string): string {
  if (!hasRun(project, id)) throw new Fault('DataNotFound', id);
  return folderOf(project, id);
}

/** Whether the record of this run is on this machine. */
export function hasRun(project: string, id: string): boolean {
  return RUN_ID.test(id) && kindOf(folderOf(project, id)) === 'folder';
}

export function keptFolderIn(folder: string): string {
  return path.join(folder, 'kept');
}

function folderOf(project: string, id: string): string {
  return path.join(project, '.agent', 'runs', id);
}

export const RUN_ID = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

interface Tools {
  readonly log: AuditLog;
  readonly keeper: TextKeeper;
  readonly states: StateFiles;
  readonly redact: (text: string) => string;
  readonly later: Later;
}

/** What an earlier part of the run left: its record, and the file with its state. */
interface Earlier {
  readonly records: readonly AuditRecord[];
  readonly file: string;
}

function openTools(options: RecordOptions, place: LogPlace, run: string, earlier?: Earlier): Tools {
  const { clock, context, tier, private: isPrivate = false } = options;
  const redactor = createRedactor(options.secrets ?? [], { keyShapes: true });
  const redact = (text: string): string => redactor.text(text);
  const key = openAuditKey(options.home);
  const resume = earlier !== undefined;
  const log = openLog({ ...place, run, key, context, clock, redact, resume, ...(tier !== undefined && { tier }) });
  const { folder } = place;
  // A resumable run needs its texts, so they are flushed; of any other, the last ones may be lost with a kill.
  const later = options.kind === 'run' || resume ? AT_ONCE : createLater();
  const part = earlier ? nextPart(folder, earlier.records) : 1;
  const keeper = createKeeper({ folder, redact, private: isPrivate, part, later });
  return { log, redact, keeper, later, states: openStateFiles(folder, earlier?.file) };
}

/** Texts may have been pruned, or kept without having been recorded; no file is reused. */
function nextPart(folder: string, records: readonly AuditRecord[]): number {
  const names = namesIfThere(path.join(folder, 'observations'));
  return Math.max(lastPart(records), ...names.map((name) => Number.parseInt(name, 10) || 0)) + 1;
}

function makeRunFolder(options: RecordOptions, folder: string, summary: RunSummary, tools: Tools): RunFolder {
  const { log, keeper, redact, states, later } = tools;
  const record: RunFolder['record'] = (event, tier) => {
    const recorded = log.append(event, tier);
    addToSummary(summary, event, recorded.tier);
    return recorded;
  };
  const close = (): void => {
    log.close();
    keeper.close();
  };
  return {
    id: summary.run_id,
    folder,
    record,
    keep: (text) => keeper.keep(text),
    keptFolder() {
      if (options.private) return undefined;
      const kept = keptFolderIn(folder);
      makeFolder(kept);
      return kept;
    },
    saveState(state) {
      if (options.private) return;
      const text = `${redact(JSON.stringify(state))}\n`;
      // Announced first: a state that was not announced is not ours.
      record({ type: 'checkpoint', sha256: sha256(text) });
      states.write(text);
    },
    finish({ outcome, output, budget }) {
      later.settle();
      states.settle();
      summary.outcome = outcome;
      summary.ended = new Date(options.clock.now()).toISOString();
      summary.output = output === undefined || options.private ? null : excerpt(redact(output));
      summary.budget = budget ?? null;
      const run_sha256 = sha256(writeSummary(folder, summary));
      record({ type: 'run-end', outcome, run_sha256 });
      close();
    },
    close(outcome) {
      later.settle();
      states.settle();
      summary.outcome = outcome;
      writeSummary(folder, summary);
      close();
    },
  };
}

interface Begun {
  readonly id: string;
  readonly started: string;
  readonly request: TextRef;
}

function newSummary(
  options: RecordOptions,
  { id, started, request }: Begun,
  redact: (text: string) => string,
): RunSummary {
  const isPrivate = options.private ?? false;
  return {
    run_id: id,
    kind: options.kind,
    version: options.version,
    ...options.context,
    private: isPrivate,
    tier: options.tier ?? null,
    started,
    ended: null,
    outcome: 'running',
    request: isPrivate ? null : excerpt(redact(options.request)),
    request_sha256: request.sha256,
    skills: [],
    resources: [],
    tools: [],
    exit_codes: [],
    interrupts: [],
    artifacts: [],
    output: null,
    budget: null,
  };
}

function writeSummary(folder: string, summary: RunSummary): string {
  const text = `${JSON.stringify(summary, null, 2)}\n`;
  overwriteFile(path.join(folder, 'run.json'), text);
  return text;
}

// A cloned project could contain a link here and redirect our writes.
function makeRunsFolder(project: string): string {
  const own = path.join(project, '.agent');
  const runs = path.join(own, 'runs');
  for (const folder of [own, runs]) {
    if (kindOf(folder) === 'none') makeFolder(folder, folder === own ? 0o755 : 0o700);
    if (kindOf(folder) !== 'folder') throw new Fault('PathBlocked', folder);
  }
  const ignore = path.join(runs, '.gitignore');
  if (readTextIfThere(ignore) === undefined) writeFileAtomic(ignore, '*\n');
  return runs;
}

function kindOf(file: string): 'folder' | 'other' | 'none' {
  try {
    return lstatSync(file).isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (isNotFound(error)) return 'none';
    throw error;
  }
}

function excerpt(text: string): string {
  return removeHidden(text).slice(0, EXCERPT).toWellFormed();
}
