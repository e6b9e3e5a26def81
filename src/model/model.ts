// The port to any model: one request, one text, what it cost. Everything else stays on the other side.
import type { Text } from '../base/language.ts';

/** A message of the conversation; the system message is always the first one. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What a model is asked in one turn: to answer with JSON that fits the schema. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  /** The JSON Schema the answer must satisfy. */
  readonly schema: unknown;
  readonly signal?: AbortSignal;
  /** Pieces of the answer as they arrive; for display only, nothing acts on them. */
  readonly onText?: (piece: string) => void;
  /** The request is about to be made again: what arrived so far is void. */
  readonly onRetry?: (retry: Retry) => void;
}

export interface Retry {
  /** Of the coming attempt; the first retry is attempt 2. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly reason: Text;
}

/** What an answer cost; the budget of a run counts it. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In US dollars, from input_price and output_price of the settings; 0 without them. */
  readonly cost: number;
}

/** What a model answered. Text that does not fit the schema is sent back once, with what is wrong with it. */
export interface ModelReply {
  readonly text: string;
  readonly usage: TokenUsage;
}

/**
 * The port to any model: an object of your own that decides in runs. What `decide` throws ends the run with an outcome
 * that says it, and the run can be resumed.
 * @example
 * const model: Model = {
 *   name: 'always-the-same',
 *   decide: async () => ({
 *     text: JSON.stringify({ action: { type: 'final_answer', content: 'Hello.' } }),
 *     usage: { inputTokens: 0, outputTokens: 0, cost: 0 },
 *   }),
 * };
 */
export interface Model {
  readonly name: string;
  /** Who offers it, as telemetry names them, where that is somebody else. */
  readonly provider?: string;
  decide(request: ModelRequest): Promise<ModelReply>;
}

export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, cost: 0 };
