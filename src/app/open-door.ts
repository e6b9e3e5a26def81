// Builds the door for one command from the runtime: every part by hand, nothing global.
import { type LateRun, lateRun } from '../audit/late-run.ts';
import { type RunFolder, startRun } from '../audit/run-folder.ts';
import { randomId } from '../base/ids.ts';
import { once } from '../base/once.ts';
import type { Outcome } from '../base/outcome.ts';
import type { Tracer } from '../base/telemetry.ts';
import type { Digest } from '../base/value/digest.ts';
import { requireRuntimes } from '../config/runtime.ts';
import { requireUnchanged } from '../distribution/locked-skill.ts';
import { findPlaces as findInstallPlaces } from '../distribution/place.ts';
import type { CallContext } from '../door/call.ts';
import type { Door, DoorChange, SkillOfRole } from '../door/door.ts';
import { createRunHosts } from '../door/network/run-hosts.ts';
import type { ServerHost } from '../door/server/server-host.ts';
import { createApprovals } from '../policy/approval.ts';
import type { EffectsOnly } from '../policy/asking.ts';
import { openGrants } from '../policy/grant/store.ts';
import type { Allowance } from '../policy/policy.ts';
import { openSeenFiles } from '../policy/question/seen-files.ts';
import { roleAllowance } from '../policy/role.ts';
import { findProgram, type ProgramSearch } from '../process/program.ts';
import type { Index, SkillEntry } from '../registry/discover.ts';
import { skillNamed } from '../registry/named-skill.ts';
import { recordUse } from '../registry/usage.ts';
import type { Store } from '../store/store.ts';
import type { LayerPlace } from '../workspace/layer.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { chooseEffects } from './choose-effects.ts';
import { foldersOf } from './door-folders.ts';
import { keeperFor, packagesOf } from './environment/used.ts';
import { giveGrant } from './grant/give.ts';
import { openFindings } from './grave-finding.ts';
import { openProjectInterrupts } from './open-interrupts.ts';
import type { Runtime } from './runtime.ts';
import { serversOf } from './server/of-runtime.ts';
import { readShipped } from './shipped.ts';
import { guardedOf } from './workspace/guarded.ts';
import { layerPlace } from './workspace/place.ts';
import type { ChangeWishes } from './workspace/settle.ts';

export interface DoorOptions extends ChangeWishes {
  /** What drives it: run, call, invoke, task, job. */
  readonly kind: string;
  /** What was asked, for the record. */
  readonly request: string;
  readonly version: string;
  readonly context?: CallContext;
  /** The role on whose behalf everything happens; its list binds every call. */
  readonly role?: Allowance;
  /** The folder whose agents/ hold the roles; the project unless given. */
  readonly roles?: string;
  /** Lists that bind every call beside those of its own skill and role. */
  readonly within?: Door['within'];
  /** Throws a Fault where the files that are about to run, by their digest, are not those that were meant. */
  readonly checkFiles?: (skill: SkillEntry, digest: Digest) => void;
  /** Other places for questions and answers than those of a command. */
  readonly interrupts?: Door['interrupts'];
  readonly approvals?: Door['approvals'];
  /** Names every process of its calls, so that another process can end them. */
  readonly tag?: string;
  readonly ask?: Door['ask'];
  readonly askHost?: Door['askHost'];
  readonly askNetwork?: Door['askNetwork'];
  /** Only effects are asked about; absent: each call that needs a yes is. Never for callers from elsewhere. */
  readonly effectsOnly?: EffectsOnly | undefined;
  /** A person at a terminal may answer "always": whoever else says yes can give no grant. */
  readonly offersGrants?: boolean;
  readonly attended?: boolean;
  readonly yes?: boolean;
  readonly no?: Door['no'];
  readonly debug?: boolean;
  readonly private?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: Door['onProgress'];
  readonly onStderr?: Door['onStderr'];
  readonly onEnded?: Door['onEnded'];
  /** What its calls hang below; else what the environment names. */
  readonly tracer?: Tracer | undefined;
  /** A record that is gone on with, instead of a new one. */
  readonly run?: RunFolder;
  /** The skills there are, where the caller has read them already. */
  readonly index?: Index;
}

