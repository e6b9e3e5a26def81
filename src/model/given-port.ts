// A model that a program wrote against our port: what it throws, or gives in place of an answer, is told as its failure.
import { Fault } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { truncate, visible } from '../base/text.ts';
import type { Model } from './model.ts';

const EXCERPT = 300;
const COUNTS = ['inputTokens', 'outputTokens', 'cost'];

export function openGivenModel(given: Model): Model {
  return {
    name: given.name,
    ...(given.provider !== undefined && { provider: given.provider }),
    async decide(request) {
      const reply = await given.decide(request).catch((thrown: unknown) => {
        // What is thrown after a stop belongs to the stop.
        throw thrown instanceof Fault || request.signal?.aborted ? thrown : failed(given.name, thrown);
      });
      if (!isReply(reply)) throw noReply(given.name);
      return reply;
    },
  };
}

/** Of what no type checker has seen. */
function isReply(reply: unknown): boolean {
  if (!isRecord(reply) || typeof reply.text !== 'string') return false;
  const { usage } = reply;
  return isRecord(usage) && COUNTS.every((name) => Number.isFinite(usage[name]));
}

function failed(name: string, thrown: unknown): Fault {
  const said = truncate(visible(`${name}: ${causes(thrown).join(': ')}`), EXCERPT);
  return new Fault(
    'ExternalServiceError',
    { en: `the model failed: ${said}`, zh: `模型出错: ${said}` },
    {
      cause: thrown,
      hint: {
        en: 'Its `decide` threw this; the run can be resumed once the model answers.',
        zh: '这是其 `decide` 抛出的错误；模型恢复后可继续此次运行。',
      },
    },
  );
}

/** `fetch failed` says nothing without what lies behind it. */
function causes(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [String(thrown)];
  return [thrown.message || thrown.name, ...(thrown.cause instanceof Error ? causes(thrown.cause) : [])];
}

function noReply(name: string): Fault {
  const said = visible(name);
  return new Fault('ExternalServiceError', {
    en: `the model ${said} gave no { text, usage: { inputTokens, outputTokens, cost } }`,
    zh: `模型 ${said} 未返回 { text, usage: { inputTokens, outputTokens, cost } }`,
  });
}
