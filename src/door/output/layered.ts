// The results of a call in its layer: what it wrote below the output folder reaches the project without a question.
import path from 'node:path';
import { absolutePath } from '../../base/value/absolute-path.ts';
import { copyOut, REFUSED_LIMIT } from '../../process/copy-out.ts';
import { changeKind } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Door } from '../door.ts';
import type { StagedOutput } from './folder.ts';
import { guardResults } from './guard.ts';

type Guarding = Pick<Door, 'places' | 'guarded'>;

export function outputInLayer(folder: string, layer: ProjectLayer, door: Guarding): StagedOutput {
  const { places } = door;
  const below = path.relative(places.project, folder);
  const added = layer.addFolder(below);
  return {
    at: absolutePath(folder),
    rename: (said) => said,
    deliver(refusesName) {
      const { plain, held } = writtenBelow(folder, layer, door);
      const refused = held.slice(0, REFUSED_LIMIT).map((file) => ({ path: file, why: 'guarded' as const }));
      if (plain.length === 0) return { copied: [], refused };
      const order = { from: layer.content(below), to: folder, root: places.project, only: plain };
      const report = copyOut({ ...order, ...(refusesName && { refusesName }) });
      return { ...report, refused: [...refused, ...report.refused] };
    },
    close: () => layer.removeEmpty(added),
  };
}

/** New and changed files, by their paths below the output folder; what other tools obey waits for its question. */
function writtenBelow(folder: string, layer: ProjectLayer, door: Guarding): { plain: string[]; held: string[] } {
  const below = path.relative(door.places.project, folder);
  const inside = layer.changes().changes.filter(({ path: changed }) => changed.startsWith(`${below}/`));
  const written = inside.filter((change) => changeKind(change) !== 'deleted' && change.after?.kind === 'file');
  const names = written.map(({ path: changed }) => path.relative(below, changed));
  if (names.length === 0) return { plain: [], held: [] };
  const isGuarded = guardResults({ folder, from: layer.content(below) }, door);
  return { plain: names.filter((name) => !isGuarded(name)), held: names.filter(isGuarded) };
}
