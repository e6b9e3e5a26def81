// Both settings files as they were written, with what is wrong in them; apart from the settings, whose types are public.
import path from 'node:path';
import type { Diagnostic } from '../base/diagnostic.ts';
import { expandHome, realPath } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import { type ConfigFile, readConfigFile } from './file.ts';
import { whyNoResults } from './output.ts';
import { whyNoUserRuntime } from './runtime.ts';
import type { ConfigPlaces } from './value.ts';

export async function readLayers(places: ConfigPlaces): Promise<{ user: ConfigFile; own: ConfigFile }> {
  const user = checkOutputFolder(await readConfigFile(userFile(places.home)), places);
  return { user: withoutBadRuntimes(user, places), own: await readProjectFile(places) };
}

/** In the home folder itself there is no project: the file there is the user's own. */
function readProjectFile({ project, home }: ConfigPlaces): Promise<ConfigFile> {
  if (realPath(project) === realPath(home)) return Promise.resolve({ settings: {}, diagnostics: [] });
  return readConfigFile(projectFile(project), project);
}

/** A mistake like any other, and of the user's own settings too: what a skill writes there would be obeyed. */
function checkOutputFolder(user: ConfigFile, { project, home }: ConfigPlaces): ConfigFile {
  const { output_folder: written, skill_roots: skillRoots = [] } = user.settings;
  if (written === undefined) return user;
  const why = whyNoResults(path.resolve(project, expandHome(written, home)), { project, home, skillRoots });
  if (why === undefined) return user;
  const mistake: Diagnostic = {
    code: 'config-invalid',
    severity: 'error',
    path: userFile(home),
    ...user.positionOf?.(['output_folder']),
    message: `output_folder may not be ${visible(written)}: ${why}`,
    fix: 'name a folder for results alone',
  };
  return { ...user, diagnostics: [...user.diagnostics, mistake] };
}

/** Left out with a warning: a clone that turns a relative path into a link must not lock the user's other settings. */
function withoutBadRuntimes(user: ConfigFile, places: ConfigPlaces): ConfigFile {
  const { runtimes = {} } = user.settings;
  const bad = Object.entries(runtimes).flatMap(([key, written]) => {
    const why = written === undefined ? undefined : whyNoUserRuntime(written, places);
    return why === undefined ? [] : [{ key, why }];
  });
  if (bad.length === 0) return user;
  const warnings = bad.map(({ key, why }): Diagnostic => {
    const at = { path: userFile(places.home), ...user.positionOf?.(['runtimes', key]) };
    return { code: 'config-ignored', severity: 'warning', ...at, message: `runtimes.${key} is not used: ${why}` };
  });
  const kept = Object.entries(runtimes).filter(([key]) => !bad.some((one) => one.key === key));
  const settings = { ...user.settings, runtimes: Object.fromEntries(kept) };
  return { ...user, settings, diagnostics: [...user.diagnostics, ...warnings] };
}

function userFile(home: string): string {
  return path.join(home, '.agent', 'config.json');
}

export function projectFile(project: string): string {
  return path.join(project, '.agent', 'config.json');
}
