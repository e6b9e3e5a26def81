// `get_run`: what the calls of a run printed, what of their changes waits, and what became of the questions they left.
import { Fault } from '../../../base/errors.ts';
import type { Outcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { findRuns } from '../../find-run.ts';
import { showRun } from '../../record/show.ts';
import { listWaiting } from '../../resume/waiting.ts';
import type { Runtime } from '../../runtime.ts';
import { hasChanges } from '../../workspace/stored-layer.ts';
import type { Runs } from '../public/runs.ts';

/** The ids of the questions that calls of this toolset have left, the oldest first. */
export type LeftQuestions = Set<string>;

export function rememberQuestion(outcome: Outcome, left: LeftQuestions): void {
  if (outcome.state === 'interrupted' && outcome.asked !== undefined) left.add(outcome.asked);
}

export async function lookAtOwn(run: string | undefined, left: LeftQuestions, runtime: Runtime, runs: Runs) {
  const questions = await lookAtQuestions(left, runtime);
  const seen = run === undefined ? { calls: [] } : await lookAt(run, runtime, runs);
  return { ...seen, ...(questions.length > 0 && { questions }) };
}

/** Only by the whole id, which a result has told: what others have run here is not found by asking for the latest. */
export async function lookAt(run: string, runtime: Runtime, runs: Runs) {
  if (!findRuns(runtime.project).some(({ id }) => id === run)) throw unknownRun(run);
  const { run: found, printed } = showRun(run, runtime);
  const waiting = hasChanges(found.id, runtime) ? (await runs.changes(found.id)).changes : undefined;
  return {
    runId: found.id,
    calls: printed.map(({ tool, state, text }) => ({ tool, state, text })),
    ...(waiting && { changes: { waiting } }),
  };
}

function unknownRun(run: string): Fault {
  const shown = visible(run);
  return new Fault(
    'DataNotFound',
    { en: `no run ${shown} here`, zh: `此处没有运行 ${shown}` },
    {
      hint: {
        en: 'Give the whole `runId` of an earlier result, or leave it out for this run.',
        zh: '请给出之前结果中完整的 `runId`，或省略它以查看本次运行。',
      },
    },
  );
}

/** A question that was answered is a run of its own; one that is neither there nor answered has expired. */
async function lookAtQuestions(left: LeftQuestions, runtime: Runtime) {
  if (left.size === 0) return [];
  const waiting = new Set((await listWaiting(runtime)).map(({ id }) => id));
  const answers = new Map(findRuns(runtime.project).map(({ id, summary }) => [summary?.request, { id, summary }]));
  return [...left].map((id) => {
    if (waiting.has(id)) return { id, state: 'waiting' };
    const answer = answers.get(`resume ${id}`);
    if (!answer) return { id, state: 'expired' };
    const { printed } = showRun(answer.id, runtime);
    const state = String(answer.summary?.outcome ?? 'running');
    const calls = printed.map(({ tool, state: ended, text }) => ({ tool, state: ended, text }));
    return { id, state, runId: answer.id, calls };
  });
}
