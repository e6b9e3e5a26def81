// A model that says what its script says: for tests and evals, without a network.
import { Fault } from '../base/errors.ts';
import { type Model, type ModelReply, type ModelRequest, NO_USAGE, type TokenUsage } from './model.ts';

/** A decision as an object, or the raw text a model would write. */
export type ScriptedAnswer = string | Readonly<Record<string, unknown>>;

export interface ScriptOptions {
  /** How many characters a streamed piece has. */
  readonly pieceLength?: number;
  readonly usage?: TokenUsage;
  /** What to say when the script has ended; without it that is an error. */
  readonly afterwards?: ScriptedAnswer;
}

export function scriptedModel(answers: readonly ScriptedAnswer[], options: ScriptOptions = {}): Model {
  let turn = 0;
  return {
    name: 'mock',
    async decide(request: ModelRequest): Promise<ModelReply> {
      request.signal?.throwIfAborted();
      const answer = answers[turn] ?? options.afterwards;
      turn++;
      if (answer === undefined) throw scriptEnded(answers.length);
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      stream(text, options.pieceLength ?? 16, request.onText);
      return { text, usage: options.usage ?? NO_USAGE };
    },
  };
}

function stream(text: string, length: number, onText: ((piece: string) => void) | undefined): void {
  if (!onText) return;
  for (let at = 0; at < text.length; at += length) onText(text.slice(at, at + length));
}

function scriptEnded(length: number): Fault {
  return new Fault('ExternalServiceError', {
    en: `the scripted model has ${length} answers and was asked for one more`,
    zh: `脚本模型只有 ${length} 条回答`,
  });
}
