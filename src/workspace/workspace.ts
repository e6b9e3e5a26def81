// The project as the calls of one run see it: one layer for all of them, mounted when the first one needs it.
import { existsSync } from 'node:fs';
import { Fault } from '../base/errors.ts';
import { makeFolder, removeTree } from '../base/files.ts';
import type { LayerMounts } from '../process/sandbox/tier.ts';
import { isCopied, isOverlay } from './begun.ts';
import type { LayerPlace, ProjectLayer } from './layer.ts';
import { bothTurns, openTurns, type Turns } from './turns.ts';

export interface Workspace {
  /** The same for every call, until it is closed. */
  open(mounts: LayerMounts | undefined): Promise<ProjectLayer>;
  /** The layer, where calls of the run have made one; else its files are those of the project. */
  made(sandbox: () => Promise<{ readonly layers?: LayerMounts | undefined }>): Promise<ProjectLayer | undefined>;
  /** One call at a time works in the layer: waits until it is this one's turn. Throws a Fault where too many wait, or it is called off. */
  turn(signal?: AbortSignal): Promise<Disposable>;
  /** Whether calls of the run have made a layer, in this process or before. */
  isMade(): boolean;
  /** The layer, while it is open. */
  opened(): ProjectLayer | undefined;
  /** Nothing is mounted afterwards; what was written stays. */
  close(): Promise<void>;
}

/**
 * `place` is asked for when the first call needs it; `madeAt` is where an earlier part of the run may have left it;
 * `shared` are the places of all calls of this process, where it makes many.
 */
export function openWorkspace(
  place: () => LayerPlace,
  madeAt: () => LayerPlace | undefined = () => undefined,
  shared?: Turns,
): Workspace {
  let layer: Promise<ProjectLayer> | undefined;
  const turns = shared ? bothTurns(openTurns(), shared) : openTurns();
  let opened: ProjectLayer | undefined;
  const open = (mounts: LayerMounts | undefined) =>
    (layer ??= mount(place(), mounts).then((made) => {
      opened = made;
      return made;
    }));
  const isMade = () => layer !== undefined || existsSync(madeAt()?.folder ?? '');
  return {
    open,
    // Most runs only read, and need no sandbox for it.
    made: async (sandbox) => (isMade() ? await open((await sandbox()).layers) : undefined),
    turn: (signal) => turns.take(signal),
    isMade,
    opened: () => opened,
    async close() {
      const closing = layer;
      layer = undefined;
      opened = undefined;
      await (await closing)?.close();
    },
  };
}

/** An overlay wherever one can be had; a copy says why it is none. What a run has begun goes on in the same way. */
async function mount(place: LayerPlace, mounts: LayerMounts | undefined): Promise<ProjectLayer> {
  const { folder } = place;
  makeFolder(folder);
  if (isOverlay(folder)) return await overlay(place, mounts ?? refuseTier());
  if (place.bounds.alwaysCopy) return await copy(place, AS_SET);
  if (!mounts || isCopied(folder)) return await copy(place, NO_MOUNTS);
  try {
    return await overlay(place, mounts);
  } catch (error) {
    if (!(error instanceof Fault) || error.type !== 'WorkspaceUnavailable') throw error;
    removeTree(folder);
    makeFolder(folder);
    return await copy(place, error.message);
  }
}

// Loaded only for calls that have such a workspace.
async function overlay(place: LayerPlace, mounts: LayerMounts): Promise<ProjectLayer> {
  const { mountOverlay } = await import('./overlay.ts');
  return await mountOverlay(place, mounts);
}

async function copy(place: LayerPlace, why: string): Promise<ProjectLayer> {
  const { copyProject } = await import('./copy.ts');
  return copyProject(place, why);
}

const NO_MOUNTS = 'this tier mounts nothing';
const AS_SET = 'workspace.mechanism is copy';

/** Read as a copy, what the run has written would seem to be nothing at all. */
function refuseTier(): never {
  throw new Fault(
    'WorkspaceUnavailable',
    { en: `the layer of this run is an overlay, and ${NO_MOUNTS}`, zh: '该运行的层是 overlay，而当前沙箱级别无法挂载' },
    {
      hint: {
        en: '`skillwright doctor` says why the sandbox is a weaker one than before.',
        zh: '`skillwright doctor` 说明沙箱级别为何低于之前。',
      },
    },
  );
}
