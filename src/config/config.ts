// The settings as one plain value: defaults, then the user's file, then what the project may say.
import path from 'node:path';
import { type Diagnostic, speak } from '../base/diagnostic.ts';
import { Fault } from '../base/errors.ts';
import { once } from '../base/once.ts';
import { expandHome } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import type { ConfigFile } from './file.ts';
import {
  type CompleteSettings,
  DEFAULTS,
  guardProject,
  type Ignored,
  overlay,
  withGraverTools,
  withoutGaps,
} from './layer.ts';
import { notUsed, projectFile, readLayers } from './read.ts';
import type { Settings } from './schema.ts';
import { isTrusted } from './trust.ts';
import type { Config, ConfigPlaces, Execution, ServerSettings } from './value.ts';

export interface LoadedConfig {
  readonly config: Config;
  readonly diagnostics: readonly Diagnostic[];
  /** Found out when something depends on it: most commands never ask. */
  isTrusted(): boolean;
  /** Settings of the project that were not used, as `section.key`. */
  readonly ignored: readonly string[];
}

const MIB = 1024 * 1024;

/** Never throws for a bad file: then everything but reading is denied, and `requireConfig` says why. */
export async function loadConfig(places: ConfigPlaces): Promise<LoadedConfig> {
  const { project, home } = places;
  const { user, own } = await readLayers(places);
  const isTrustedHere = once(() => isTrusted(project, home, own.bytes));
  const diagnostics = [...user.diagnostics, ...own.diagnostics];
  if (diagnostics.some((diagnostic) => diagnostic.severity === 'error')) {
    const locked = overlay(DEFAULTS, { execution: { default: 'deny' } });
    const config = toConfig(locked, places, locked, {});
    return { config, diagnostics, ignored: [], isTrusted: isTrustedHere };
  }
  const current = overlay(DEFAULTS, user.settings);
  const guarded = guardProject({ project, home, isTrusted: isTrustedHere, current, asked: own.settings });
  return {
    config: toConfig(overlay(current, guarded.settings), places, current, own.settings),
    diagnostics: [...diagnostics, ...guarded.ignored.map((part) => ignoredSetting(project, own, part))],
    ignored: guarded.ignored.map((part) => part.path.join('.')),
    isTrusted: isTrustedHere,
  };
}

/** For commands that act on the settings. Throws a Fault that names the first mistake. */
export function requireConfig({ diagnostics }: Pick<LoadedConfig, 'diagnostics'>): void {
  const mistake = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
  if (!mistake) return;
  const { line, column, message, fix } = mistake;
  const place = line === undefined ? mistake.path : `${mistake.path}:${line}:${column}`;
  const advice = fix === undefined ? '' : ` (${fix})`;
  throw new Fault('ConfigInvalid', visible(`${place}: ${message}${advice}`), {
    details: { diagnostics: speak(diagnostics, 'en') },
  });
}

function ignoredSetting(project: string, own: ConfigFile, { path: key, reason }: Ignored): Diagnostic {
  return notUsed(key.join('.'), reason, { path: projectFile(project), ...own.positionOf?.(key) });
}

