// Does it: the approved bytes, in the sandbox, within limits; results come out through the path guard.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { findHiddenFiles } from '../base/hidden-files.ts';
import { type Language, languageFromLocale } from '../base/language.ts';
import { isInside } from '../base/paths.ts';
import type { Tracer } from '../base/telemetry.ts';
import { type AbsolutePath, absolutePath } from '../base/value/absolute-path.ts';
import { buildEnvironment } from '../process/environment.ts';
import { defaultLimits, withOwnLimits } from '../process/limits.ts';
import type { Order, ProjectView } from '../process/order.ts';
import { type ProcessRunOptions, runProcess } from '../process/run.ts';
import { type Snapshot, takeSnapshot } from '../process/snapshot.ts';
import { type Surroundings, standAmong } from '../process/surroundings.ts';
import { openWorkFolder } from '../process/work-folder.ts';
import type { ProjectLayer } from '../workspace/layer.ts';
import type { Door } from './door.ts';
import type { Executed } from './executed.ts';
import { type StagedOutput, stageOutput } from './output/folder.ts';
import { outputInLayer } from './output/layered.ts';
import { type PlacedFile, placeFile } from './output/placed-file.ts';
import { requireRunFiles, runPlaces } from './run-file.ts';
import { type Secrets, spellsSecret } from './secret.ts';
import { startWords } from './start-words.ts';
import { beginProcess } from './trace.ts';
import type { Work } from './work.ts';

/** Who watches this one call while it runs. */
export type Watched = Pick<ProcessRunOptions, 'onProgress'> & { readonly tracer: Tracer | undefined };

export async function execute(work: Work, secrets: Secrets, door: Door, watched: Watched): Promise<Executed> {
  const sandbox = await door.sandbox();
  const snapshot = work.skill && takeSnapshot(work.skill, snapshotOptions(work, door));
  const { folder, close } = openWorkFolder(door.folders.work);
  try {
    using placed = work.placed === undefined ? undefined : placeFile(work.placed, folder, sandbox.can);
    using around = sandbox.can.mounts ? undefined : surroundingsOf(work, snapshot, folder, door);
    const layer = work.layered ? await door.workspace.open(sandbox.layers) : undefined;
    const output = openOutput(work, { folder, layer, mounts: sandbox.can.mounts }, door);
    try {
      const order = await buildOrder(work, { folder, snapshot, around, layer, output, placed }, secrets, door);
      const launch = sandbox.prepare(order);
      const limits = {
        timeoutMs: order.timeoutMs,
        stdin: order.stdin ?? '',
        inputFolder: folder,
        pipes: path.join(door.folders.cache, 'pipes'),
      };
      if ('argv' in work.program)
        requireRunFiles(work.program.argv, work.runs ?? [], runPlaces(door.places, work.skill));
      using span = beginProcess(launch.tier, watched.tracer);
      const { signal } = door;
      const began = Date.now();
      layer?.begin(began);
      const done = await runProcess(launch, {
        ...limits,
        signal,
        onProgress: watched.onProgress,
        ...tagOf(work, door),
      });
      span?.ended(done);
      layer?.remember(began);
      const ended = { ...done, stdout: output.rename(done.stdout), stderr: output.rename(done.stderr) };
      const outputs = output.deliver(spellsSecret(secrets));
      const { tier, notEnforced } = launch;
      const outputFolder = output.at;
      const written = placed?.read();
      const { seconds, network } = work;
      const made = { ended, outputs, outputFolder, seconds, ...limitOf(work), network, tier, notEnforced };
      return written === undefined ? made : { ...made, placed: written };
    } finally {
      output.close();
    }
  } finally {
    close();
  }
}

interface OutputPlace {
  readonly folder: string;
  readonly layer: ProjectLayer | undefined;
  readonly mounts: boolean;
}

/** In a layer, results are files of the project like others; elsewhere they are staged beside it. */
function openOutput(work: Work, { folder, layer, mounts }: OutputPlace, door: Door): StagedOutput {
  if (layer && isInside(door.places.project, work.output.folder)) return outputInLayer(work.output.folder, layer, door);
  return stageOutput(work, folder, mounts, door);
}

function limitOf({ skill, seconds }: Work): Pick<Executed, 'limitIn'> {
  if (skill?.manifest.timeout !== seconds) return {};
  return { limitIn: skill.ofRole ? `agents/${skill.ofRole.role}/agent.yaml` : 'SKILL.md' };
}

/** What was made for this call alone. */
interface Made {
  readonly folder: string;
  readonly snapshot: Snapshot | undefined;
  readonly around: Surroundings | undefined;
  readonly layer: ProjectLayer | undefined;
  readonly output: Pick<StagedOutput, 'at' | 'mapped'>;
  readonly placed: PlacedFile | undefined;
}

