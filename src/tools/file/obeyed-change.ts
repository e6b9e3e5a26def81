// Which of the files that a tool would change other tools obey: for the question that only a person answers.
import path from 'node:path';
import { type Guarded, type Obeyed, openGuard } from '../../base/guarded-path.ts';
import { isInside, realPath } from '../../base/paths.ts';
import { namesIfThere } from '../../base/read-file.ts';
import { refusalOf, rootOf, type World, whereItLeads } from './path-guard.ts';

/** By its own name and by where its links lead. Undefined for what the guard refuses anyway: nobody is asked about it. */
export function obeyedIfChanged(world: World, given: string, guarded: Guarded): Obeyed | undefined {
  if (refusalOf(world, given, true)) return undefined;
  const project = realPath(world.project) ?? world.project;
  const named = path.resolve(world.project, given);
  const inFolder = path.join(whereItLeads(world, path.dirname(named)), path.basename(named));
  const guard = openGuard(guarded, (folder) => namesIfThere(path.join(rootOf(world), folder)));
  for (const file of new Set([inFolder, whereItLeads(world, named)])) {
    const by = isInside(project, file) ? guard(path.relative(project, file)) : obeyedElsewhere(world, file);
    if (by) return by;
  }
  return undefined;
}

/** In an output folder of the user's own choice only what lies in it counts. */
function obeyedElsewhere({ outputFolder }: World, file: string): Obeyed | undefined {
  const root = realPath(outputFolder) ?? outputFolder;
  if (!isInside(root, file)) return undefined;
  const above = path.basename(root);
  const guard = openGuard({ places: [] }, (folder) =>
    folder === '' ? [] : namesIfThere(path.join(root, path.relative(above, folder))),
  );
  return guard(path.join(above, path.relative(root, file)));
}
