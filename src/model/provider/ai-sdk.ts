// Models behind an HTTP server, through the providers of the AI SDK; retries, limits and validation stay ours.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { askPlain, askStreamed, callOptions, type ModelAnswer } from '../ask.ts';
import { type Endpoint, type Mode, wireLimits } from '../endpoint.ts';
import { notAnAnswer, refused, ServiceFailure } from '../failure.ts';
import type { Model, ModelReply, ModelRequest, TokenUsage } from '../model.ts';
import { type Pace, withRetries } from '../retry.ts';
import { openWire } from '../wire.ts';
import type { Connect } from './provider.ts';

interface Line {
  readonly endpoint: Endpoint;
  readonly connect: Connect;
  readonly pace: Pace;
}

export async function openSdkModel(endpoint: Endpoint, pace: Pace): Promise<Model> {
  const line = { endpoint, connect: await endpoint.provider.open(endpoint), pace };
  let { mode } = endpoint;
  const attempt = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    try {
      return await ask(line, mode, request, signal);
    } catch (thrown) {
      if (mode === 'json' || !endpoint.mayFallBack || !refusesTools(thrown)) throw thrown;
      const answer = await ask(line, 'json', request, signal);
      mode = 'json';
      return answer;
    }
  };
  return {
    name: endpoint.name,
    provider: endpoint.provider.telemetryName,
    async decide(request): Promise<ModelReply> {
      const { signal, onRetry } = request;
      const options = { ...endpoint.limits, pace, signal, onRetry };
      const answer = await withRetries((limited) => attempt(request, limited), options);
      return { text: answer.text, usage: priced(answer, request, endpoint) };
    },
  };
}

async function ask(line: Line, mode: Mode, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
  const { endpoint, connect, pace } = line;
  const { onText } = request;
  const hide = (text: string) => (endpoint.key ? text.replaceAll(endpoint.key, '***') : text);
  const expects = onText ? 'event-stream' : 'json';
  const send = openWire({ ...wireLimits(endpoint, Boolean(onText)), expects, hide, now: pace.clock.now });
  const options = callOptions(endpoint.provider.callSettings(endpoint.params), request, mode, signal);
  try {
    const model = connect(send);
    return await (onText ? askStreamed(model, options, { mode, show: onText, hide }) : askPlain(model, options));
  } catch (thrown) {
    throw toFailure(thrown, hide);
  }
}

/** The SDK wraps what our fetch rejects with; what it says itself is about the form of the answer. */
function toFailure(thrown: unknown, hide: (text: string) => string): unknown {
  for (let inner = thrown; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof ServiceFailure || inner instanceof Fault) return inner;
  }
  if (!(thrown instanceof Error)) return thrown;
  if (thrown.name === 'AI_InvalidArgumentError')
    return new Fault('ConfigInvalid', visible(`model.params: ${thrown.message}`));
  const { statusCode, responseBody } = thrown as { statusCode?: unknown; responseBody?: unknown };
  const body = hide(typeof responseBody === 'string' ? responseBody : '');
  if (typeof statusCode === 'number' && statusCode >= 400) return refused(statusCode, body);
  return notAnAnswer(body === '' ? hide(thrown.message) : body);
}

export function refusesTools(thrown: unknown): boolean {
  return thrown instanceof ServiceFailure && thrown.options.refusesTools === true;
}

/** Where a server counts nothing, an estimate keeps the budgets alive. */
export function priced(answer: ModelAnswer, request: ModelRequest, { price }: Pick<Endpoint, 'price'>): TokenUsage {
  const sent = () => request.messages.map(({ content }) => content).join('') + JSON.stringify(request.schema);
  const inputTokens = answer.inputTokens ?? estimate(sent());
  const outputTokens = answer.outputTokens ?? estimate(answer.text);
  return { inputTokens, outputTokens, cost: (inputTokens * price.input + outputTokens * price.output) / 1_000_000 };
}

/** About 3.5 bytes make a token, in English as in Chinese. */
function estimate(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3.5);
}
