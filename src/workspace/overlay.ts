// A layer as an overlay: the project below, what the run writes above it, and a mask over what is hidden.
import { type BigIntStats, existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeTree, setMode } from '../base/files.ts';
import { randomId } from '../base/ids.ts';
import { absolutePath } from '../base/value/absolute-path.ts';
import { isCopiedUp } from '../process/sandbox/linux/copied-up.ts';
import { type HolderMask, type StartedHolder, startHolder } from '../process/sandbox/linux/holder.ts';
import { newOwnUser } from '../process/sandbox/linux/identity.ts';
import type { LauncherHost } from '../process/sandbox/linux/launcher.ts';
import type { LayerMounts } from '../process/sandbox/tier.ts';
import { isOverlay, upperOf } from './begun.ts';
import { lowBits, statsAt, statsBelow } from './entry.ts';
import { type LayerPlace, layerOf, type ProjectLayer } from './layer.ts';
import { hiddenIn, hiddenPaths, likeIn, type Mask, maskKey, planMask, withTargets, writeMask } from './mask.ts';
import { takeSpare } from './spare.ts';

const PARTS = ['masked', 'lower', 'held', 'merged', 'disk/upper', 'disk/work'];
const MASK = 'mask-';

/** Throws a Fault where this machine, or the disk the project is on, has no such mounts. */
export async function mountOverlay(place: LayerPlace, { ownUsers, ...launcher }: LayerMounts): Promise<ProjectLayer> {
  const { folder, project, bounds } = place;
  const upper = upperOf(folder);
  if (!isOverlay(folder)) takeSpare(place);
  for (const part of PARTS) makeFolder(path.join(folder, part));
  likeIn(upper, project, '');
  const swap = ownUsers ? swapFor(place) : undefined;
  const started = startHolder({ ...launcher, layer: folder, project, ...(swap && { swap }) });
  const { found, mask, ...written } = stopOnFault(started, () => maskProject(place, swap?.user));
  const holder = await started.mount(written.over);
  if (written.over.name !== written.name) keepMask(folder, written);
  removeOldMasks(folder, written.name);
  const merged = absolutePath(path.join(folder, 'merged'));
  const tree = `/proc/${holder.pid}/root${merged}`;
  const hidden = hiddenPaths(mask);
  return layerOf({
    folder,
    mechanism: { kind: 'overlay' },
    shown: { from: merged, holder },
    hidden: [...found, ...place.own],
    trees: {
      project,
      tree,
      upper,
      redirects: swap !== undefined,
      isHidden: (below) => hidden.has(below),
    },
    user: swap?.user,
    watched: { root: upper, bounds },
    // Never applied, and closed it would keep us from all that is in it.
    afterCall: () => setMode(tree, statSync(project).mode & 0o7777),
    changedSince: (below, time) =>
      changedSince(statsBelow(project, below), time) || hasVanished({ project, tree, upper, launcher }, below, time),
    close: async () => holder.close(),
  });
}

interface Masked {
  /** Absolute paths of what is hidden. */
  readonly found: readonly string[];
  readonly mask: Mask;
  /** The folder it has when it is complete. */
  readonly name: string;
  /** As the holder gets it: complete, or with what only that can make. */
  readonly over: HolderMask;
}

/** The mask of the last mount is used again where it would be the same. */
function maskProject(place: LayerPlace, user: number | undefined): Masked {
  const { folder, project, own } = place;
  const found = withTargets(project, hiddenIn(place));
  const mask = planMask(project, found, own);
  const name = `${MASK}${maskKey(project, mask, user)}`;
  if (existsSync(path.join(folder, name))) return { found, mask, name, over: { name, absent: [], closed: [] } };
  const fresh = `${MASK}${randomId(8)}`;
  writeMask(path.join(folder, fresh), project, mask);
  const { absent, closed } = mask;
  return { found, mask, name, over: { name: fresh, absent, closed } };
}

/** Complete now that it is mounted. */
function keepMask(folder: string, { name, over }: Pick<Masked, 'name' | 'over'>): void {
  renameSync(path.join(folder, over.name), path.join(folder, name));
}

function stopOnFault<Result>(started: StartedHolder, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    started.abandon();
    throw error;
  }
}

/** Longer than anybody waits for the layer with a mask that is written already. */
const WAITING_MS = 60_000;

/** Nobody else has the layer mounted now: what lies there is of mounts that have ended, or of somebody who waits. */
function removeOldMasks(folder: string, own: string): void {
  for (const name of readdirSync(folder)) {
    const mask = path.join(folder, name);
    if (!name.startsWith(MASK) || name === own || statSync(mask).mtimeMs > Date.now() - WAITING_MS) continue;
    // At once: whoever chose it meanwhile finds it whole or not at all.
    const gone = path.join(folder, `gone-${randomId(8)}`);
    renameSync(mask, gone);
    removeTree(gone);
  }
}

/** Times of files come from a clock that stands still for so long at most. */
const CLOCK_STEP_MS = 10;

function changedSince(stats: BigIntStats | undefined, time: number): boolean {
  return stats !== undefined && stats.ctimeMs >= BigInt(time - CLOCK_STEP_MS);
}

/** Whether somebody took the project's file away after that time, while the run has written what was in it. */
function hasVanished({ project, tree, upper, launcher }: OverlayTrees, below: string, time: number): boolean {
  const folder = path.dirname(below) === '.' ? statsAt(project) : statsBelow(project, path.dirname(below));
  if (statsBelow(project, below) || !changedSince(folder, time)) return false;
  const [shown, written] = [tree, upper].map((root) => statsBelow(root, below));
  // What was renamed or linked goes on to show the inode of the project's file as long as that is there.
  if (!shown?.isFile() || !written || lowBits(shown.ino) !== lowBits(written.ino)) return false;
  return isCopiedUp(path.join(upper, below), launcher);
}

interface OverlayTrees {
  readonly project: string;
  readonly tree: string;
  readonly upper: string;
  readonly launcher: LauncherHost;
}

/** As root, a call is nobody, and yet the project is its own. */
function swapFor({ project }: LayerPlace): { uid: number; gid: number; user: number } {
  const { uid, gid } = statSync(project);
  return { uid, gid, user: newOwnUser() };
}
