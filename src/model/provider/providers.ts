// Every provider of models there is. One that is asked over HTTP is one file, and an entry here.
import { anthropic } from './anthropic.ts';
import { openaiCompatible } from './openai-compatible.ts';
import type { RemoteProvider } from './provider.ts';

export const REMOTE_PROVIDERS: readonly RemoteProvider[] = [anthropic, openaiCompatible];

/** As the settings and `--model` name them; the first ones are asked in this process. */
export const PROVIDER_NAMES: readonly string[] = [
  ...['offline', 'mock', 'recorded'],
  ...REMOTE_PROVIDERS.map(({ name }) => name),
];