/** Who calls: what they allow in advance, whether they can be asked, and what they see. */
export type Caller = Pick<
  DoorOptions,
  | 'context'
  | 'role'
  | 'ask'
  | 'askHost'
  | 'askNetwork'
  | 'effectsOnly'
  | 'offersGrants'
  | 'attended'
  | 'yes'
  | 'no'
  | 'private'
  | 'debug'
  | 'signal'
  | 'onProgress'
  | 'onStderr'
  | keyof ChangeWishes
>;

/** Whoever opens it finishes it; one that was begun and not finished is closed as failed. */
export interface OpenDoor extends Door, Disposable {
  readonly context: CallContext;
  /** What is to become of the files that its calls change. */
  readonly wishes: ChangeWishes;
  /** Begins the record where nothing was recorded yet. */
  begin(): RunFolder;
  /** The record, if anything was recorded. */
  recorded(): RunFolder | undefined;
  /** Ends the record, if anything was recorded. */
  finish(outcome: Outcome): void;
  /** `caller`: who is asked about these calls, and what becomes of their changes. */
  derive(change: DoorChange & { readonly caller?: Caller }): OpenDoor;
}

export function openDoor(runtime: Runtime, options: DoorOptions): OpenDoor {
  runtime.requireConfig();
  const context = options.context ?? { request_id: randomId() };
  const record = lateRun(() => options.run ?? beginRecord(runtime, options, context));
  return doorOf({
    runtime,
    options,
    context,
    skills: once(() => options.index ?? runtime.index()),
    record,
    workspace: openWorkspace(
      () => layerPlace(runtime, record.begin().id),
      placeIfBegun(() => options.run ?? record.begun(), runtime),
      runtime.turns,
    ),
    approvals: options.approvals ?? createApprovals(runtime.clock),
    effectsOnly: chooseEffects(options.effectsOnly, options.kind === 'run'),
    hasGraveFinding: openFindings(),
    interrupts: options.interrupts ?? openProjectInterrupts(runtime),
    runHosts: createRunHosts(),
    servers: serversOf(runtime),
    within: options.within ?? [],
    signal: options.signal,
    tracer: options.tracer ?? runtime.telemetry,
  });
}

/** What every door for the same command shares, and what `derive` changes. */
interface DoorParts {
  readonly runtime: Runtime;
  readonly options: DoorOptions;
  readonly context: CallContext;
  readonly skills: () => Index;
  readonly record: LateRun;
  readonly workspace: Workspace;
  readonly approvals: Door['approvals'];
  readonly effectsOnly: Door['effectsOnly'];
  readonly hasGraveFinding: Door['hasGraveFinding'];
  readonly interrupts: Door['interrupts'];
  readonly runHosts: Door['runHosts'];
  readonly servers: ServerHost;
  readonly within: readonly Allowance[];
  readonly signal: AbortSignal | undefined;
  readonly tracer: Tracer | undefined;
}

