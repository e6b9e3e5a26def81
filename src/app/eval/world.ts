// Where eval cases run: each in a project folder of its own that is gone afterwards, on the real agent and the real door.
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BUDGET_NAMES, type Budget } from '../../agent/budget.ts';
import type { AuditRecord, TextRef } from '../../audit/event.ts';
import { readKeptBytes } from '../../audit/observation.ts';
import { readRecords } from '../../audit/verify.ts';
import { Fault } from '../../base/errors.ts';
import { makeFolder, removeTree, writeNewFile } from '../../base/files.ts';
import { flatten } from '../../base/flat-outcome.ts';
import { randomId } from '../../base/ids.ts';
import type { Outcome } from '../../base/outcome.ts';
import { isInside, realPath } from '../../base/paths.ts';
import { VERSION } from '../../base/version.ts';
import type { RunCase } from '../../evals/attempt.ts';
import type { Case } from '../../evals/case/case.ts';
import { isLocalModel } from '../../model/choice.ts';
import type { Model } from '../../model/model.ts';
import { scriptedModel } from '../../model/scripted.ts';
import { openGrants } from '../../policy/grant/store.ts';
import type { Runtime } from '../runtime.ts';

/** Where cases run: a folder and a home of their own for each, so that none sees what another one left. */
export interface EvalWorld {
  readonly runCase: RunCase;
  /** Removes everything the cases left. */
  close(): void;
}

export interface WorldOptions {
  /** For cases that bring no script: `offline`, `mock:file` or `recorded:file`; never one behind a network. */
  readonly model: string;
  readonly yes: boolean;
}

/**
 * For suites that are run step by step; `sw.evals.run` does all of it. No case reaches a model behind a network.
 * @example
 * const world = openEvalWorld(await createRuntime(), { model: 'offline', yes: true });
 * const result = await runSuite(cases, { runCase: world.runCase, controlSkill: 'markdown-converter' });
 * world.close();
 */
export function openEvalWorld(runtime: Runtime, options: WorldOptions): EvalWorld {
  if (!isLocalModel(options.model)) throw notLocal();
  const root = path.join(realPath(tmpdir()) ?? tmpdir(), `skillwright-eval-${randomId(8)}`);
  const home = path.join(root, 'home');
  makeFolder(home);
  const index = runtime.index();
  const grants = openGrants(runtime.home, runtime.project).list();
  let runs = 0;
  return {
    close: () => removeTree(root),
    async runCase(test) {
      const folder = path.join(root, `case-${++runs}`);
      makeProject(folder, test);
      // What the user granted to this project's skills holds where they are tried, too.
      for (const { id: _id, project: _project, ...grant } of grants) openGrants(home, folder).add(grant);
      const place = runtime.derive({ place: { project: folder, home }, index: () => index });
      return { ...(await runTurns(test, place, options)), folder, close: () => removeTree(folder) };
    },
  };
}

async function runTurns(test: Case, runtime: Runtime, { model, yes }: WorldOptions) {
  // Loaded by the first case, so that importing the library costs little.
  const { runRequest } = await import('../run/start.ts');
  const streamed: string[] = [];
  const given = test.mock && watchStream(scriptedModel(test.mock), streamed);
  const records: AuditRecord[] = [];
  const folders: string[] = [];
  let outcome: Outcome | undefined;
  for (const text of test.turns) {
    const budget = readBudget(test);
    outcome = await runRequest(
      runtime,
      { text },
      { version: VERSION, model, yes, apply: 'always', budget, ...(given && { given }) },
    );
    if (!outcome.run) throw new Fault('Internal', outcome.summary);
    const { record } = outcome.run;
    records.push(...readRecords(record).map((one) => withFolder(one, folders.length)));
    folders.push(record);
  }
  if (!outcome) throw new Fault('Internal', 'a case without a turn');
  return {
    records,
    outcome: flatten(outcome),
    text: (ref: TextRef) => readKept(ref, folders),
    ...(given && { streamed }),
  };
}

// Texts of several turns have the same names; the turn is put before them.
function withFolder(record: AuditRecord, turn: number): AuditRecord {
  const entries = Object.entries(record).map(([key, value]) => {
    const isRef = typeof value === 'object' && value !== null && 'ref' in value && typeof value.ref === 'string';
    return [key, isRef ? { ...value, ref: `${turn}/${value.ref}` } : value];
  });
  return Object.fromEntries(entries) as AuditRecord;
}

function readKept(kept: TextRef, folders: readonly string[]): string | undefined {
  const [, turn = '', ref = ''] = /^(\d+)\/(.+)$/.exec(kept.ref ?? '') ?? [];
  const folder = folders[Number(turn)];
  return folder === undefined ? undefined : readKeptBytes(folder, { ...kept, ref })?.toString('utf8');
}

/** Keeps what was streamed, one text per answer. */
function watchStream(model: Model, streamed: string[]): Model {
  return {
    name: model.name,
    async decide(request) {
      const at = streamed.push('') - 1;
      return await model.decide({
        ...request,
        onText: (piece) => {
          streamed[at] += piece;
          request.onText?.(piece);
        },
      });
    },
  };
}

function makeProject(folder: string, { files }: Case): void {
  makeFolder(path.join(folder, '.agent'));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    if (!isInside(folder, file)) throw new Fault('PathBlocked', name);
    makeFolder(path.dirname(file), 0o755);
    writeNewFile(file, text, { mode: 0o644 });
  }
}

function readBudget({ budget, id }: Case): Partial<Budget> {
  const unknown = Object.keys(budget).find((name) => !BUDGET_NAMES.some((known) => known === name));
  if (unknown === undefined) return budget;
  throw new Fault('EvalInvalid', `${id}: there is no budget ${unknown}; there are ${BUDGET_NAMES.join(', ')}`);
}

function notLocal(): Fault {
  return new Fault('Usage', {
    en: 'evals run offline: the model is offline, mock:<file> or recorded:<file>',
    zh: '评测离线运行: 模型为 offline、mock:<文件> 或 recorded:<文件>',
  });
}
