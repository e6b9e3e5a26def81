// What a provider of models is: a wire format of the AI SDK, and what the settings may leave out for it.
import type { AnthropicProvider } from '@ai-sdk/anthropic';
import type { Json } from '../../base/json.ts';

export type LanguageModel = ReturnType<AnthropicProvider['languageModel']>;
export type CallOptions = Parameters<LanguageModel['doGenerate']>[0];
export type Connect = (send: typeof fetch) => LanguageModel;

/** Where a model is asked for. */
export interface Connection {
  readonly name: string;
  readonly baseUrl: string;
  readonly key?: string;
}

/** One provider: a file of its own, listed in providers.ts. Nobody else knows it by name. */
export interface RemoteProvider {
  /** As the settings and `--model` name it. */
  readonly name: string;
  /** As the conventions of OpenTelemetry name it. */
  readonly telemetryName: string;
  /** The address unless the settings name one, or what they have to name. */
  readonly address: { readonly url: string } | { readonly missing: string };
  /** The variable that holds the key unless the settings name one; without it no key is sent. */
  readonly keyEnv?: string;
  /** A server in this format may have no tools: JSON text is asked of it then. */
  readonly mayLackTools: boolean;
  /** Loads the SDK. Everything is passed in: it would otherwise read addresses and keys from the environment. */
  open(connection: Connection): Promise<Connect>;
  /** The `params` of the settings in the terms of the SDK. Throws a Fault that names one it cannot hand over. */
  callSettings(params: Readonly<Record<string, Json>>): Partial<CallOptions>;
}
