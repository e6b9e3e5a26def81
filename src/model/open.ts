// From the settings to a model. The SDK is loaded only for a model that needs it.
import { Fault } from '../base/errors.ts';
import { isRecord, type Json } from '../base/json.ts';
import { readEndpoint } from './endpoint.ts';
import type { Model } from './model.ts';
import { type Pace, systemPace } from './retry.ts';
import { type ScriptedAnswer, scriptedModel } from './scripted.ts';
import type { ModelSettings } from './settings.ts';

interface OpenOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pace?: Pace;
}

export async function openModel(settings: ModelSettings, { env, pace = systemPace }: OpenOptions): Promise<Model> {
  if (settings.provider === 'mock') return mockModel(settings.params.answers);
  const endpoint = readEndpoint(settings, env);
  const { openSdkModel } = await import('./provider/ai-sdk.ts');
  return openSdkModel(endpoint, pace);
}

/** Says `params.answers` one by one; without them, that it has nothing to say. */
function mockModel(answers: Json | undefined): Model {
  if (answers === undefined)
    return scriptedModel([], { afterwards: { action: { type: 'final_answer', content: 'mock: no answers are set' } } });
  if (Array.isArray(answers) && answers.every(isAnswer)) return scriptedModel(answers);
  throw new Fault('ConfigInvalid', {
    en: 'model.params.answers is a list of decisions or texts',
    zh: 'model.params.answers 必须是决策或文本的列表',
  });
}

function isAnswer(answer: Json): answer is Extract<Json, ScriptedAnswer> {
  return typeof answer === 'string' || isRecord(answer);
}
