// The port to any model: one request, one text, what it cost. Everything else stays on the other side.
import type { Text } from '../base/language.ts';

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

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

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In US dollars, from input_price and output_price of the settings; 0 without them. */
  readonly cost: number;
}

export interface ModelReply {
  readonly text: string;
  readonly usage: TokenUsage;
}

export interface Model {
  readonly name: string;
  /** Who offers it, as telemetry names them, where that is somebody else. */
  readonly provider?: string;
  decide(request: ModelRequest): Promise<ModelReply>;
}

export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, cost: 0 };
