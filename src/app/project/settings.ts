// The settings that count here, each with the file it comes from.
import path from 'node:path';
import { effectsOf, settingsOf } from '../../config/effect.ts';
import { DEFAULTS } from '../../config/layer.ts';
import { readLayers } from '../../config/read.ts';
import type { Runtime } from '../runtime.ts';

export interface SettingsReport {
  readonly files: { readonly user: string; readonly project: string };
  /** Those that differ from the defaults, or would. */
  readonly settings: readonly ShownSetting[];
  /** Something of the project would count once it is trusted. */
  readonly awaitsTrust: boolean;
}

export interface ShownSetting {
  readonly setting: string;
  readonly value: unknown;
  readonly from: 'user' | 'project';
  /** False where the project is not trusted, or may not say it. */
  readonly counts: boolean;
}

export async function showSettings(runtime: Runtime): Promise<SettingsReport> {
  const { project, home } = runtime;
  const layers = await readLayers({ project, home });
  const isTrusted = runtime.isTrusted();
  const effects = effectsOf({ project, home }, layers);
  const awaitsTrust = !isTrusted && effects.some(({ counts }) => counts === 'when-trusted');
  const ofProject = effects.map(({ setting, value, counts }): ShownSetting => {
    return { setting, value, from: 'project', counts: counts === 'now' || (counts === 'when-trusted' && isTrusted) };
  });
  const overruled = new Set(ofProject.filter(({ counts }) => counts).map(({ setting }) => setting));
  const ofUser = settingsOf(layers.user.settings, DEFAULTS).map(({ setting, value }): ShownSetting => {
    return { setting, value, from: 'user', counts: !overruled.has(setting) };
  });
  const [user, own] = [home, project].map((folder) => path.join(folder, '.agent', 'config.json'));
  return { files: { user: user ?? '', project: own ?? '' }, settings: [...ofUser, ...ofProject], awaitsTrust };
}
