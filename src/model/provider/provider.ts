// What a provider of models is: one of this process, or a wire format of the AI SDK and what the settings may leave out.
import type { AnthropicProvider } from '@ai-sdk/anthropic';
import type { Json } from '../../base/json.ts';
import type { Model } from '../model.ts';
import type { ModelSettings } from '../settings.ts';

export type LanguageModel = ReturnType<AnthropicProvider['languageModel']>;
export type SdkOptions = Parameters<LanguageModel['doGenerate']>[0];
export type Connect = (send: typeof fetch) => LanguageModel;

/** Where a model is asked for. */
export interface Connection {
  readonly name: string;
  readonly baseUrl: string;
  readonly key?: string;
}

/** What a provider of this process is opened with. */
export interface LocalPlace {
  readonly settings: ModelSettings;
  /** Where files of the settings are looked for. */
  readonly folder: string;
  /** Answers an earlier part of the run has used up. */
  readonly answered: number;
  /** Our own model; made by whoever knows the skills. */
  readonly offline: () => Promise<Model>;
}

/** A provider that answers in this process. */
export interface LocalProvider {
  /** As the settings and `--model` name it. */
  readonly name: string;
  /** The one of `params` that names its file, which `--model name:FILE` sets; absent: it reads none. */
  readonly fileParam?: string;
  open(place: LocalPlace): Promise<Model>;
}

/** A provider that is asked over HTTP: a file of its own, listed in providers.ts. Nobody else knows it by name. */
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
  callSettings(params: Readonly<Record<string, Json>>): Partial<SdkOptions>;
}
