// Runs after the fact: listed, shown, checked, gone through again, resumed, and what they changed applied or taken back.
import type { RunVerification } from '../../audit/run-archive.ts';
import { makeOutcome } from '../../base/outcome.ts';
import type { ReplayedRun } from '../record/replay.ts';
import type { ApplyRequest } from '../workspace/stored-layer.ts';
import { driveFromCode } from './agent-run.ts';
import { carryOut } from './carry-out.ts';
import { changedFile, judgedFile } from './change.ts';
import type { Handle } from './handle.ts';
import type { AppliedChanges, ApplyWish, RunCheck, RunInfo, RunReplay, Runs, UndoneChanges } from './public/runs.ts';
import { requireText } from './wrong-use.ts';

export function runsOf(handle: Handle): Runs {
  const { list, show, verify, replay, changes } = readingRuns(handle);
  return {
    ...{ list, show, verify, replay, changes },
    async apply(run, wish = {}) {
      requireText('run', run);
      return await carryOut<AppliedChanges>(
        handle,
        {},
        () => ({ applied: [], left: [] }),
        async (runtime) => {
          const { applyStored } = await import('../workspace/stored-layer.ts');
          const { run: id, changes, left } = await applyStored(run, requestOf(wish, runtime.project), runtime);
          const result = { applied: changes.map(changedFile), left: left.map(judgedFile) };
          const told = { run: id, applied: result.applied.length, left: result.left.length };
          const summary = { en: `applied ${changes.length} changes`, zh: `已应用 ${changes.length} 项更改` };
          const by = runtime.answering('skillwright', 'own');
          return {
            outcome: makeOutcome(by, left.length > 0 ? 'partial' : 'success', summary, told),
            found: { result },
          };
        },
      );
    },
    async undo(run) {
      requireText('run', run);
      return await carryOut<UndoneChanges>(
        handle,
        {},
        () => ({ undone: [] }),
        async (runtime) => {
          const { undoRun } = await import('../workspace/undo.ts');
          const { run: id, changes } = undoRun(run, runtime);
          const summary = { en: `took back ${changes.length} changes`, zh: `已撤销 ${changes.length} 项更改` };
          const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, { run: id });
          return { outcome, found: { result: { undone: changes.map(changedFile) } } };
        },
      );
    },
    async discard(run) {
      const runtime = handle.begin();
      const { discardChanges } = await import('../workspace/stored-layer.ts');
      return discardChanges(run, runtime).discarded;
    },
    resume(run, options = {}) {
      requireText('run', run);
      return driveFromCode(handle, options, async (runtime, order) => {
        const [{ findRun }, { resumeRequest }] = await Promise.all([
          import('../find-run.ts'),
          import('../run/resume.ts'),
        ]);
        return await resumeRequest(runtime, findRun(runtime.project, run).id, order);
      });
    },
  };
}

type Reading = Pick<Runs, 'list' | 'show' | 'verify' | 'replay' | 'changes'>;

function readingRuns(handle: Handle): Reading {
  return {
    async list() {
      const runtime = handle.begin();
      const { findRuns } = await import('../find-run.ts');
      return findRuns(runtime.project).map(({ id, folder, summary }) => infoOf(id, folder, summary));
    },
    async show(run) {
      const runtime = handle.begin();
      const { showRun } = await import('../record/show.ts');
      const { run: found, verified, events, printed } = showRun(run, runtime);
      return {
        ...infoOf(found.id, found.folder, found.summary),
        check: checkOf(found.id, verified),
        events: events.map((event) => ({ ...event })),
        printed: printed.map(({ tool, state, text }) => ({ tool, state, text })),
      };
    },
    async verify(run) {
      const runtime = handle.begin();
      const { verifyRuns } = await import('../record/verify.ts');
      const checked = verifyRuns({ run, forget: false }, runtime);
      return checked.map(({ run_id: id, ...verified }) => checkOf(id, verified));
    },
    async replay(run) {
      const runtime = handle.begin();
      const { replayNamed } = await import('../record/replay.ts');
      const replayed = await replayNamed(run, runtime);
      return replayOf(replayed);
    },
    async changes(run) {
      const runtime = handle.begin();
      const { withStoredChanges } = await import('../workspace/stored-layer.ts');
      return await handle.track(
        withStoredChanges(run, runtime, async ({ run: runId, set, judged }) => {
          return { runId, digest: set.digest, changes: judged.map(judgedFile) };
        }),
      );
    },
  };
}

function requestOf({ only, guarded = false, keep, digest }: ApplyWish, project: string): ApplyRequest {
  return {
    from: project,
    ...(digest !== undefined && { digest }),
    ...(only && { only }),
    keep,
    ...(guarded && { askGuarded: async ({ judged }) => judged.map(({ change }) => change.path) }),
  };
}

function infoOf(id: string, folder: string, summary: Readonly<Record<string, unknown>> | undefined): RunInfo {
  const { kind, outcome, request, started, ended } = summary ?? {};
  const textOr = <Else>(value: unknown, otherwise: Else) => (typeof value === 'string' ? value : otherwise);
  return {
    ...{ id, folder, kind: textOr(kind, 'unknown'), state: textOr(outcome, 'unknown') },
    ...{ request: textOr(request, null), started: textOr(started, null), ended: textOr(ended, null) },
  };
}

function checkOf(runId: string, { ok, events, ended, broken_at: brokenAt, why }: RunVerification): RunCheck {
  return {
    ...{ runId, ok, events, ended },
    ...(brokenAt !== undefined && { brokenAt }),
    ...(why !== undefined && { why }),
  };
}

function replayOf({ id, differences }: ReplayedRun): RunReplay {
  const told = differences.map(({ at, what, recorded, replayed }) => `${at} ${what}: ${recorded} → ${replayed}`);
  return { runId: id, same: differences.length === 0, differences: told };
}
