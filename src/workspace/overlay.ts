// A layer as an overlay: the project below, what the run writes above it, and a mask over what is hidden.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../base/files.ts';
import { findHiddenFiles } from '../base/hidden-files.ts';
import { absolutePath } from '../base/value/absolute-path.ts';
import { holdLayer } from '../process/sandbox/linux/holder.ts';
import { newOwnUser } from '../process/sandbox/linux/identity.ts';
import type { LayerMounts } from '../process/sandbox/tier.ts';
import { statsAt } from './entry.ts';
import { type LayerPlace, layerOf, type ProjectLayer } from './layer.ts';
import { hiddenPaths, likeIn, planMask, withTargets, writeMask } from './mask.ts';

const PARTS = ['mask', 'masked', 'lower', 'held', 'merged', 'disk/upper', 'disk/work'];

/** Whether one was mounted in the folder of a layer before. */
export function isOverlay(folder: string): boolean {
  return existsSync(upperOf(folder));
}

function upperOf(folder: string): string {
  return path.join(folder, 'disk', 'upper');
}

/** Throws a Fault where this machine, or the disk the project is on, has no such mounts. */
export async function mountOverlay(place: LayerPlace, { ownUsers, ...launcher }: LayerMounts): Promise<ProjectLayer> {
  const { folder, project } = place;
  const found = withTargets(project, findHiddenFiles(project));
  const mask = planMask(project, found, place.own);
  const upper = upperOf(folder);
  const prepare = () => {
    for (const part of PARTS) makeFolder(path.join(folder, part));
    writeMask(path.join(folder, 'mask'), project, mask);
    likeIn(upper, project, '');
  };
  const swap = ownUsers ? swapFor(place) : undefined;
  const { absent, closed } = mask;
  const options = { ...launcher, layer: folder, project, absent, closed, prepare };
  const holder = await holdLayer({ ...options, ...(swap && { swap }) });
  const merged = absolutePath(path.join(folder, 'merged'));
  const hidden = hiddenPaths(mask);
  return layerOf({
    folder,
    mechanism: { kind: 'overlay' },
    shown: { from: merged, holder },
    hidden: [...found, ...place.own],
    trees: {
      project,
      tree: `/proc/${holder.pid}/root${merged}`,
      upper,
      redirects: swap !== undefined,
      isHidden: (below) => hidden.has(below),
    },
    user: swap?.user,
    changedSince: (below, time) => changedSince(path.join(project, below), time),
    close: () => holder.close(),
  });
}

/** Times of files come from a clock that stands still for so long at most. */
const CLOCK_STEP_MS = 10;

function changedSince(file: string, time: number): boolean {
  const stats = statsAt(file);
  return stats !== undefined && stats.ctimeMs >= BigInt(time - CLOCK_STEP_MS);
}

/** As root, a call is nobody, and yet the project is its own. */
function swapFor({ project }: LayerPlace): { uid: number; gid: number; user: number } {
  const { uid, gid } = statSync(project);
  return { uid, gid, user: newOwnUser() };
}