const LOCALES: Record<Language, string> = { en: 'C.UTF-8', zh: 'zh_CN.UTF-8' };

/** A script answers in the language of the command: --lang reaches it as a locale. */
function inLanguageOf({ env, language }: Door): Door['env'] {
  if (languageFromLocale(env) === language) return env;
  const locale = LOCALES[language];
  return { ...env, LC_ALL: undefined, LANGUAGE: undefined, LC_MESSAGES: locale, LANG: locale };
}

function tagOf(work: Work, door: Door): { tag?: string } {
  const tag = work.tag ?? door.tag;
  return tag === undefined ? {} : { tag };
}

function surroundingsOf({ skill }: Work, snapshot: Snapshot | undefined, folder: string, { places }: Door) {
  if (!skill || !snapshot) return undefined;
  return standAmong({ project: places.project, skill: skill.folder, snapshot: snapshot.folder }, folder);
}

function snapshotOptions({ digest, seconds }: Work, door: Door) {
  return { store: door.folders.snapshots, expectedDigest: digest, holdMs: seconds * 1000, now: door.clock.now() };
}

async function buildOrder(work: Work, made: Made, secrets: Secrets, door: Door): Promise<Order> {
  const { folder, snapshot, around, layer, output, placed } = made;
  const { project } = door.places;
  const timeoutMs = work.seconds * 1000;
  const started = await startWords(work, snapshot, door);
  const shown = projectView(work, layer, door);
  const { env, refused } = buildEnvironment({
    host: inLanguageOf(door),
    work: folder,
    secrets,
    ...(door.debug && { debug: true }),
    programs: started.programs,
  });
  if (refused.length > 0)
    throw new Fault('PermissionDenied', {
      en: `${refused.join(', ')} may not be set for a skill`,
      zh: `不允许为技能设置 ${refused.join(', ')}`,
    });
  return {
    argv: started.argv,
    cwd: work.cwd ?? (layer ? project : folder),
    // By name too, for scripts that work in another folder than the project.
    env: { ...env, ...trustedByGit(project), SKILL_OUTPUT_DIR: output.at },
    view: {
      work: absolutePath(folder),
      ...(work.skill && snapshot && skillView(work.skill.folder, around?.skill ?? snapshot.folder, shown.hide)),
      project: shown,
      ...(output.mapped && { output: output.mapped }),
      readOnly: [
        ...[...started.readOnly, ...door.runtimes(), ...work.files],
        ...(around ? [around.root] : []),
        ...(work.writes ? keptFolders(project) : []),
      ].map(absolutePath),
      ...(placed?.mapped && { placed: placed.mapped }),
      writable: (placed?.shared ?? []).map(absolutePath),
    },
    network: work.network,
    limits: withOwnLimits(defaultLimits(timeoutMs), door.limits),
    timeoutMs,
    ...(work.stdin !== undefined && { stdin: work.stdin }),
  };
}

/** Git refuses what belongs to another user, and as root a call has a user of its own; newer versions take what lies below. */
function trustedByGit(project: string): Record<string, string> {
  const setting = (index: number, value: string) => ({
    [`GIT_CONFIG_KEY_${index}`]: 'safe.directory',
    [`GIT_CONFIG_VALUE_${index}`]: value,
  });
  // Settings of the machine are not shown to a call, and git stops at those it may not read.
  return { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_COUNT: '2', ...setting(0, project), ...setting(1, `${project}/*`) };
}

/** Written by a person, read by tools that run what they find: never changed by a skill that may write into the project. */
const KEPT_FOLDERS = ['.git', '.agent', '.agents', '.claude', '.vscode', '.github', '.husky'];

function keptFolders(project: string): string[] {
  return KEPT_FOLDERS.map((name) => path.join(project, name)).filter((folder) => existsSync(folder));
}

function skillView(at: AbsolutePath, from: string, hidden: readonly string[]): Pick<Order['view'], 'skill' | 'closed'> {
  const own = hidden.filter((file) => isInside(at, file));
  const skill = { at, from: absolutePath(from) };
  return { skill, closed: own.map((file) => absolutePath(path.join(from, path.relative(at, file)))) };
}

/** Our own state stays hidden also where home lies inside the project, and such a project is never writable. */
function projectView(work: Work, layer: ProjectLayer | undefined, door: Door): ProjectView {
  const { project, home } = door.places;
  if (layer) return { folder: project, hide: layer.hidden, writable: false, layer: layer.shown };
  const holdsHome = isInside(project, home);
  const own = holdsHome ? [path.join(home, '.agent')] : [];
  return { folder: project, hide: [...findHiddenFiles(project), ...own], writable: work.writes && !holdsHome };
}
