// Which model decides: as the settings say, or as named on the command line (`mock:case.json`, `anthropic:name`).
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { isRecord, type Json, parseJson } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { visible } from '../base/text.ts';
import type { Model } from './model.ts';
import { type Recording, recordedModel } from './recorded.ts';
import { type ScriptedAnswer, scriptedModel } from './scripted.ts';
import type { ModelSettings } from './settings.ts';

export interface ModelPlace {
  readonly settings: ModelSettings;
  /** `provider` or `provider:rest`. */
  readonly written: string;
  /** Where files of the settings are looked for. */
  readonly folder: string;
  /** Answers an earlier part of the run has used up. */
  readonly answered: number;
  readonly offline: () => Promise<Model>;
  readonly remote: (settings: ModelSettings) => Promise<Model>;
}

export async function chooseModel(place: ModelPlace): Promise<Model> {
  const settings = settingsOf(place);
  switch (settings.provider) {
    case 'offline':
      return await place.offline();
    case 'mock':
      return openScript(settings, place) ?? (await place.remote(settings));
    case 'recorded':
      return recordedModel(readRecordings(fileOf(settings, 'recording', place)).slice(place.answered));
    default:
      return await place.remote(settings);
  }
}

/** The name that opens the same model again, wherever it is said. */
export function nameModel(written: string, cwd: string): string {
  const { provider, rest } = split(written);
  if (rest === undefined || !hasFile(provider)) return written;
  return `${provider}:${path.resolve(cwd, rest)}`;
}

function settingsOf({ settings, written }: ModelPlace): ModelSettings {
  const { provider, rest } = split(written);
  if (rest === undefined) return { ...settings, provider };
  if (!hasFile(provider)) return { ...settings, provider, name: rest };
  return {
    ...settings,
    provider,
    params: { ...settings.params, [provider === 'mock' ? 'script' : 'recording']: rest },
  };
}

function split(written: string): { provider: string; rest?: string } {
  const at = written.indexOf(':');
  return at === -1 ? { provider: written } : { provider: written.slice(0, at), rest: written.slice(at + 1) };
}

function hasFile(provider: string): boolean {
  return provider === 'mock' || provider === 'recorded';
}

/** A case file: a list of decisions, or an object that holds one as `answers`. */
function openScript({ params }: ModelSettings, { folder, answered }: ModelPlace): Model | undefined {
  const { script } = params;
  if (typeof script !== 'string') return undefined;
  const value = readJsonFile(path.resolve(folder, script));
  const answers: unknown = isRecord(value) ? (value.answers ?? value.decisions) : value;
  const afterwards = isRecord(value) && isAnswer(value.afterwards) ? { afterwards: value.afterwards } : {};
  if (!Array.isArray(answers) || !answers.every(isAnswer)) throw notACase(script);
  return scriptedModel(answers.slice(answered), afterwards);
}

function isAnswer(value: unknown): value is ScriptedAnswer {
  return typeof value === 'string' || isRecord(value);
}

export function readRecordings(file: string): Recording[] {
  const value = readJsonFile(file);
  const isRecording = (one: Json) => isRecord(one) && typeof one.request === 'string' && isRecord(one.reply);
  if (!Array.isArray(value) || !value.every(isRecording)) throw notACase(file);
  return value as unknown as Recording[];
}

function fileOf({ params }: ModelSettings, name: string, { folder }: ModelPlace): string {
  const file = params[name];
  if (typeof file === 'string') return path.resolve(folder, file);
  throw new Fault('ConfigInvalid', { en: `model.params.${name} names no file`, zh: `model.params.${name} 未指定文件` });
}

function readJsonFile(file: string): Json {
  const text = readTextIfThere(file);
  if (text === undefined) throw new Fault('DataNotFound', visible(file));
  try {
    return parseJson(text);
  } catch (error) {
    throw new Fault('InvalidJson', visible(file), { cause: error });
  }
}

function notACase(file: string): Fault {
  const shown = visible(file);
  return new Fault('ConfigInvalid', {
    en: `${shown} holds no list of answers`,
    zh: `${shown} 不是回答列表`,
  });
}