function doorOf(parts: DoorParts): OpenDoor {
  const { runtime, options, context, skills, record, workspace, within, signal, tracer } = parts;
  const { home, config, clock, language, env, places } = runtime;
  const { project } = places;
  const { roles = project } = options;
  return {
    language,
    clock,
    env,
    context,
    wishes: options,
    places,
    guarded: () => guardedOf(runtime),
    folders: foldersOf(runtime),
    resolve: (reference, source) => skillNamed(skills(), reference, source),
    requireUnchanged(skill, looked) {
      requireUnchanged(skill, looked, findInstallPlaces(runtime.installed));
      if ('digest' in looked) options.checkFiles?.(skill, looked.digest);
    },
    roles,
    resolveRole: (reference) => resolveRole(roles, reference),
    policy: {
      settings: config.executionLayers.user,
      project: config.executionLayers.project,
      ...(runtime.tightening && { caller: runtime.tightening }),
      ...(options.role && { role: options.role }),
    },
    grants: () => openGrants(home, project).list(),
    shipped: readShipped(runtime.builtin),
    approvals: parts.approvals,
    effectsOnly: parts.effectsOnly,
    hasGraveFinding: parts.hasGraveFinding,
    variablesRead: (skill) => variablesRead(skill, runtime),
    attended: options.attended ?? false,
    yes: options.yes ?? false,
    ...(options.no && { no: options.no }),
    interrupts: parts.interrupts,
    sandbox: runtime.sandbox,
    limits: config.limits,
    network: config.network,
    ...(options.askHost && { askHost: options.askHost }),
    ...(options.askNetwork && { askNetwork: options.askNetwork }),
    runHosts: parts.runHosts,
    servers: parts.servers,
    interpreters: withoutMissing(config.interpreters, { path: env.PATH ?? '', project }),
    environment: config.environment,
    packages: packagesOf(runtime),
    keepPrepared: keeperFor(runtime),
    runtimes: () => requireRuntimes(Object.values(config.runtimes), { project, home }),
    run: record.run,
    recordUse: (skill, use) => countUse(() => runtime.openStore(signal), skill, use),
    within,
    workspace,
    seen: openSeenFiles(home, project),
    ...(options.ask && { ask: options.ask }),
    ...(options.offersGrants && { grantAlways: (wanted) => giveGrant(wanted, runtime) }),
    ...(options.tag !== undefined && { tag: options.tag }),
    ...(options.debug !== undefined && { debug: options.debug }),
    ...(signal && { signal }),
    ...(options.onProgress && { onProgress: options.onProgress }),
    ...(options.onStderr && { onStderr: options.onStderr }),
    ...(options.onEnded && { onEnded: options.onEnded }),
    ...(tracer && { tracer }),
    begin: record.begin,
    recorded: record.begun,
    finish({ state, summary }) {
      void parts.servers.close();
      record.finish({ outcome: state, output: summary });
    },
    derive: (change) => doorOf(changed(parts, change)),
    [Symbol.dispose]() {
      void parts.servers.close();
      void workspace.close();
      record.finish({ outcome: 'error', output: 'ended without an outcome' });
    },
  };
}

function changed(parts: DoorParts, change: DoorChange & { readonly caller?: Caller }): DoorParts {
  const signals = [parts.signal, change.signal].filter((signal) => signal !== undefined);
  return {
    ...parts,
    ...(change.caller && { options: { ...parts.options, ...change.caller } }),
    interrupts: change.interrupts ?? parts.interrupts,
    within: [...parts.within, ...(change.within ?? [])],
    signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
    tracer: change.tracer ?? parts.tracer,
  };
}

/** A run that goes on may have a layer already. */
function placeIfBegun(begun: LateRun['begun'], runtime: Runtime): () => LayerPlace | undefined {
  return () => {
    const run = begun();
    return run && layerPlace(runtime, run.id);
  };
}

function beginRecord(runtime: Runtime, options: DoorOptions, context: CallContext): RunFolder {
  const { home, clock, places } = runtime;
  const { request_id, agent_id = null, user_id = null } = context;
  return startRun({
    project: places.project,
    home,
    clock,
    kind: options.kind,
    request: options.request,
    version: options.version,
    context: { request_id, agent_id, user_id },
    private: options.private ?? false,
  });
}

/** Python runs a script that asks for uv where there is none; every other interpreter is named when it is missing. */
function withoutMissing(names: readonly string[], search: ProgramSearch): readonly string[] {
  return names.filter((name) => name !== 'uv' || findProgram(name, search) !== undefined);
}

/** Reading roles needs a schema checker, which is loaded only for them. */
async function resolveRole(project: string, reference: string): Promise<SkillOfRole | undefined> {
  const { findRoleSkill } = await import('../registry/role/role.ts');
  const found = await findRoleSkill(project, reference);
  return found && { skill: found.skill, role: roleAllowance(found.role), folder: found.role.folder };
}

/** Looked for only where a call failed. */
async function variablesRead(skill: SkillEntry, runtime: Runtime): ReturnType<Door['variablesRead']> {
  const { findNeeds } = await import('./need/find.ts');
  const needs = await findNeeds(skill, runtime);
  return needs.filter(({ kind, sure }) => kind === 'variable' && sure !== 'likely');
}

/** The execution happened, whether or not it can be counted. */
async function countUse(
  open: () => Promise<Store>,
  ...[skill, use]: Parameters<Door['recordUse']>
): Promise<string | undefined> {
  try {
    using store = await open();
    await recordUse(store, skill, use);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
