// The composition root: everything a command needs, built once from where it runs, by hand.
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { shippedSkills } from '../base/assets.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Surface } from '../base/errors.ts';
import { type Language, languageFromLocale } from '../base/language.ts';
import { once } from '../base/once.ts';
import type { Agent, Answering } from '../base/outcome.ts';
import { isInside } from '../base/paths.ts';
import { isTelemetryWanted, type Telemetry } from '../base/telemetry.ts';
import { type AbsolutePath, absolutePath } from '../base/value/absolute-path.ts';
import { loadConfig, requireConfig } from '../config/config.ts';
import { findProject } from '../config/project-folder.ts';
import type { Config } from '../config/value.ts';
import { type Actors, buildPolicy, findPlaces } from '../policy/build-policy.ts';
import type { Places } from '../policy/place.ts';
import type { Policy, Tightening } from '../policy/policy.ts';
import type { Sandbox } from '../process/sandbox/sandbox.ts';
import { discover, type Index } from '../registry/discover.ts';
import { openIndexCache } from '../registry/index-cache.ts';
import type { OnRead } from '../registry/read-head.ts';
import { findRoots, type Root } from '../registry/roots.ts';
import type { SearchIndex, SearchOrder } from '../registry/search/index.ts';
import type { Bodies } from '../registry/search/update.ts';
import type { Store } from '../store/store.ts';
import { hasUnfinished } from '../workspace/transaction/unfinished.ts';
import type { Turns } from '../workspace/turns.ts';
import type { KeptState } from './keep-state.ts';
import type { StoreWish } from './open-store.ts';
import { tightenConfig } from './tighten-config.ts';
import { journalFolder } from './workspace/journal-folder.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a runtime works: the project of the working folder and the home of the user unless given. */
export interface RuntimeOptions {
  readonly project?: string;
  readonly home?: string;
  readonly env?: Environment;
  readonly language?: Language;
  readonly clock?: Clock;
}

/**
 * A project with its settings, for `executeSkill`, `task` and evals step by step. Programs mostly want
 * `openSkillwright`.
 */
export interface Runtime {
  readonly project: AbsolutePath;
  readonly home: AbsolutePath;
  readonly env: Environment;
  readonly language: Language;
  readonly clock: Clock;
  readonly config: Config;
  /** What the program adds that has us as a library; the settings above have it too. */
  readonly tightening?: Tightening;
  readonly configDiagnostics: readonly Diagnostic[];
  /** Settings of the project that were not used. */
  readonly configIgnored: readonly string[];
  /** Whether the user trusts the project as it is; found out when it is first asked. */
  isTrusted(): boolean;
  /** The folder of the shipped skills. */
  readonly builtin: string;
  readonly roots: readonly Root[];
  readonly places: Places;
  /** Where the skills were installed, beside their lock files: not moved by `derive`. */
  readonly installed: Pick<Runtime, 'project' | 'home' | 'roots'>;
  /** Where the sandbox of this machine is remembered, under home. */
  readonly sandboxFolder: string;
  /** Absent unless the environment names a receiver; whoever made the runtime closes it. */
  readonly telemetry?: Telemetry;
  /** Throws a Fault when a settings file is broken; called by whatever acts on them. */
  requireConfig(): void;
  /** Reads the skill folders now; nothing is remembered but how their frontmatter was parsed. */
  index(options?: IndexOptions): Index;
  /** Finds skills of this index by what is asked for; `bodies` says whether new and changed skills may be read for it. */
  searchIndex(index: Index, bodies: Bodies): Promise<SearchIndex>;
  /** What is remembered about this project; whoever opens it closes it. After `stop` nothing waits long for a server. */
  openStore(stop?: AbortSignal): Promise<Store>;
  /** What a process that needs the state of the project all the time keeps open; whoever made it closes it. */
  readonly kept?: KeptState;
  /** What the settings say about calls of these. */
  policyFor(actors?: Actors): Policy;
  /** The places that all its calls share, where a process makes many at once. */
  readonly turns?: Turns;
  /** Found by probes where it is not remembered. */
  sandbox(): Promise<Sandbox>;
  /** `since`: when the call that is answered began; else it began with this runtime. */
  answering(agent: Agent, surface: Surface, since?: number): Answering;
  /** A runtime with the same settings that begins now: for another call, other skills, or another place. */
  derive(change?: RuntimeChange): Runtime;
}

