// Does it: the approved bytes, in the sandbox, within limits; results come out through the path guard.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { isInside } from '../base/paths.ts';
import { namesIfThere } from '../base/read-file.ts';
import type { Tracer } from '../base/telemetry.ts';
import { visible } from '../base/text.ts';
import { shimFolder } from '../environment/use/shims.ts';
import { type PackageView, viewPackages } from '../environment/use/view.ts';
import type { Reach } from '../policy/consent/reach.ts';
import type { WriteReach } from '../policy/grant/write-reach.ts';
import type { CopyReport } from '../process/copy-out.ts';
import type { Ended, Order } from '../process/order.ts';
import { type ProcessRunOptions, runProcess } from '../process/run.ts';
import type { Sandbox } from '../process/sandbox/sandbox.ts';
import { type Snapshot, takeSnapshot } from '../process/snapshot.ts';
import { standAmong } from '../process/surroundings.ts';
import { openWorkFolder } from '../process/work-folder.ts';
import { calledName } from '../registry/called-name.ts';
import type { ProjectLayer } from '../workspace/layer.ts';
import { isOwnCode } from './consent/consent.ts';
import { watchOwnFolders } from './consent/home-bound.ts';
import { homeOwner } from './consent/home-place.ts';
import type { LastingHome } from './consent/lasting-home.ts';
import { runHome } from './consent/run-home.ts';
import type { Door } from './door.ts';
import type { Executed } from './executed.ts';
import { type CallNetwork, type HostReach, openCallNetwork } from './network/call-network.ts';
import { buildOrder } from './order/build.ts';
import { type StagedOutput, stageOutput } from './output/folder.ts';
import { markHolding, type SecretWatch, watchFor } from './output/hold-back.ts';
import { outputInLayer } from './output/layered.ts';
import { type LeftPlaces, leftBehind, withRefused } from './output/left-behind.ts';
import { type OwnFolder, type OwnParts, openOwnFolder } from './output/own-folder.ts';
import { requireRunFiles, runPlaces } from './run-file.ts';
import { knownSecrets, type Secrets } from './secret.ts';
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
  using holds = new DisposableStack();
  const packages = packagesFor(work, sandbox, underway, holds, door);
  const { folder, close } = openWorkFolder(door.folders.work);
  try {
    using around = sandbox.can.mounts ? undefined : surroundingsOf(work, snapshot, folder, door);
    using home = underway.reach.home ? await homeOf(work, door) : undefined;
    const layer = await opening;
    if (work.question !== undefined) refuseQuestion(work.question, door);
    using own = ownFolder(work, { snapshot, copied: around?.skill, folder, layer }, door);
    const output = openOutput(work, { folder, layer, mounts: sandbox.can.mounts }, door);
    try {
      await using network = await openCallNetwork(underway, sandbox, door);
      const at = home?.folder ?? runHome(work, layer);
      const reached = { network, reach: underway.reach, packages };
      const made = { folder, home: at, snapshot, around, own, layer, output, ...reached };
      const order = await buildOrder(work, made, secrets, door);
      const launch = sandbox.prepare(order);
      requireRunFiles(commandsIn(work.program), work.runs ?? [], runPlaces(door.places, work.skill, layer));
      using span = beginProcess(launch.tier, underway.tracer);
      const began = Date.now();
      layer.permit(underway.writes);
      layer.variables.give(Object.keys(secrets));
      layer.begin(began);
      const before = namesIfThere(folder);
      using watch = layer.watch(own?.begin());
      using beside = watchOwnFolders(work, { home: at, lasts: home !== undefined, folder }, layer);
      const done = await runProcess(launch, {
        ...limitsOf(order, folder, door),
        stop: AbortSignal.any([watch.signal, beside.signal]),
        onProgress: underway.onProgress,
        ...tagOf(work, door),
      });
      span?.ended(done);
      await network.close();
      const places = { work: folder, before, home: home ? undefined : at, skill: work.skill };
      const left = lookAt(work, done, { layer, own, output, places, secrets, began }, door, underway);
      // Only now: what it left was looked at.
      beside.requireWithin();
      const { tier, notEnforced } = launch;
      return { ...left, ...limitOf(work), tier, notEnforced, ...triedBy(work, underway, network) };
    } finally {
      output.close();
    }
  } finally {
    close();
  }
}

interface LookedAt {
  readonly layer: ProjectLayer;
  readonly own: OwnFolder | undefined;
  readonly output: StagedOutput;
  readonly places: LeftPlaces;
  readonly secrets: Secrets;
  /** When the process was started. */
  readonly began: number;
}

/** What the process left: in the folder of its skill, in the layer, in the output folder, and where it goes with the call. */
function lookAt(
  work: Work,
  done: Ended,
  { layer, own, output, places, secrets, began }: LookedAt,
  door: Door,
  underway: Underway,
): Pick<Executed, 'ended' | 'outputs' | 'dropped' | 'outputFolder' | 'asked'> {
  const known = watchFor(knownSecrets(secrets, door));
  const notTaken = own?.take(known) ?? [];
  layer.remember(began, isOwnCode(work) ? work.digest : '');
  const ended = { ...done, stdout: output.rename(done.stdout), stderr: output.rename(done.stderr) };
  const asked = work.question === undefined ? undefined : layer.take(work.question);
  const delivered = deliver(output, layer, known, underway);
  const { named, dropped } = leftBehind(places, ended, known, door);
  const outputs = withRefused(delivered, [...notTaken, ...named]);
  return { ended, outputs, dropped, outputFolder: output.at, ...(asked && { asked }) };
}

function limitsOf({ timeoutMs, stdin = '' }: Order, inputFolder: string, { folders, signal }: Door) {
  return { timeoutMs, stdin, inputFolder, pipes: path.join(folders.cache, 'pipes'), signal };
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
  watch: SecretWatch | undefined,
  { unseen }: Pick<Underway, 'unseen'>,
): CopyReport {
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

function limitOf({ skill, seconds }: Work): Pick<Executed, 'seconds' | 'limitIn'> {
  if (skill?.manifest.timeout !== seconds) return { seconds };
  return { seconds, limitIn: skill.ofRole ? `agents/${skill.ofRole.role}/agent.yaml` : 'SKILL.md' };
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

/** Installers are answered for code of a skill and for what is said in its name. */
function packagesFor(
  work: Work,
  { can }: Sandbox,
  { network, hosts }: Underway,
  holds: DisposableStack,
  door: Door,
): PackageView {
  const { skill, digest } = work;
  return viewPackages(door.packages(skill, digest, holds), {
    ownRoot: can.temporary,
    network: network || hosts.hosts.length > 0 || hosts.askHost !== undefined,
    ...(skill && { skill: calledName(skill), shims: shimFolder(door.folders.cache) }),
  });
}

function ownFolder(
  work: Work,
  {
    snapshot,
    copied,
    folder,
    layer,
  }: Omit<OwnParts, 'skill' | 'snapshot'> & { readonly snapshot: Snapshot | undefined },
  door: Door,
): OwnFolder | undefined {
  const { skill } = work;
  return skill && snapshot && openOwnFolder(work, { skill, snapshot, copied, folder, layer }, door);
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
