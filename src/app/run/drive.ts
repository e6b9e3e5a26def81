// Drives a run of the agent to its end, and closes its record with what came of it.
import { concludeRun, isOpen } from '../../agent/ending.ts';
import { runLoop } from '../../agent/loop.ts';
import { openSession, type SessionStart } from '../../agent/open-session.ts';
import { readKeptText } from '../../agent/resume/recover.ts';
import type { RunState } from '../../agent/run-state.ts';
import type { SessionParts } from '../../agent/session.ts';
import { beginRun, endRun } from '../../agent/trace.ts';
import type { RunFolder } from '../../audit/run-folder.ts';
import { once } from '../../base/once.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { Span } from '../../base/telemetry.ts';
import { serverOf } from '../../distribution/locked-skill.ts';
import { findPlaces } from '../../distribution/place.ts';
import type { Model } from '../../model/model.ts';
import type { Index } from '../../registry/discover.ts';
import type { OpenDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { concludeChanges } from '../workspace/conclude.ts';
import { noteArtifact } from './artifact.ts';
import type { RunOrder } from './order.ts';
import { doorOfRun } from './question.ts';
import { mayUseServers, serversTold } from './servers-told.ts';
import { whereaboutsOf } from './whereabouts.ts';

export interface PreparedRun extends Pick<SessionStart, 'state' | 'left'> {
  readonly runtime: Runtime;
  /** When it was asked for. */
  readonly startedAt: number;
  readonly order: RunOrder;
  readonly index: Index;
  readonly model: Model;
  readonly door: OpenDoor;
  readonly run: RunFolder;
}

export async function driveRun(prepared: PreparedRun): Promise<Outcome> {
  const { runtime, startedAt, model, door, run, state, left, order } = prepared;
  order.trace?.({ type: 'begun', run: run.id, model: model.name });
  const span = beginRun(door.tracer, { name: state.role?.name ?? 'skillwright', model, id: run.id });
  try {
    const save = (now: RunState) => run.saveState(now);
    const start = { state, save, runInside: runLoop, ...(left && { left }) };
    const session = await openSession(surroundingsOf(prepared, span), start);
    const ending = await runLoop(session);
    const by = runtime.answering('agent', 'own', startedAt);
    const ended = concludeRun(ending, session.state, { run_id: run.id, record: run.folder }, by);
    // What is only stopped goes on in its layer.
    const isStopped = isOpen(ending) && ending.kind !== 'budget';
    const outcome = isStopped ? ended : await concludeChanges(ended, door, runtime);
    closeRecord(run, outcome, session.state, isOpen(ending));
    if (span) endRun(span, outcome, session.state);
    return outcome;
  } finally {
    await door.servers.close();
    await door.workspace.close();
    span?.end('_OTHER');
  }
}

function surroundingsOf(prepared: PreparedRun, span: Span | undefined): SessionParts {
  const { runtime, order, index, model, door, run } = prepared;
  const { config, clock } = runtime;
  return {
    model,
    index,
    search: once(() => runtime.searchIndex(index, 'remembered')),
    run,
    effects: { doorFor: (within, tracer) => doorOfRun(door, run.id, within, tracer) },
    requireUnchanged: (skill, looked) => door.requireUnchanged(skill, looked),
    serverOf: (skill) => serverOf(skill, findPlaces(runtime.installed)),
    context: door.context,
    noteArtifact: (name) => noteArtifact(name, door),
    whereabouts: () => whereaboutsOf(runtime, door),
    ...(mayUseServers(door) && { servers: () => serversTold(door) }),
    readKept: (kept) => readKeptText(kept, run.folder),
    ...(order.goOn && { goOn: order.goOn }),
    clock,
    bodyLines: config.security.maxSkillBodyLines,
    catalogTokens: config.budgets.catalogTokens,
    stop: order.stop ?? new AbortController().signal,
    ...(order.trace && { trace: order.trace }),
    ...(span && { tracer: span }),
  };
}

function closeRecord(run: RunFolder, { state, run: ended }: Outcome, { spent }: RunState, open: boolean): void {
  if (open) run.close(state);
  else
    run.finish({
      outcome: state,
      budget: { ...spent },
      ...(ended?.answer !== undefined && { output: ended.answer }),
    });
}