export interface RuntimeChange {
  /** With a store of its own: nothing done there is seen here. */
  readonly place?: { readonly project: string; readonly home: string };
  readonly index?: Runtime['index'];
  readonly kept?: KeptState;
  readonly turns?: Turns;
  /** Restrictions beside those of the settings; they stay for whatever is derived from it. */
  readonly tightening?: Tightening;
}

export interface IndexOptions {
  readonly deep?: boolean;
  readonly onRead?: OnRead;
}

/**
 * Opens a project for `executeSkill`, `task` and evals step by step. Nothing is read but its settings.
 * @example
 * const runtime = await createRuntime({ project: '.' });
 * const { skills } = runtime.index();
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const env = options.env ?? process.env;
  const clock = options.clock ?? systemClock;
  const language = options.language ?? languageFromLocale(env);
  const home = absolutePath(path.resolve(options.home ?? (env.HOME || homedir())));
  const project = absolutePath(
    options.project === undefined ? findProject(process.cwd(), home) : path.resolve(options.project),
  );
  const builtin = shippedSkills();
  const loaded = await loadConfig({ project, home });
  const { config } = loaded;
  const roots = findRoots({ project, home, builtin, config });
  await finishInstalling({ project, home, roots });
  await finishApplying({ project, home });
  const telemetry = isTelemetryWanted(env) ? await openTelemetry(env, language) : undefined;
  const sandboxFolder = path.join(home, '.agent', 'cache', 'sandbox');
  return runtimeOf({
    project,
    home,
    env,
    language,
    clock,
    loaded,
    config,
    builtin,
    roots,
    installed: { project, home, roots },
    sandboxFolder,
    telemetry,
    skills: { index: (indexOptions = {}) => indexSkills(roots, home, config, indexOptions) },
    searchFolder: path.join(home, '.agent', 'cache', 'search'),
    machine: { sandbox: once(() => openSandbox(sandboxFolder)) },
  });
}

/** What a runtime is made of. Caches of skills and of the machine hold nothing of a call and stay where they are. */
interface Parts
  extends Pick<
    Runtime,
    'project' | 'home' | 'env' | 'language' | 'clock' | 'config' | 'builtin' | 'roots' | 'installed' | 'sandboxFolder'
  > {
  readonly skills: Pick<Runtime, 'index'>;
  readonly machine: Pick<Runtime, 'sandbox'>;
  readonly loaded: Awaited<ReturnType<typeof loadConfig>>;
  readonly telemetry: Telemetry | undefined;
  readonly searchFolder: string;
  readonly kept?: KeptState | undefined;
  readonly tightening?: Tightening | undefined;
  readonly turns?: Turns | undefined;
}

