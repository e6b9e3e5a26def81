// How settings lie on each other: defaults, the user's, the project's; a project can tighten, and loosen little.
import { isRecord } from '../base/json.ts';
import { sameInAll, type Text } from '../base/language.ts';
import { isInside } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import { resolveRoot, standardUserRoots } from '../registry/roots.ts';
import { COMMAND_SECONDS, SCRIPT_SECONDS } from '../skill/time-limit.ts';
import { findTool, TOOLS } from '../tools/list.ts';
import { whyNoProjectResults } from './output.ts';
import { whyNoProjectRuntime } from './runtime.ts';
import type { Settings } from './schema.ts';
import { stricter, type VetAnswer } from './vet-policy.ts';

type Complete<T> = { [Key in keyof T]-?: Exclude<T[Key], undefined> };
type Section<Name extends keyof Settings> = Exclude<Settings[Name], undefined>;
type Model = Section<'model'>;

/** Settings in which everything that has a default is there. */
export interface CompleteSettings extends Settings {
  output_folder: string;
  model: Model & Complete<Pick<Model, 'provider' | 'params' | 'timeout_seconds' | 'retries'>>;
  execution: Complete<Omit<Section<'execution'>, 'programs'>> & Pick<Section<'execution'>, 'programs'>;
  security: Complete<Section<'security'>>;
  limits: Complete<Section<'limits'>>;
  workspace: Complete<Section<'workspace'>>;
  network: Section<'network'>;
  interpreters: string[];
  runtimes: Section<'runtimes'>;
  environment: Complete<
    Pick<Section<'environment'>, 'index_hosts' | 'isolated' | 'max_mib' | 'max_files' | 'build_seconds'>
  > &
    Section<'environment'>;
  retention: Complete<Section<'retention'>>;
  budgets: Complete<Section<'budgets'>>;
  interrupts: Complete<Section<'interrupts'>>;
  store: Section<'store'>;
}

export const DEFAULTS: CompleteSettings = {
  output_folder: 'mybox/output',
  model: { provider: 'offline', params: {}, timeout_seconds: 120, retries: 3 },
  execution: {
    default: 'ask',
    require_approval_for: TOOLS.filter(({ risk }) => risk !== 'low').map(({ name }) => name),
    enabled: [],
    denied: [],
    ask: 'each',
  },
  security: { max_skill_body_lines: 500, block_angle_brackets_in_frontmatter: true, vet: {} },
  limits: {
    ...{ memory_mib: 2048, processes: 512, file_mib: 256, open_files: 1024, timeout_seconds: 3600 },
    ...{ script_seconds: SCRIPT_SECONDS, command_seconds: COMMAND_SECONDS },
    ...{ project_files: 1_000_000, layer_files: 100_000, layer_mib: 4096, copy_files: 20_000, copy_mib: 1024 },
  },
  workspace: { leave_out: [], mechanism: 'overlay' },
  network: {},
  interpreters: ['python', 'node', 'bash', 'sh', 'deno', 'bun', 'ruby', 'perl', 'pwsh', 'rscript', 'uv'],
  runtimes: {},
  environment: { index_hosts: [], isolated: false, max_mib: 4096, max_files: 100_000, build_seconds: 900 },
  retention: { runs_days: 90, observations_days: 30, trash_days: 30 },
  budgets: { turns: 12, tool_calls: 30, script_runs: 30, tokens: 200_000, seconds: 600, cost: 1, catalog_tokens: 4000 },
  interrupts: { decide_with: 'person' },
  store: {},
};

export interface Ignored {
  /** Section and key, as in the file. */
  readonly path: readonly string[];
  readonly reason: Text;
}

export interface ProjectContext {
  readonly project: string;
  readonly home: string;
  readonly isTrusted: () => boolean;
  /** The settings beneath: defaults and the user's. */
  readonly current: Settings;
  readonly asked: Settings;
}

/** What to use of an asked value, and what was left out of it. */
interface Verdict {
  readonly use?: unknown;
  readonly ignored?: Text;
}

type Guard = (asked: unknown, current: unknown, context: ProjectContext) => Verdict;

const NOT_TRUSTED: Text = {
  en: 'this folder is not trusted (`skillwright trust` shows its settings and lets them count)',
  zh: '此目录未受信任（`skillwright trust` 显示其配置并使其生效）',
};
const USER_ONLY: Text = {
  en: 'only your own settings may loosen this (~/.agent/config.json)',
  zh: '仅您自己的配置可放宽此项（~/.agent/config.json）',
};
const USERS_CHOICE: Text = {
  en: 'only your own settings may choose this (~/.agent/config.json)',
  zh: '仅您自己的配置可选定此项（~/.agent/config.json）',
};

