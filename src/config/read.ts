// Both settings files as they were written, with what is wrong in them; apart from the settings, whose types are public.
import path from 'node:path';
import { type Diagnostic, diagnose } from '../base/diagnostic.ts';
import type { Text } from '../base/language.ts';
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
  const shown = visible(written);
  const mistake = diagnose({
    code: 'config-invalid',
    severity: 'error',
    path: userFile(home),
    ...user.positionOf?.(['output_folder']),
    message: {
      en: `output_folder may not be ${shown}: ${why.en}`,
      zh: `output_folder 不能是 ${shown}: ${why.zh}`,
    },
    fix: { en: 'name a folder for results alone', zh: '请指定仅用于结果的目录' },
  });
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
  const warnings = bad.map(({ key, why }) =>
    notUsed(`runtimes.${key}`, why, { path: userFile(places.home), ...user.positionOf?.(['runtimes', key]) }),
  );
  const kept = Object.entries(runtimes).filter(([key]) => !bad.some((one) => one.key === key));
  const settings = { ...user.settings, runtimes: Object.fromEntries(kept) };
  return { ...user, settings, diagnostics: [...user.diagnostics, ...warnings] };
}

export function notUsed(setting: string, why: Text, place: Pick<Diagnostic, 'path' | 'line' | 'column'>): Diagnostic {
  const message = { en: `${setting} is not used: ${why.en}`, zh: `${setting} 未采用: ${why.zh}` };
  return diagnose({ code: 'config-ignored', severity: 'warning', ...place, message });
}

function userFile(home: string): string {
  return path.join(home, '.agent', 'config.json');
}

export function projectFile(project: string): string {
  return path.join(project, '.agent', 'config.json');
}