/** Every function is bound to these parts alone, so that no runtime acts in the place of another. */
function runtimeOf(parts: Parts): Runtime {
  const {
    project,
    home,
    env,
    language,
    clock,
    config,
    loaded,
    telemetry,
    kept,
    searchFolder,
    tightening: caller,
    turns,
  } = parts;
  const startedAt = clock.now();
  const { user: settings, project: tightening } = config.executionLayers;
  const places = findPlaces({ project, home, outputFolder: config.outputFolder });
  return {
    project,
    home,
    env,
    language,
    clock,
    config,
    ...(caller && { tightening: caller }),
    ...(turns && { turns }),
    configDiagnostics: loaded.diagnostics,
    configIgnored: loaded.ignored,
    isTrusted: loaded.isTrusted,
    builtin: parts.builtin,
    roots: parts.roots,
    places,
    installed: parts.installed,
    sandboxFolder: parts.sandboxFolder,
    ...(telemetry && { telemetry }),
    requireConfig: () => requireConfig(loaded),
    index: parts.skills.index,
    searchIndex: (index, bodies) => openSearchIndex(index, { folder: searchFolder, bodies, now: clock.now() }),
    openStore: (stop) => kept?.openStore() ?? openStore({ project, home, env, config }, stop),
    ...(kept && { kept }),
    policyFor: (actors = {}) => buildPolicy({ settings, project: tightening, caller, places }, actors),
    sandbox: parts.machine.sandbox,
    answering: (agent, surface, since = startedAt) => ({
      agent,
      surface,
      language,
      startedAt: since,
      now: () => clock.now(),
    }),
    derive: (change = {}) => runtimeOf(changed(parts, change)),
  };
}

function changed(before: Parts, change: RuntimeChange): Parts {
  const { place, index, tightening, kept = before.kept, turns = before.turns } = change;
  const parts = tightening ? { ...before, config: tightenConfig(before.config, tightening), tightening } : before;
  const skills = index ? { index } : parts.skills;
  return place ? { ...parts, ...moved(parts, place), skills } : { ...parts, skills, kept, turns };
}

/** The state of this project stays behind: results and questions of another place are not its own. */
function moved({ project, config }: Parts, to: NonNullable<RuntimeChange['place']>) {
  const { outputFolder: own } = config;
  const relative = isInside(project, own) ? path.relative(project, own) : path.join('mybox', 'output');
  const [there, home] = [absolutePath(to.project), absolutePath(to.home)];
  const movedConfig = { ...config, outputFolder: path.join(there, relative), store: {} };
  return { project: there, home, config: movedConfig, kept: undefined };
}

/** What a killed command left half done is finished or undone before anything is read. */
async function finishInstalling(where: { project: string; home: string; roots: readonly Root[] }): Promise<void> {
  const folder = path.join(where.home, '.agent', 'installing');
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  const [{ recover }, place] = await Promise.all([
    import('../distribution/transaction.ts'),
    import('../distribution/place.ts'),
  ]);
  try {
    for (const one of place.findPlaces(where)) recover(one);
  } catch {
    // Whoever may not change the folders can still read them; the next installation says what is wrong.
  }
}

/** The same for changes of a run that were being applied. */
async function finishApplying(where: Pick<Runtime, 'project' | 'home'>): Promise<void> {
  if (!hasUnfinished(journalFolder(where))) return;
  const { finishTransactions } = await import('./workspace/finish.ts');
  try {
    finishTransactions(where);
  } catch {
    // What does not need the project written still works; the next apply says what is wrong.
  }
}

function indexSkills(
  roots: readonly Root[],
  home: string,
  config: Config,
  { deep = false, onRead }: IndexOptions,
): Index {
  const blockAngleBrackets = config.security.blockAngleBracketsInFrontmatter;
  const folder = path.join(home, '.agent', 'cache', 'index');
  const cache = openIndexCache({ folder, roots, deep, blockAngleBrackets });
  return discover(roots, { deep, blockAngleBrackets, cache, ...(onRead && { onRead }) });
}

async function openSearchIndex(index: Index, order: SearchOrder): Promise<SearchIndex> {
  const module = await import('../registry/search/index.ts');
  return module.openSearchIndex(index, order);
}

async function openTelemetry(env: Environment, language: Language): Promise<Telemetry> {
  const module = await import('../telemetry/open.ts');
  return module.openTelemetry(env, language);
}

async function openStore(wish: StoreWish, stop: AbortSignal | undefined): Promise<Store> {
  const module = await import('./open-store.ts');
  return (await module.openProjectState(wish, stop)).store;
}

async function openSandbox(cacheFolder: string): Promise<Sandbox> {
  const module = await import('../process/sandbox/sandbox.ts');
  return module.openSandbox({ cacheFolder });
}