// A key that is not listed needs trust, so that a new setting is safe before anyone thinks of it.
const GUARDS: Record<string, Guard> = {
  $schema: (asked) => ({ use: asked }),
  skill_roots: rootsInProject,
  interpreters: (asked, current, { isTrusted }) => (isTrusted() ? { use: asked } : onlyKnown(asked, current)),
  output_folder: plainFolder,
  'runtimes.venv': folderOfProject,
  'runtimes.node_modules': folderOfProject,
  'execution.default': (asked) => (asked === 'deny' ? { use: asked } : { ignored: USER_ONLY }),
  'execution.ask': (asked) => (asked === 'each' ? { use: asked } : { ignored: USER_ONLY }),
  'execution.require_approval_for': onlyMore,
  'execution.denied': (asked, current) => ({ use: [...new Set([...list(current), ...list(asked)])] }),
  // Each layer has its own list, and a program has to stand in both.
  'execution.programs': (asked) => ({ use: asked }),
  'execution.enabled': () => ({ ignored: USER_ONLY }),
  'security.max_skill_body_lines': (asked, current, { isTrusted }) =>
    isTrusted() ? { use: asked } : onlyLower(asked, current),
  'security.block_angle_brackets_in_frontmatter': (asked, _current, { isTrusted }) =>
    asked === true || isTrusted() ? { use: asked } : { ignored: NOT_TRUSTED },
  'security.vet': onlyStricter,
  'workspace.leave_out': (asked, current) => ({ use: [...new Set([...list(current), ...list(asked)])] }),
  'retention.runs_days': onlyLonger,
  'retention.observations_days': onlyLonger,
  // One trash holds what was removed in every project.
  'retention.trash_days': () => ({ ignored: USERS_CHOICE }),
  'store.url': () => ({ ignored: USERS_CHOICE }),
  packs: () => ({ ignored: USERS_CHOICE }),
  labels: () => ({ ignored: USERS_CHOICE }),
  'interrupts.decide_with': (asked, _current, { isTrusted }) =>
    asked === 'person' || isTrusted() ? { use: asked } : { ignored: NOT_TRUSTED },
};

/** Sections are laid over each other key by key; lists and single values replace. */
export function overlay(base: CompleteSettings, over: Settings): CompleteSettings {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] = isRecord(value) && isRecord(below) ? { ...below, ...value } : value;
  }
  return result as unknown as CompleteSettings;
}

/** The part of a project's settings that may be used, and the rest with its reason. */
export function guardProject(context: ProjectContext): { settings: Settings; ignored: Ignored[] } {
  const settings: Record<string, unknown> = {};
  const ignored: Ignored[] = [];
  const judge = (path: readonly string[], asked: unknown, current: unknown): unknown => {
    if (JSON.stringify(asked) === JSON.stringify(current)) return asked;
    const verdict = guardOf(path)(asked, current, context);
    if (verdict.ignored !== undefined) ignored.push({ path, reason: verdict.ignored });
    return verdict.use;
  };
  for (const [key, asked] of Object.entries(context.asked)) {
    const current: unknown = Reflect.get(context.current, key);
    settings[key] = isRecord(asked)
      ? judgeSection(key, asked, isRecord(current) ? current : {}, judge)
      : judge([key], asked, current);
  }
  return { settings: withoutGaps(settings), ignored };
}

/** The same without the keys that hold nothing. */
export function withoutGaps<T extends object>(record: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const kept = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}

/** Asking for the milder tool of a pair and not for the graver one would make no sense. */
export function withGraverTools(tools: readonly string[]): string[] {
  const all = new Set(tools.map((tool) => findTool(tool) ?? tool));
  for (const { name, asksWith } of TOOLS) if (asksWith !== undefined && all.has(asksWith)) all.add(name);
  return [...all];
}

function judgeSection(
  section: string,
  asked: Record<string, unknown>,
  current: Record<string, unknown>,
  judge: (path: readonly string[], asked: unknown, current: unknown) => unknown,
): Record<string, unknown> {
  return withoutGaps(
    Object.fromEntries(Object.entries(asked).map(([key, value]) => [key, judge([section, key], value, current[key])])),
  );
}

