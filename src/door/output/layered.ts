// The results of a call in its layer: what it wrote below the output folder reaches the project without a question.
import path from 'node:path';
import { obeyedBy } from '../../base/guarded-path.ts';
import { isHiddenFile } from '../../base/hidden-files.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import { copyOut } from '../../process/copy-out.ts';
import { changeKind } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Door } from '../door.ts';
import type { StagedOutput } from './folder.ts';

export function outputInLayer(folder: string, layer: ProjectLayer, { places }: Pick<Door, 'places'>): StagedOutput {
  const below = path.relative(places.project, folder);
  const added = layer.addFolder(below);
  return {
    at: absolutePath(folder),
    rename: (said) => said,
    deliver(refusesName) {
      const only = writtenBelow(below, layer);
      if (only.length === 0) return { copied: [], refused: [] };
      const from = layer.content(below);
      return copyOut({ from, to: folder, root: places.project, only, ...(refusesName && { refusesName }) });
    },
    close: () => layer.removeEmpty(added),
  };
}

/** New and changed files, by their paths below the output folder; what other tools obey waits for its question. */
function writtenBelow(below: string, layer: ProjectLayer): string[] {
  const inside = layer.changes().changes.filter(({ path: changed }) => changed.startsWith(`${below}/`));
  const written = inside.filter((change) => changeKind(change) !== 'deleted' && change.after?.kind === 'file');
  const plain = written.filter(({ path: changed }) => !obeyedBy(changed) && !isHiddenFile(changed));
  return plain.map(({ path: changed }) => path.relative(below, changed));
}
