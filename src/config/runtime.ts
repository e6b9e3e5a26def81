// Which folder scripts may be shown as a runtime: never one that holds home, own state or secrets, wherever links lead.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { isHiddenFile } from '../base/hidden-files.ts';
import type { Text } from '../base/language.ts';
import { expandHome, foldPath, isInside, isInsideFolded, realTarget } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import { HOLDS_HOME, liesIn, NOT_INSIDE, OBEYED, stepsOf } from './output.ts';

export interface RuntimePlaces {
  readonly project: string;
  readonly home: string;
}

/** Why nobody's settings may show that folder to scripts; undefined where they may. */
export function whyNoRuntime(folder: string, places: RuntimePlaces): Text | undefined {
  const { project, home } = places;
  const real = { project: realTarget(project), home: realTarget(home) };
  const at = realTarget(folder);
  // A clone chooses what its own names lead to.
  if (isInsideFolded(project, folder) && !isBelow(real.project, at)) return NOT_INSIDE;
  return whyPrivate(folder, places) ?? whyPrivate(at, real);
}

/** A project's own settings, and a relative path in anybody's, name a folder of the project. */
export function whyNoProjectRuntime(folder: string, places: RuntimePlaces): Text | undefined {
  return isBelow(places.project, folder) ? whyNoRuntime(folder, places) : NOT_INSIDE;
}

/** The same for a path as the user's own settings spell it. */
export function whyNoUserRuntime(written: string, places: RuntimePlaces): Text | undefined {
  const expanded = expandHome(written, places.home);
  const folder = path.resolve(places.project, expanded);
  return path.isAbsolute(expanded) ? whyNoRuntime(folder, places) : whyNoProjectRuntime(folder, places);
}

/** Judged again for every call: a link may lead elsewhere than when the settings were read. Throws a Fault then. */
export function requireRuntimes(folders: readonly string[], places: RuntimePlaces): readonly string[] {
  for (const folder of folders) {
    const why = whyNoRuntime(folder, places);
    if (why === undefined) continue;
    const shown = `${visible(folder)} (runtimes)`;
    throw new Fault('PathBlocked', { en: `${shown}: ${why.en}`, zh: `${shown}: ${why.zh}` });
  }
  return folders;
}

function isBelow(project: string, folder: string): boolean {
  return folder !== project && isInside(project, folder);
}

function whyPrivate(folder: string, { project, home }: RuntimePlaces): Text | undefined {
  if (isInsideFolded(folder, home)) return HOLDS_HOME;
  const steps = stepsOf(folder, project, home);
  const obeyed = steps.find((step) => OBEYED.includes(step));
  if (obeyed !== undefined) return liesIn(obeyed);
  if (isHiddenFile(steps.join('/'))) return { en: 'secrets are kept there', zh: '该处存放机密' };
  const isOfProject = isInsideFolded(project, folder) && !isInsideFolded(project, home);
  const [first = ''] = path.relative(foldPath(home), foldPath(folder)).split(path.sep);
  const isDotFolder = first !== '..' && first.startsWith('.');
  return isDotFolder && !isOfProject && !isPackageFolder(folder) ? liesIn(first) : undefined;
}

/** Some tools keep environments in folders of home that begin with a dot; these are told from their neighbours. */
function isPackageFolder(folder: string): boolean {
  return path.basename(folder) === 'node_modules' || existsSync(path.join(folder, 'pyvenv.cfg'));
}