function guardOf(path: readonly string[]): Guard {
  const [section] = path;
  if (section === 'limits' || section === 'budgets') return onlyLower;
  // Whoever chooses the model reads every request and writes every answer.
  if (section === 'model') return () => ({ ignored: USERS_CHOICE });
  // Whoever chooses these reads what goes through them, or starts what they name.
  if (section === 'network' || section === 'environment' || section === 'mcp_servers')
    return () => ({ ignored: USERS_CHOICE });
  return GUARDS[path.join('.')] ?? needsTrust;
}

function needsTrust(asked: unknown, _current: unknown, { isTrusted }: ProjectContext): Verdict {
  return isTrusted() ? { use: asked } : { ignored: NOT_TRUSTED };
}

function onlyLower(asked: unknown, current: unknown): Verdict {
  return Number(asked) <= Number(current) ? { use: asked } : { ignored: USER_ONLY };
}

/** A project must not make its own record vanish early. */
function onlyLonger(asked: unknown, current: unknown, context: ProjectContext): Verdict {
  return Number(asked) >= Number(current) ? needsTrust(asked, current, context) : { ignored: USER_ONLY };
}

function onlyMore(asked: unknown, current: unknown): Verdict {
  const wanted = withGraverTools(list(asked));
  const removed = withGraverTools(list(current)).filter((tool) => !wanted.includes(tool));
  const use = [...new Set([...list(current), ...wanted])];
  if (removed.length === 0) return { use };
  const tools = removed.join(', ');
  return { use, ignored: because(USER_ONLY, { en: `${tools} still asks`, zh: `${tools} 仍需询问` }) };
}

/** Severity by severity. */
function onlyStricter(asked: unknown, current: unknown): Verdict {
  const use: Record<string, VetAnswer> = isRecord(current) ? { ...(current as Record<string, VetAnswer>) } : {};
  const milder: string[] = [];
  for (const [severity, answer] of Object.entries(asked as Record<string, VetAnswer>)) {
    if (stricter(answer, use[severity]) === answer) use[severity] = answer;
    else milder.push(severity);
  }
  return milder.length === 0 ? { use } : { use, ignored: because(USER_ONLY, sameInAll(milder.join(', '))) };
}

function onlyKnown(asked: unknown, current: unknown): Verdict {
  const [use, added] = partition(list(asked), (name) => list(current).includes(name));
  return added.length === 0 ? { use } : { use, ignored: because(NOT_TRUSTED, sameInAll(visible(added.join(', ')))) };
}

function plainFolder(asked: unknown, current: unknown, context: ProjectContext): Verdict {
  const { project, home } = context;
  const skillRoots = [...list(context.asked.skill_roots), ...list(context.current.skill_roots)];
  const why = whyNoProjectResults(resolveRoot(String(asked), project, home), { project, home, skillRoots });
  return why === undefined ? needsTrust(asked, current, context) : { ignored: because(USERS_CHOICE, why) };
}

function folderOfProject(asked: unknown, current: unknown, context: ProjectContext): Verdict {
  const { project, home } = context;
  const why = whyNoProjectRuntime(resolveRoot(String(asked), project, home), { project, home });
  return why === undefined ? needsTrust(asked, current, context) : { ignored: because(USERS_CHOICE, why) };
}

/** Until it is trusted, a project chooses among its own folders and those the user has anyway. */
function rootsInProject(asked: unknown, current: unknown, { project, home, isTrusted }: ProjectContext): Verdict {
  if (isTrusted()) return { use: asked };
  const usersOwn = [...standardUserRoots(home), ...list(current).map((root) => resolveRoot(root, project, home))];
  const [use, outside] = partition(list(asked), (root) => {
    const folder = resolveRoot(root, project, home);
    return isInside(project, folder) || usersOwn.includes(folder);
  });
  if (outside.length === 0) return { use };
  const folders = visible(outside.join(', '));
  const ignored = because(NOT_TRUSTED, { en: `${folders} lies outside it`, zh: `${folders} 位于其外` });
  return use.length === 0 ? { ignored } : { use, ignored };
}

function because(reason: Text, detail: Text): Text {
  return { en: `${reason.en}: ${detail.en}`, zh: `${reason.zh}: ${detail.zh}` };
}

function partition(items: readonly string[], keep: (item: string) => boolean): [string[], string[]] {
  return [items.filter(keep), items.filter((item) => !keep(item))];
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
