// Every provider of models there is: one file each, and an entry here.
import { anthropic } from './anthropic.ts';
import { mock } from './mock.ts';
import { offline } from './offline.ts';
import { openaiCompatible } from './openai-compatible.ts';
import type { LocalProvider, RemoteProvider } from './provider.ts';
import { recorded } from './recorded.ts';

export const LOCAL_PROVIDERS: readonly LocalProvider[] = [offline, mock, recorded];

export const REMOTE_PROVIDERS: readonly RemoteProvider[] = [anthropic, openaiCompatible];

/** As the settings and `--model` name them. */
export const PROVIDER_NAMES: readonly string[] = [...LOCAL_PROVIDERS, ...REMOTE_PROVIDERS].map(({ name }) => name);
