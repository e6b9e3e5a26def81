// Opens a model behind a network, as the settings say. The SDK is loaded only for one of those.
import { readEndpoint } from './endpoint.ts';
import type { Model } from './model.ts';
import { type Pace, systemPace } from './retry.ts';
import type { ModelSettings } from './settings.ts';

interface OpenOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pace?: Pace;
}

export async function openModel(settings: ModelSettings, { env, pace = systemPace }: OpenOptions): Promise<Model> {
  const endpoint = readEndpoint(settings, env);
  const { openSdkModel } = await import('./provider/ai-sdk.ts');
  return openSdkModel(endpoint, pace);
}
