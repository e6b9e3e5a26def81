// What the settings of a project change here, and on what that depends: for whoever is asked to trust it.
import { isRecord } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import type { ConfigFile } from './file.ts';
import { DEFAULTS, guardProject, overlay } from './layer.ts';
import { readLayers } from './read.ts';
import type { ConfigPlaces } from './value.ts';

export interface ProjectEffect {
  /** As `section.key`. */
  readonly setting: string;
  /** What it comes to, together with what holds anyway; as written where it is never used. */
  readonly value: unknown;
  /** What holds without it. */
  readonly instead: unknown;
  /** `now`: trusted or not, because it only tightens. `never`: it is the user's own to say. */
  readonly counts: 'now' | 'when-trusted' | 'never';
  readonly why?: Text;
}

/** Section by section. Nothing where a file cannot be read: then nothing of it counts. */
export async function projectEffects(places: ConfigPlaces): Promise<ProjectEffect[]> {
  return effectsOf(places, await readLayers(places));
}

/** The same for files that were read already. */
export function effectsOf({ project, home }: ConfigPlaces, { user, own }: Layers): ProjectEffect[] {
  if ([...user.diagnostics, ...own.diagnostics].some(({ severity }) => severity === 'error')) return [];
  const current = overlay(DEFAULTS, user.settings);
  const guardedWhen = (trusted: boolean) => {
    const isTrusted = () => trusted;
    const { settings, ignored } = guardProject({ project, home, isTrusted, current, asked: own.settings });
    return { settings, ignored: new Map(ignored.map(({ path, reason }) => [path.join('.'), reason])) };
  };
  const [untrusted, trusted] = [guardedWhen(false).ignored, guardedWhen(true)];
  const held = new Map(settingsOf(trusted.settings, current).map((one) => [one.setting, one]));
  const effects = settingsOf(own.settings, current).flatMap((written) => {
    return trusted.ignored.has(written.setting) ? written : (held.get(written.setting) ?? []);
  });
  return effects.map(({ setting, ...rest }) => {
    const why = trusted.ignored.get(setting);
    if (why !== undefined) return { setting, ...rest, counts: 'never', why };
    return { setting, ...rest, counts: untrusted.has(setting) ? 'when-trusted' : 'now' };
  });
}

interface Layers {
  readonly user: ConfigFile;
  readonly own: ConfigFile;
}

export type Setting = Pick<ProjectEffect, 'setting' | 'value' | 'instead'>;

/** Those that differ from what holds anyway. */
export function settingsOf(asked: object, current: object): Setting[] {
  const all = Object.entries(asked).flatMap(([key, value]): Setting[] => {
    const below: unknown = Reflect.get(current, key);
    if (key === '$schema') return [];
    if (!isRecord(value)) return [{ setting: key, value, instead: below }];
    return Object.entries(value).map(([inner, one]) => {
      return { setting: `${key}.${inner}`, value: one, instead: isRecord(below) ? below[inner] : undefined };
    });
  });
  return all.filter(({ value, instead }) => JSON.stringify(value) !== JSON.stringify(instead));
}