function toConfig(settings: CompleteSettings, places: ConfigPlaces, user: CompleteSettings, project: Settings): Config {
  const { model, security, limits, runtimes, retention, budgets, store } = settings;
  const absolute = (written: string | undefined): string | undefined =>
    written === undefined ? undefined : path.resolve(places.project, expandHome(written, places.home));
  return {
    ...withoutGaps({ skillRoots: settings.skill_roots }),
    outputFolder: absolute(settings.output_folder) ?? places.project,
    model: {
      provider: model.provider,
      params: model.params,
      timeoutSeconds: model.timeout_seconds,
      retries: model.retries,
      ...withoutGaps({ name: model.name, baseUrl: model.base_url, keyEnv: model.key_env }),
      ...withoutGaps({ inputPrice: model.input_price, outputPrice: model.output_price }),
    },
    execution: toExecution(settings.execution),
    executionLayers: { user: toExecution(user.execution), project: toTightening(project.execution) },
    security: {
      maxSkillBodyLines: security.max_skill_body_lines,
      blockAngleBracketsInFrontmatter: security.block_angle_brackets_in_frontmatter,
      vet: security.vet,
    },
    limits: {
      memoryBytes: limits.memory_mib * MIB,
      processes: limits.processes,
      fileBytes: limits.file_mib * MIB,
      openFiles: limits.open_files,
      timeoutSeconds: limits.timeout_seconds,
      scriptSeconds: limits.script_seconds,
      commandSeconds: limits.command_seconds,
    },
    workspace: {
      projectFiles: limits.project_files,
      layerFiles: limits.layer_files,
      layerBytes: limits.layer_mib * MIB,
      copyFiles: limits.copy_files,
      copyBytes: limits.copy_mib * MIB,
      leaveOut: settings.workspace.leave_out.map((written) => path.posix.normalize(written).replace(/\/$/, '')),
      alwaysCopy: settings.workspace.mechanism === 'copy',
    },
    network: withoutGaps({
      caFile: absolute(settings.network.ca_file),
      upstreamProxy: settings.network.upstream_proxy,
    }),
    interpreters: settings.interpreters,
    runtimes: withoutGaps({ venv: absolute(runtimes.venv), nodeModules: absolute(runtimes.node_modules) }),
    environment: {
      ...withoutGaps({
        pythonIndex: settings.environment.python_index,
        npmRegistry: settings.environment.npm_registry,
      }),
      indexHosts: settings.environment.index_hosts,
      isolated: settings.environment.isolated,
      maxBytes: settings.environment.max_mib * MIB,
      maxFiles: settings.environment.max_files,
      buildSeconds: settings.environment.build_seconds,
    },
    retention: {
      runsDays: retention.runs_days,
      observationsDays: retention.observations_days,
      trashDays: retention.trash_days,
    },
    budgets: {
      turns: budgets.turns,
      toolCalls: budgets.tool_calls,
      scriptRuns: budgets.script_runs,
      tokens: budgets.tokens,
      seconds: budgets.seconds,
      cost: budgets.cost,
      catalogTokens: budgets.catalog_tokens,
    },
    interrupts: { decideWith: settings.interrupts.decide_with },
    store: withoutGaps({ url: store.url, name: store.name }),
    ...withoutGaps({ packs: packsOf(settings.packs, places) }),
    mcpServers: Object.fromEntries(
      Object.entries(settings.mcp_servers ?? {}).map(([name, written]) => [name, toServer(written, places)]),
    ),
    labels: settings.labels ?? [],
  };
}

type WrittenServer = NonNullable<Settings['mcp_servers']>[string];

function toServer({ tools, timeout_seconds, ...how }: WrittenServer, { home }: ConfigPlaces): ServerSettings {
  const facts = withoutGaps({ tools, timeoutSeconds: timeout_seconds });
  if ('url' in how) return { url: how.url, ...withoutGaps({ tokenEnv: how.token_env }), ...facts };
  const read = how.read.map((folder) => path.resolve(home, expandHome(folder, home)));
  return { ...how, read, ...facts };
}

function packsOf(written: string | undefined, { home }: ConfigPlaces): string | undefined {
  return written === undefined || /^https?:/.test(written) ? written : path.resolve(expandHome(written, home));
}

function toExecution(execution: CompleteSettings['execution']): Execution {
  return {
    default: execution.default,
    requireApprovalFor: withGraverTools(execution.require_approval_for),
    enabled: execution.enabled,
    denied: execution.denied,
    ask: execution.ask,
    ...withoutGaps({ programs: execution.programs }),
  };
}

function toTightening(execution: Settings['execution'] = {}): Partial<Execution> {
  const asks = execution.require_approval_for;
  const requireApprovalFor = asks && withGraverTools(asks);
  return withoutGaps({
    default: execution.default,
    requireApprovalFor,
    denied: execution.denied,
    programs: execution.programs,
    ask: execution.ask,
  });
}
