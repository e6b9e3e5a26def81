// Which model decides: as the settings say, or as named on the command line (`mock:case.json`, `anthropic:name`).
import path from 'node:path';
import type { Model } from './model.ts';
import type { LocalPlace, LocalProvider } from './provider/provider.ts';
import { LOCAL_PROVIDERS } from './provider/providers.ts';
import type { ModelSettings } from './settings.ts';

export interface ModelPlace extends LocalPlace {
  /** `provider` or `provider:rest`. */
  readonly written: string;
  readonly remote: (settings: ModelSettings) => Promise<Model>;
}

export async function chooseModel(place: ModelPlace): Promise<Model> {
  const settings = settingsOf(place);
  const { folder, answered, offline, remote } = place;
  const local = findLocal(settings.provider);
  return local ? await local.open({ settings, folder, answered, offline }) : await remote(settings);
}

/** The name that opens the same model again, wherever it is said. */
export function nameModel(written: string, cwd: string): string {
  const { provider, rest } = split(written);
  if (rest === undefined || findLocal(provider)?.fileParam === undefined) return written;
  return `${provider}:${path.resolve(cwd, rest)}`;
}

/** Whether it answers in this process, with all it needs named. */
export function isLocalModel(written: string): boolean {
  const { provider, rest } = split(written);
  const local = findLocal(provider);
  return local !== undefined && (rest !== undefined) === (local.fileParam !== undefined);
}

function settingsOf({ settings, written }: ModelPlace): ModelSettings {
  const { provider, rest } = split(written);
  if (rest === undefined) return { ...settings, provider };
  const fileParam = findLocal(provider)?.fileParam;
  if (fileParam === undefined) return { ...settings, provider, name: rest };
  return { ...settings, provider, params: { ...settings.params, [fileParam]: rest } };
}

function findLocal(provider: string): LocalProvider | undefined {
  return LOCAL_PROVIDERS.find(({ name }) => name === provider);
}

function split(written: string): { provider: string; rest?: string } {
  const at = written.indexOf(':');
  return at === -1 ? { provider: written } : { provider: written.slice(0, at), rest: written.slice(at + 1) };
}
