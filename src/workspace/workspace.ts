// The project as the calls of one run see it: one layer for all of them, mounted when the first one needs it.
import { Fault } from '../base/errors.ts';
import { makeFolder } from '../base/files.ts';
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

/** An overlay wherever one can be had; a copy says why it is none. */
async function mount(place: LayerPlace, mounts: LayerMounts | undefined): Promise<ProjectLayer> {
  // Loaded only for calls that have a workspace.
  const [{ copyProject }, { mountOverlay }] = await Promise.all([import('./copy.ts'), import('./overlay.ts')]);
  makeFolder(place.folder);
  if (!mounts) return copyProject(place, 'this tier mounts nothing');
  try {
    return await mountOverlay(place, mounts);
  } catch (error) {
    if (!(error instanceof Fault) || error.type !== 'WorkspaceUnavailable') throw error;
    return copyProject(place, error.message);
  }
}
