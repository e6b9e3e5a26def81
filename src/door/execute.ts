// Does it: the approved bytes, in the sandbox, within limits; results come out through the path guard.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { type Language, languageFromLocale } from '../base/language.ts';
import { isInside } from '../base/paths.ts';
import type { Tracer } from '../base/telemetry.ts';
import { visible } from '../base/text.ts';
import { type AbsolutePath, absolutePath } from '../base/value/absolute-path.ts';
import type { Reach } from '../policy/consent/reach.ts';
import type { WriteReach } from '../policy/grant/write-reach.ts';
import type { CopyReport } from '../process/copy-out.ts';
import { deviceNodes } from '../process/device.ts';
import { buildEnvironment } from '../process/environment.ts';
import { defaultLimits, withOwnLimits } from '../process/limits.ts';
import type { Order } from '../process/order.ts';
import { type ProcessRunOptions, runProcess } from '../process/run.ts';
import { type Snapshot, takeSnapshot } from '../process/snapshot.ts';
import { type Surroundings, standAmong } from '../process/surroundings.ts';
import { openWorkFolder } from '../process/work-folder.ts';
import { calledName } from '../registry/called-name.ts';
import type { ProjectLayer } from '../workspace/layer.ts';
import { isOwnCode } from './consent/consent.ts';
import { homeOwner } from './consent/home-place.ts';
import type { LastingHome } from './consent/lasting-home.ts';
import { programFolders } from './consent/program-folder.ts';
import { runHome } from './consent/run-home.ts';
import type { Door } from './door.ts';
import type { Executed } from './executed.ts';
import { type CallNetwork, type HostReach, openCallNetwork } from './network/call-network.ts';
import { type StagedOutput, stageOutput } from './output/folder.ts';
import { markHolding, watchFor } from './output/hold-back.ts';
import { outputInLayer } from './output/layered.ts';
import { withLeftBehind } from './output/left-behind.ts';
import { requireRunFiles, runPlaces } from './run-file.ts';
import { knownSecrets, type Secrets } from './secret.ts';
import { startWords } from './start-words.ts';
import { beginProcess } from './trace.ts';
import type { Program, Work } from './work.ts';

/** Who watches this one call while it runs, which of its changes are allowed already, and what it may reach. */
export interface Underway extends Pick<ProcessRunOptions, 'onProgress'> {
  readonly reach: Pick<Reach, 'programs' | 'devices' | 'home'>;
  readonly hosts: HostReach;
  /** All of it, and no proxy. */
  readonly network: boolean;
  readonly tracer: Tracer | undefined;
  readonly writes: WriteReach;
  /** Nobody was asked about the call: its results stay in the layer, where they are a part of the change set. */
  readonly unseen: boolean;
}

export async function execute(work: Work, secrets: Secrets, door: Door, underway: Underway): Promise<Executed> {
  using _turn = await door.workspace.turn(door.signal);
  const sandbox = await door.sandbox();
  // Mounted while the files of the skill are looked at; whoever waits for it below hears why it failed.
  const opening = door.workspace.open(sandbox.layers);
  opening.catch(() => {});
  const snapshot = work.skill && takeSnapshot(work.skill, snapshotOptions(work, door));
  const { folder, close } = openWorkFolder(door.folders.work);
  try {
    using around = sandbox.can.mounts ? undefined : surroundingsOf(work, snapshot, folder, door);
    using home = underway.reach.home ? await homeOf(work, door) : undefined;
    const layer = await opening;
    if (work.question !== undefined) refuseQuestion(work.question, door);
    const output = openOutput(work, { folder, layer, mounts: sandbox.can.mounts }, door);
    try {
      await using network = await openCallNetwork(underway, sandbox, door);
      const { reach } = underway;
      const at = home?.folder ?? runHome(work, layer);
      const own = { folder, home: at, snapshot, around, layer, output, network, reach };
      const order = await buildOrder(work, own, secrets, door);
      const launch = sandbox.prepare(order);
      const limits = {
        timeoutMs: order.timeoutMs,
        stdin: order.stdin ?? '',
        inputFolder: folder,
        pipes: path.join(door.folders.cache, 'pipes'),
      };
      requireRunFiles(commandsIn(work.program), work.runs ?? [], runPlaces(door.places, work.skill, layer));
      using span = beginProcess(launch.tier, underway.tracer);
      const { signal } = door;
      const began = Date.now();
      layer.permit(underway.writes);
      layer.variables.give(Object.keys(secrets));
      layer.begin(began);
      using watch = layer.watch();
      const done = await runProcess(launch, {
        ...limits,
        signal,
        stop: watch.signal,
        onProgress: underway.onProgress,
        ...tagOf(work, door),
      });
      span?.ended(done);
      await network.close();
      layer.remember(began, isOwnCode(work) ? work.digest : '');
      const ended = { ...done, stdout: output.rename(done.stdout), stderr: output.rename(done.stderr) };
      const asked = work.question === undefined ? undefined : layer.take(work.question);
      const outputs = withLeftBehind(deliver(output, layer, knownSecrets(secrets, door), underway), folder, ended);
      const { tier, notEnforced } = launch;
      const outputFolder = output.at;
      const { seconds } = work;
      const made = { ended, outputs, outputFolder, seconds, ...limitOf(work), tier, notEnforced };
      return { ...made, ...triedBy(work, underway, network), ...(asked && { asked }) };
    } finally {
      output.close();
    }
  } finally {
    close();
  }
}

/** The words that may name files of the project which are run. */
function commandsIn(program: Program): readonly (readonly string[])[] {
  if ('argv' in program) return [program.argv];
  return 'shell' in program ? program.commands : [];
}

