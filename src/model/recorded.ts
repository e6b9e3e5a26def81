// A model that repeats what another one once said to the same request. An unknown request is an error, never a live call.
import { Fault } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import type { Model, ModelReply, ModelRequest } from './model.ts';

export interface Recording {
  readonly request: string;
  readonly reply: ModelReply;
}

/** The same messages and schema give the same key, whatever the order of fields. */
export function requestKey({ messages, schema }: ModelRequest): string {
  return sha256(canonicalJson({ messages, schema }));
}

export function recordedModel(recordings: readonly Recording[]): Model {
  const waiting = Map.groupBy(recordings, ({ request }) => request);
  return {
    name: 'recorded',
    async decide(request) {
      const key = requestKey(request);
      const next = waiting.get(key)?.shift();
      if (!next) throw neverRecorded(key);
      request.onText?.(next.reply.text);
      return next.reply;
    },
  };
}

/** Hands every exchange on, so that it can be repeated later. */
export function recordingModel(model: Model, keep: (recording: Recording) => void): Model {
  return {
    ...model,
    async decide(request) {
      const reply = await model.decide(request);
      keep({ request: requestKey(request), reply });
      return reply;
    },
  };
}

function neverRecorded(key: string): Fault {
  return new Fault('ExternalServiceError', {
    en: `no recorded answer for this request (${key.slice(0, 12)}); record it again`,
    zh: `没有此请求的录制回答 (${key.slice(0, 12)})`,
  });
}
