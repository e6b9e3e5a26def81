// A case from a run that went as it should, ready to be run again.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { AuditRecord } from '../../audit/event.ts';
import { readKeptBytes } from '../../audit/observation.ts';
import { readVerified } from '../../audit/run-archive.ts';
import { Fault } from '../../base/errors.ts';
import { makeFolder, writeNewFile } from '../../base/files.ts';
import type { FlatOutcome } from '../../base/flat-outcome.ts';
import { isHiddenFile } from '../../base/hidden-files.ts';
import type { Json } from '../../base/json.ts';
import { makeOutcome, type Outcome, STATES } from '../../base/outcome.ts';
import { isInside, realPath } from '../../base/paths.ts';
import { errorCode, readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import type { WrittenCase } from '../../evals/case/new-case.ts';
import { type CaseRun, readTrace } from '../../evals/trace.ts';
import { findRun } from '../find-run.ts';
import type { Runtime } from '../runtime.ts';

export interface NewCase {
  /** The run, or `latest`. */
  readonly from: string;
  /** Of the case; the id of the run unless given. */
  readonly name?: string | undefined;
}

/** Writes it below .agent/evals. */
export async function writeCaseOf({ from, name: written }: NewCase, runtime: Runtime): Promise<Outcome> {
  const run = findRun(runtime.project, from);
  const { verified, records } = readVerified(runtime.project, runtime.home, run.id);
  const { ok, why } = verified;
  if (!ok) throw new Fault('IntegrityMismatch', visible(`${run.id}: ${why ?? ''}`));
  const name = written ?? run.id;
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(name))
    throw new Fault('Usage', { en: `not a name for a file: ${visible(name)}`, zh: `不可用作文件名: ${visible(name)}` });
  const { caseFromRun } = await import('../../evals/case/new-case.ts');
  const recorded = readRun(run.folder, records, run.summary);
  const test = withFiles(caseFromRun(name, recorded), recorded, runtime.project);
  const file = path.join(runtime.project, '.agent', 'evals', `${name}.json`);
  writeCase(file, `${JSON.stringify(test, null, 2)}\n`);
  const shown = visible(path.relative(runtime.project, file));
  const summary = {
    en: `wrote ${shown}; run it: skillwright eval ${name}`,
    zh: `已写入 ${shown}；运行: skillwright eval ${name}`,
  };
  return makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, { path: file, case: test });
}

function readRun(
  folder: string,
  records: readonly AuditRecord[],
  summary: Record<string, unknown> | undefined,
): CaseRun {
  const state = STATES.find((known) => known === summary?.outcome) ?? 'error';
  const meta = { agent: 'agent', time: 0, ts: '' } as const;
  const outcome: FlatOutcome = { state, agent: 'agent', summary: '', data: { answer: summary?.output }, meta };
  const text: CaseRun['text'] = (kept) => readKeptBytes(folder, kept)?.toString('utf8');
  return { records, text, outcome };
}

const FILE_LIMIT = 64 * 1024;

/** A case runs in a folder of its own: what the calls name has to be there. Secrets and results stay out. */
function withFiles(test: WrittenCase, run: CaseRun, project: string): WrittenCase {
  const made = new Set(run.records.flatMap((record) => (record.type === 'artifact' ? [record.path] : [])));
  const names = new Set(readTrace(run).steps.flatMap(({ args }) => textsIn(args)));
  const files = [...names].flatMap((name) => {
    const text = made.has(name) ? undefined : readSmallText(name, project);
    return text === undefined ? [] : [[name, text]];
  });
  if (files.length === 0) return test;
  const { id = '', input = '', ...rest } = test;
  return { id, input, files: Object.fromEntries(files) as Record<string, string>, ...rest };
}

function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function readSmallText(name: string, project: string): string | undefined {
  const file = realPath(path.join(project, name));
  const root = realPath(project) ?? project;
  if (name === '' || path.isAbsolute(name) || file === undefined || !isInside(root, file)) return undefined;
  if (isHiddenFile(path.relative(root, file)) || name.split(/[/\\]/).includes('..')) return undefined;
  const found = statSync(file);
  if (!found.isFile() || found.size > FILE_LIMIT) return undefined;
  const text = readTextIfThere(file) ?? '';
  // Bytes that are no text would come back as something else.
  return text.includes('\0') || text.includes('\ufffd') ? undefined : text;
}

function writeCase(file: string, content: string): void {
  makeFolder(path.dirname(file), 0o755);
  try {
    writeNewFile(file, content, { mode: 0o644 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new Fault('AlreadyExists', visible(file));
    throw error;
  }
}
