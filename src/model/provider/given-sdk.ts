// A model of the AI SDK that a program made itself: its address and key are its own, retries and limits stay ours.
import { Fault } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { truncate, visible } from '../../base/text.ts';
import { askPlain, askStreamed, callOptions, type ModelAnswer } from '../ask.ts';
import type { Mode } from '../endpoint.ts';
import { refused, ServiceFailure } from '../failure.ts';
import type { SdkModel } from '../given.ts';
import type { Model, ModelRequest } from '../model.ts';
import { type Pace, systemPace, withRetries } from '../retry.ts';
import type { ModelSettings } from '../settings.ts';
import { priced, refusesTools } from './ai-sdk.ts';
import type { LanguageModel } from './provider.ts';

/** Versions of the interface whose counts and ends are read as we read them. */
const VERSIONS = ['v3', 'v4'];
const LONGEST_MS = 2 ** 31 - 1;
const EXCERPT = 300;

type Limits = Pick<ModelSettings, 'timeoutSeconds' | 'retries' | 'inputPrice' | 'outputPrice'>;

/** Throws a Fault for a model of an older AI SDK. */
export function openGivenSdkModel(given: SdkModel, settings: Limits, pace: Pace = systemPace): Model {
  if (!isLanguageModel(given)) throw tooOld(given);
  const price = { input: settings.inputPrice ?? 0, output: settings.outputPrice ?? 0 };
  const limits = { retries: settings.retries, totalMs: Math.min(settings.timeoutSeconds * 1000, LONGEST_MS) };
  let mode: Mode = 'tool';
  const attempt = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    try {
      return await ask(given, mode, request, signal);
    } catch (thrown) {
      if (mode === 'json' || !refusesTools(thrown)) throw thrown;
      const answer = await ask(given, 'json', request, signal);
      mode = 'json';
      return answer;
    }
  };
  return {
    name: given.modelId,
    provider: given.provider,
    async decide(request) {
      const { signal, onRetry } = request;
      const answer = await withRetries((limited) => attempt(request, limited), { ...limits, pace, signal, onRetry });
      return { text: answer.text, usage: priced(answer, request, { price }) };
    },
  };
}

function isLanguageModel(model: SdkModel | LanguageModel): model is LanguageModel {
  return VERSIONS.includes(model.specificationVersion);
}

async function ask(model: LanguageModel, mode: Mode, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
  const { onText } = request;
  const options = callOptions({}, request, mode, signal);
  try {
    if (!onText) return await askPlain(model, options);
    return await askStreamed(model, options, { mode, show: onText, hide: (text) => text });
  } catch (thrown) {
    throw toFailure(thrown);
  }
}

/** As the SDK describes what went wrong; anything else is the model's own failure, and is not tried again. */
function toFailure(thrown: unknown): unknown {
  if (thrown instanceof ServiceFailure || thrown instanceof Fault || !isThrown(thrown)) return thrown;
  const { statusCode, responseBody, isRetryable, message } = thrown;
  const body = typeof responseBody === 'string' ? responseBody : '';
  if (typeof statusCode === 'number' && statusCode >= 400) return refused(statusCode, body);
  const said = truncate(visible(String(message)), EXCERPT);
  return new ServiceFailure(
    { en: `the model failed: ${said}`, zh: `模型出错: ${said}` },
    { retryable: isRetryable === true },
  );
}

function isThrown(thrown: unknown): thrown is Record<string, unknown> {
  return thrown instanceof Error || isRecord(thrown);
}

function tooOld({ specificationVersion }: SdkModel): Fault {
  const found = visible(String(specificationVersion));
  return new Fault(
    'ConfigInvalid',
    {
      en: `this model speaks version ${found} of the AI SDK's interface; ${VERSIONS.join(' and ')} are understood`,
      zh: `此模型使用 AI SDK 接口版本 ${found}；可用 ${VERSIONS.join(' 与 ')}`,
    },
    { hint: { en: 'Use a provider for AI SDK 6 or newer.', zh: '请使用 AI SDK 6 或更新版本的提供方。' } },
  );
}
