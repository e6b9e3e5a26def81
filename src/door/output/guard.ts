// Holds back results that other tools obey: what is written below the output folder is never a way around the question.
import path from 'node:path';
import { type Guarded, openGuard } from '../../base/guarded-path.ts';
import { isInside } from '../../base/paths.ts';
import { namesIfThere } from '../../base/read-file.ts';
import type { Door } from '../door.ts';

export interface Results {
  /** Where they go. */
  readonly folder: string;
  /** Where they lie until then. */
  readonly from: string;
}

/** Answers for paths below the output folder. Results of earlier calls count: two could each bring half a repository. */
export function guardResults(
  { folder, from }: Results,
  door: Pick<Door, 'places' | 'guarded'>,
): (path: string) => boolean {
  const { project } = door.places;
  const isInProject = isInside(project, folder);
  // Of a folder elsewhere only what lies in it counts.
  const above = isInProject ? path.relative(project, folder) : path.basename(folder);
  const guarded = isInProject ? withoutWhole(door.guarded()) : { places: [] };
  const guard = openGuard(guarded, (at) => {
    if (!isInside(`/${above}`, `/${at}`)) return [];
    const below = path.relative(above, at);
    return [from, folder].flatMap((root) => namesIfThere(path.join(root, below)));
  });
  return (below) => guard(path.join(above, below)) !== undefined;
}

/** Where the project as a whole is guarded, results still have their folder. */
function withoutWhole({ places }: Guarded): Guarded {
  return { places: places.filter((place) => place.path !== '') };
}
