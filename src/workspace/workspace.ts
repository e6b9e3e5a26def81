// The project as the calls of one run see it: one layer for all of them, mounted when the first one needs it.
import { Fault } from '../base/errors.ts';
import { makeFolder, removeTree } from '../base/files.ts';
import type { LayerMounts } from '../process/sandbox/tier.ts';
import type { LayerPlace, ProjectLayer } from './layer.ts';

export interface Workspace {
  /** The same for every call, until it is closed. */
  open(mounts: LayerMounts | undefined): Promise<ProjectLayer>;
  /** Whether a call has used it. */
  isOpen(): boolean;
  /** Nothing is mounted afterwards; what was written stays. */
  close(): Promise<void>;
}

/** `place` is asked for when the first call needs it. */
export function openWorkspace(place: () => LayerPlace): Workspace {
  let layer: Promise<ProjectLayer> | undefined;
  return {
    open: (mounts) => (layer ??= mount(place(), mounts)),
    isOpen: () => layer !== undefined,
    async close() {
      const opened = layer;
      layer = undefined;
      await (await opened)?.close();
    },
  };
}

/** An overlay wherever one can be had; a copy says why it is none. What a run has begun goes on in the same way. */
async function mount(place: LayerPlace, mounts: LayerMounts | undefined): Promise<ProjectLayer> {
  // Loaded only for calls that have a workspace.
  const [{ copyProject, isCopied }, { mountOverlay, isOverlay }] = await Promise.all([
    import('./copy.ts'),
    import('./overlay.ts'),
  ]);
  const { folder } = place;
  makeFolder(folder);
  if (isOverlay(folder)) return await mountOverlay(place, mounts ?? refuseTier());
  if (!mounts || isCopied(folder)) return copyProject(place, NO_MOUNTS);
  try {
    return await mountOverlay(place, mounts);
  } catch (error) {
    if (!(error instanceof Fault) || error.type !== 'WorkspaceUnavailable') throw error;
    removeTree(folder);
    makeFolder(folder);
    return copyProject(place, error.message);
  }
}

const NO_MOUNTS = 'this tier mounts nothing';

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
