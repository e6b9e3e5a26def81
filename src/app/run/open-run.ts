// Builds one run of the agent from the runtime, or takes a stopped one up again, and drives it to its end.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Budget, tightenBudget } from '../../agent/budget.ts';
import { concludeRun, isOpen } from '../../agent/ending.ts';
import { runLoop } from '../../agent/loop.ts';
import { openSession, type SessionStart } from '../../agent/open-session.ts';
import { readRequest } from '../../agent/request.ts';
import { type LeftOff, recover } from '../../agent/resume/recover.ts';
import { claimRun } from '../../agent/resume/run-owner.ts';
import { newRunState, type RunState, toJson } from '../../agent/run-state.ts';
import type { SessionParts, TraceEvent } from '../../agent/session.ts';
import { beginRun, endRun } from '../../agent/trace.ts';
import { findRunFolder, type RunFolder, resumeRun } from '../../audit/run-folder.ts';
import { Fault } from '../../base/errors.ts';
import { randomId, sha256 } from '../../base/ids.ts';
import type { Json } from '../../base/json.ts';
import { once } from '../../base/once.ts';
import type { Outcome } from '../../base/outcome.ts';
import { isInside } from '../../base/paths.ts';
import type { Span } from '../../base/telemetry.ts';
import type { Call } from '../../door/call.ts';
import { perform } from '../../door/perform.ts';
import { answerQuestion } from '../../door/resume.ts';
import { allowanceOf } from '../../door/work.ts';
import { nameModel } from '../../model/choice.ts';
import type { Model } from '../../model/model.ts';
import { type Recording, recordingModel } from '../../model/recorded.ts';
import type { Index } from '../../registry/discover.ts';
import type { Interrupt } from '../../store/interrupt-store.ts';
import { type DoorOptions, type OpenDoor, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { openModelFor } from './model.ts';
import { allowanceOfRole, contextOf, keepRole, type WantedRole } from './role.ts';

export interface RunOrder
  extends Pick<
    DoorOptions,
    | 'ask'
    | 'yes'
    | 'debug'
    | 'private'
    | 'onProgress'
    | 'tag'
    | 'approvals'
    | 'interrupts'
    | 'tracer'
    | 'roles'
    | 'within'
  > {
  readonly version: string;
  /** As on the command line; the settings decide without it. */
  readonly model?: string | undefined;
  /** Another model than any of those; for whoever drives runs from code. */
  readonly given?: Model;
  /** Hands on what the model answers, so that it can be repeated later. */
  readonly onAnswer?: (recording: Recording) => void;
  /** Whose part the agent plays. */
  readonly role?: WantedRole;
  /** What the run is part of: stands in every event and request as `request_id`; a new one unless given. */
  readonly requestId?: string;
  readonly budget?: Partial<Budget>;
  readonly skillBudgets?: RunState['skill_limits'];
  /** Stops after what is under way. */
  readonly stop?: AbortSignal;
  /** Ends what is under way, too. */
  readonly abort?: AbortSignal;
  readonly trace?: (event: TraceEvent) => void;
}

export async function runRequest(
  runtime: Runtime,
  wanted: { readonly text: string; readonly skills?: readonly string[] },
  order: RunOrder,
): Promise<Outcome> {
  runtime.requireConfig();
  const startedAt = runtime.clock.now();
  const index = runtime.index();
  const request = readRequest(wanted.text, index, wanted.skills);
  const modelName = nameModel(order.model ?? runtime.config.model.provider, process.cwd());
  const role = order.role && keepRole(order.role);
  const state = newRunState({
    request,
    model: modelName,
    ...(role && { role }),
    limits: limitsOf(runtime, order),
    skillLimits: order.skillBudgets ?? {},
  });
  const model = await openModel(runtime, order, state, index, 0);
  const door = openDoor(runtime, { ...doorFor(state, order), index });
  const release = claimRun(door.run.folder);
  try {
    door.run.saveState(toJson(state));
    return await drive({ runtime, startedAt, order, index, model, door, state });
  } finally {
    release();
  }
}

/** The run that waits for an answer to this question, if it is one of a run. */
export function findWaitingRun(saved: Interrupt | undefined): WaitingRun | undefined {
  return saved?.kind === 'run' ? (saved.payload as unknown as WaitingRun) : undefined;
}

/** Answers the question a run waits for, and goes on with the run. */
export async function answerRun(
  runtime: Runtime,
  { run, call, within }: WaitingRun,
  answer: { readonly question: string; readonly words: readonly string[] },
  order: RunOrder,
): Promise<Outcome> {
  return await resumeRequest(runtime, run, order, async (door) => {
    const bound = [...(door.within ?? []), ...within.map((name) => allowanceOf(door.resolve(name)))];
    return await answerQuestion(answer.question, answer.words, call, { ...door, within: bound });
  });
}

/** As an interrupt of a run keeps it. */
interface WaitingRun {
  readonly run: string;
  readonly call: Call;
  readonly within: readonly string[];
}

/** Goes on with a run that was stopped, killed, or waits; `mayGoOn` says whether what it waits for was allowed. */
export async function resumeRequest(
  runtime: Runtime,
  id: string,
  order: RunOrder,
  mayGoOn: (door: OpenDoor) => Promise<boolean> = async () => true,
): Promise<Outcome> {
  runtime.requireConfig();
  const startedAt = runtime.clock.now();
  const release = claimRun(findRunFolder(runtime.places.project, id));
  try {
    const { run, left, context } = reopen(runtime, id, order);
    const index = runtime.index();
    const state = withWishes(left.state, order);
    const model = await openModel(runtime, order, state, index, left.answers);
    const door = openDoor(runtime, { ...doorFor(state, order), index, context, run });
    const start = (await mayGoOn(door)) ? left : withRefusal(left);
    return await drive({ runtime, startedAt, order, index, model, door, state, left: start });
  } finally {
    release();
  }
}

async function openModel(
  runtime: Runtime,
  { given, onAnswer }: RunOrder,
  state: RunState,
  index: Index,
  answered: number,
): Promise<Model> {
  const model = given ?? (await openModelFor(runtime, state, index, answered));
  return onAnswer ? recordingModel(model, onAnswer) : model;
}

/** What the user says now counts from now on. */
function withWishes(state: RunState, { budget = {}, skillBudgets = {}, model }: RunOrder): RunState {
  return {
    ...state,
    limits: { ...state.limits, ...budget },
    skill_limits: { ...state.skill_limits, ...skillBudgets },
    model: model === undefined ? state.model : nameModel(model, process.cwd()),
  };
}

/** The call the run waits for is observed as refused instead of being made. */
function withRefusal(left: LeftOff): LeftOff {
  const effect = { known: true, state: 'error', text: 'error: ApprovalDenied: the answer was no' } as const;
  const { inner } = left;
  if (inner?.recovered) return { ...left, inner: { ...inner, recovered: { ...inner.recovered, effect } } };
  return left.recovered ? { ...left, recovered: { ...left.recovered, effect } } : left;
}

interface Driven extends Omit<SessionStart, 'save' | 'runInside'> {
  readonly runtime: Runtime;
  /** When it was asked for. */
  readonly startedAt: number;
  readonly order: RunOrder;
  readonly index: Index;
  readonly model: Model;
  readonly door: OpenDoor;
}

async function drive(driven: Driven): Promise<Outcome> {
  const { door, model, state } = driven;
  const span = beginRun(door.tracer, { name: state.role?.name ?? 'skillwright', model, id: door.run.id });
  try {
    return await driveTraced(driven, span);
  } finally {
    span?.end('_OTHER');
  }
}

async function driveTraced(
  { runtime, startedAt, order, index, model, door, ...start }: Driven,
  span: Span | undefined,
): Promise<Outcome> {
  const { run } = door;
  const { config } = runtime;
  const surroundings: SessionParts = {
    model,
    index,
    search: once(() => runtime.searchIndex(index, 'remembered')),
    run,
    perform: performThrough(door),
    requireUnchanged: (skill, looked) => door.requireUnchanged(skill, looked),
    context: door.context,
    noteArtifact: (name) => noteArtifact(name, door),
    clock: runtime.clock,
    bodyLines: config.security.maxSkillBodyLines,
    catalogTokens: config.budgets.catalogTokens,
    stop: order.stop ?? new AbortController().signal,
    ...(order.trace && { trace: order.trace }),
    ...(span && { tracer: span }),
  };
  const save = (state: RunState) => run.saveState(toJson(state));
  const session = await openSession(surroundings, { ...start, save, runInside: runLoop });
  const ending = await runLoop(session);
  const by = runtime.answering('agent', 'own', startedAt);
  const outcome = concludeRun(ending, session.state, { run_id: run.id, record: run.folder }, by);
  closeRecord(run, outcome, session.state, isOpen(ending));
  if (span) endRun(span, outcome, session.state);
  return outcome;
}

function closeRecord(run: RunFolder, { state, data }: Outcome, { spent }: RunState, open: boolean): void {
  if (open) run.close(state);
  else
    run.finish({
      outcome: state,
      budget: { ...spent },
      ...(typeof data.answer === 'string' && { output: data.answer }),
    });
}

/** A question that stops the run leads back to the run, not only to the one call. */
function performThrough(door: OpenDoor): SessionParts['perform'] {
  const { run } = door;
  return async (call, within, tracer) => {
    const save: OpenDoor['interrupts']['save'] = (question) => {
      const names = within.map(({ source, folderName }) => `${source}:${folderName}`);
      return door.interrupts.save({
        ...question,
        kind: 'run',
        payload: { run: run.id, call: question.payload, within: names },
      });
    };
    const bound = { within: [...(door.within ?? []), ...within.map(allowanceOf)], ...(tracer && { tracer }) };
    const inner = { ...door, interrupts: { ...door.interrupts, save }, ...bound };
    return await perform(call, inner, { agent: 'agent', surface: 'invoke' });
  };
}

/** Results are named from the output folder by some calls, from the project by others. */
function noteArtifact(name: string, { run, folders, places }: OpenDoor): string {
  const candidates = [path.resolve(places.project, name), path.resolve(folders.output, name)];
  const file = candidates.find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
  if (file === undefined) return name;
  const shown = isInside(places.project, file) ? path.relative(places.project, file) : file;
  const bytes = readFileSync(file);
  run.record({ type: 'artifact', path: shown, sha256: sha256(bytes), bytes: bytes.length });
  return shown;
}

function reopen(runtime: Runtime, id: string, order: RunOrder) {
  const { home, clock, places } = runtime;
  const context = { request_id: order.requestId ?? randomId(), agent_id: null, user_id: null };
  const options = { project: places.project, home, clock, kind: 'run', request: '', version: order.version, context };
  const { run, state, records } = resumeRun(options, id);
  if (!isRunState(state))
    throw new Fault('DataNotFound', { en: `${id} is no run of the agent`, zh: `${id} 不是智能体运行` });
  const left = recover(state, records, run.folder);
  return { run, left, context: contextOf(left.state.role, context.request_id) };
}

function isRunState(state: Json): boolean {
  return (
    typeof state === 'object' && state !== null && !Array.isArray(state) && 'request' in state && 'limits' in state
  );
}

function limitsOf({ config: { budgets } }: Runtime, { budget, role }: RunOrder): Budget {
  const { turns, toolCalls, scriptRuns, tokens, seconds, cost } = budgets;
  // Whoever types the command is the user: what they say holds, in both directions.
  const limits = { turns, tool_calls: toolCalls, script_runs: scriptRuns, tokens, seconds, cost, ...budget };
  return role?.maxTurns === undefined ? limits : tightenBudget(limits, { turns: role.maxTurns });
}

/** What opens the door of a run, whether it begins or goes on. */
function doorFor({ request, role }: RunState, order: RunOrder): DoorOptions {
  const { role: _role, abort, ...rest } = order;
  return {
    ...rest,
    kind: 'run',
    request: request.text,
    context: contextOf(role, order.requestId),
    ...(role && { role: allowanceOfRole(role) }),
    ...(abort && { signal: abort }),
  };
}