function triedBy(
  { skill }: Work,
  { network }: Underway,
  { attempts }: CallNetwork,
): Pick<Executed, 'network' | 'attempts' | 'skill'> {
  const tried = attempts?.() ?? [];
  return { network, ...(tried.length > 0 && { attempts: tried }), ...(skill && { skill: calledName(skill) }) };
}

const NOTHING_DELIVERED: CopyReport = { copied: [], refused: [] };

/** What holds a value waits in the layer, and no name that spells one comes out at all. */
function deliver(
  output: StagedOutput,
  layer: ProjectLayer,
  secrets: Secrets,
  { unseen }: Pick<Underway, 'unseen'>,
): CopyReport {
  const watch = watchFor(secrets);
  if (watch && !layer.isTooMuch()) markHolding(layer, watch);
  try {
    return unseen ? NOTHING_DELIVERED : output.deliver(watch);
  } finally {
    if (watch && !layer.isTooMuch()) layer.withhold(watch.isSpelledIn);
  }
}

interface OutputPlace {
  readonly folder: string;
  readonly layer: ProjectLayer;
  readonly mounts: boolean;
}

/** Results in the project are files of the layer like others; elsewhere they are staged beside it. */
function openOutput(work: Work, { folder, layer, mounts }: OutputPlace, door: Door): StagedOutput {
  if (isInside(door.places.project, work.output.folder)) return outputInLayer(work.output, layer, door);
  return stageOutput(work, folder, mounts, door);
}

function limitOf({ skill, seconds }: Work): Pick<Executed, 'limitIn'> {
  if (skill?.manifest.timeout !== seconds) return {};
  return { limitIn: skill.ofRole ? `agents/${skill.ofRole.role}/agent.yaml` : 'SKILL.md' };
}

/** What was made for this call alone. */
interface Made {
  readonly folder: string;
  readonly home: AbsolutePath;
  readonly reach: Pick<Reach, 'programs' | 'devices'>;
  readonly snapshot: Snapshot | undefined;
  readonly around: Surroundings | undefined;
  readonly layer: ProjectLayer;
  readonly output: Pick<StagedOutput, 'at' | 'mapped'>;
  readonly network: CallNetwork;
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

async function homeOf({ skill, seconds }: Work, door: Door): Promise<LastingHome | undefined> {
  if (!skill) return undefined;
  const { places, folders, signal } = door;
  // Most calls have none, and need no lock for it.
  const { openHome } = await import('./consent/lasting-home.ts');
  return await openHome(folders.homes, homeOwner(skill, places.project), { waitMs: seconds * 1000, signal });
}

function surroundingsOf({ skill }: Work, snapshot: Snapshot | undefined, folder: string, { places }: Door) {
  if (!skill || !snapshot) return undefined;
  return standAmong({ project: places.project, skill: skill.folder, snapshot: snapshot.folder }, folder);
}

function snapshotOptions({ digest, seconds }: Work, door: Door) {
  return { store: door.folders.snapshots, expectedDigest: digest, holdMs: seconds * 1000, now: door.clock.now() };
}

async function buildOrder(work: Work, made: Made, secrets: Secrets, door: Door): Promise<Order> {
  const { folder, home, snapshot, around, layer, output, network, reach } = made;
  const { project } = door.places;
  const timeoutMs = work.seconds * 1000;
  const started = await startWords(work, snapshot, door);
  const shown = { folder: project, hide: layer.hidden, writable: false, layer: layer.shown };
  const { env, refused } = buildEnvironment({
    host: inLanguageOf(door),
    work: folder,
    home,
    secrets,
    ...(door.debug && { debug: true }),
    programs: [...started.programs, ...programFolders(reach.programs, folder, project)],
  });
  if (refused.length > 0)
    throw new Fault('PermissionDenied', {
      en: `${refused.join(', ')} may not be set for a skill`,
      zh: `不允许为技能设置 ${refused.join(', ')}`,
    });
  return {
    argv: started.argv,
    cwd: work.cwd ?? project,
    // By name too, for scripts that work in another folder than the project.
    env: { ...env, ...network.env, ...trustedByGit(project), SKILL_OUTPUT_DIR: output.at },
    view: {
      work: absolutePath(folder),
      home,
      programs: reach.programs.map(({ file }) => absolutePath(file)),
      devices: reach.devices.flatMap(deviceNodes),
      ...(work.skill && snapshot && skillView(work.skill.folder, around?.skill ?? snapshot.folder, shown.hide)),
      project: shown,
      ...(output.mapped && { output: output.mapped }),
      readOnly: [
        ...[...started.readOnly, ...door.runtimes(), ...work.files, ...network.readOnly],
        ...(around ? [around.root] : []),
      ].map(absolutePath),
      writable: [],
    },
    network: network.order,
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

function skillView(at: AbsolutePath, from: string, hidden: readonly string[]): Pick<Order['view'], 'skill' | 'closed'> {
  const own = hidden.filter((file) => isInside(at, file));
  const skill = { at, from: absolutePath(from) };
  return { skill, closed: own.map((file) => absolutePath(path.join(from, path.relative(at, file)))) };
}

/** Throws a Fault where the project has such a file already: it would pass for the call's. */
function refuseQuestion(name: string, { places }: Door): void {
  if (!lstatSync(path.join(places.project, name), { throwIfNoEntry: false })) return;
  throw new Fault('AlreadyExists', visible(name), {
    details: { check: 'interrupt-file' },
    hint: {
      en: 'A script writes this file to ask for a decision. Look at it, then remove it.',
      zh: '脚本用此文件请求决定。请查看后将其删除。',
    },
  });
}
