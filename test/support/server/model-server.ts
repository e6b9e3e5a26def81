// A server on loopback that speaks the formats of model servers and misbehaves on request: one act per request.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** What the server does with one request. */
export type Act = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

export interface ModelServer {
  readonly url: string;
  readonly seen: SeenRequest[];
}

/** What the model says: calls of tools by their raw input, or text. */
export interface Said {
  readonly calls?: readonly string[];
  readonly text?: string;
  readonly usage?: false;
}

export interface Dialect {
  readonly provider: 'anthropic' | 'openai-compatible';
  readonly path: string;
  plain(said: Said): unknown;
  /** The events of a stream; without the last ones it is unfinished. */
  events(said: Said): string[];
  error(message: string): unknown;
}

/** The acts in order, the last one for every further request. */
export async function startModelServer(t: TestContext, ...acts: Act[]): Promise<ModelServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
    const entry = { path: request.url ?? '', headers: request.headers, body };
    seen.push(entry);
    await acts[Math.min(seen.length, acts.length) - 1]?.(response, entry);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}

/** Answers plainly or as a stream, as it was asked. */
export function says(dialect: Dialect, said: Said): Act {
  return async (response, { body }) => {
    if (body.stream === true) await sendEvents(response, dialect.events(said), 'end');
    else sendJson(response, 200, dialect.plain(said));
  };
}

export function fails(dialect: Dialect, status: number, message = 'no', headers: Record<string, string> = {}): Act {
  return (response) => sendJson(response, status, dialect.error(message), headers);
}

/** Begins well and stops in the middle: the connection breaks, ends as if all were said, or stays silent. */
export function stopsHalfway(dialect: Dialect, said: Said, how: 'break' | 'end' | 'silence'): Act {
  return async (response, { body }) => {
    if (body.stream === true) {
      const events = dialect.events(said);
      await sendEvents(response, events.slice(0, Math.floor(events.length / 2)), how);
      return;
    }
    const whole = JSON.stringify(dialect.plain(said));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) });
    response.write(whole.slice(0, whole.length / 2));
    if (how !== 'silence') setImmediate(() => response.destroy());
  };
}

export const drops: Act = (response) => void response.destroy();
export const neverAnswers: Act = () => {};

export function sendsPage(status = 200): Act {
  return (response) => void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
}

export function sendJson(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

export async function sendEvents(response: ServerResponse, events: string[], end: 'break' | 'end' | 'silence') {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const bytes = Buffer.from(events.join(''));
  // Odd sizes cut characters and events in two.
  for (let at = 0; at < bytes.length; at += 97) {
    response.write(bytes.subarray(at, at + 97));
    await nextTurn();
  }
  if (end === 'end') response.end();
  if (end === 'break') response.destroy();
}

const INPUT_TOKENS = 1200;
const OUTPUT_TOKENS = 34;
const halves = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)];

export const openai: Dialect = {
  provider: 'openai-compatible',
  path: '/v1/chat/completions',
  plain({ calls = [], text, usage }) {
    const tools = calls.map((input, index) => ({ ...openaiCall(input, index), type: 'function' }));
    const message = { role: 'assistant', content: text ?? null, ...(tools.length > 0 && { tool_calls: tools }) };
    return { id: 'c1', choices: [{ index: 0, message, finish_reason: 'stop' }], ...(usage ?? openaiUsage) };
  },
  events({ calls = [], text, usage }) {
    const deltas = [
      ...(text === undefined ? [] : halves(text).map((content) => ({ content }))),
      ...calls.flatMap((input, index) => {
        const [first = '', second = ''] = halves(input);
        const rest = { index, function: { arguments: second } };
        return [{ tool_calls: [openaiCall(first, index)] }, { tool_calls: [rest] }];
      }),
    ];
    const chunks = [
      ...deltas.map((delta) => ({ id: 'c1', choices: [{ index: 0, delta }] })),
      { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { id: 'c1', choices: [], ...(usage ?? openaiUsage) },
    ];
    return [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'];
  },
  error: (message) => ({ error: { message, type: 'error', code: null } }),
};

const openaiUsage = { usage: { prompt_tokens: INPUT_TOKENS, completion_tokens: OUTPUT_TOKENS } };

function openaiCall(input: string, index: number) {
  return { index, id: `call-${index}`, function: { name: 'decide', arguments: input } };
}

export const anthropic: Dialect = {
  provider: 'anthropic',
  path: '/v1/messages',
  plain({ calls = [], text }) {
    const blocks = [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map((input, index) => ({ ...anthropicCall(index), input: JSON.parse(input) as unknown })),
    ];
    const usage = { input_tokens: INPUT_TOKENS, output_tokens: OUTPUT_TOKENS };
    return { ...anthropicMessage, content: blocks, stop_reason: 'end_turn', stop_sequence: null, usage };
  },
  events({ calls = [], text }) {
    const blocks = [
      ...(text === undefined ? [] : [{ start: { type: 'text', text: '' }, deltas: halves(text).map(textDelta) }]),
      ...calls.map((input, index) => ({ start: anthropicCall(index), deltas: halves(input).map(inputDelta) })),
    ];
    const usage = { input_tokens: INPUT_TOKENS, output_tokens: 1 };
    const events = [
      { type: 'message_start', message: { ...anthropicMessage, content: [], stop_reason: null, usage } },
      { type: 'ping' },
      ...blocks.flatMap(({ start, deltas }, index) => [
        { type: 'content_block_start', index, content_block: start },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: OUTPUT_TOKENS },
      },
      { type: 'message_stop' },
    ];
    return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  },
  error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};

const anthropicMessage = { type: 'message', id: 'm1', role: 'assistant', model: 'm' };
const anthropicCall = (index: number) => ({ type: 'tool_use', id: `call-${index}`, name: 'decide', input: {} });
const textDelta = (text: string) => ({ type: 'text_delta', text });
const inputDelta = (partial_json: string) => ({ type: 'input_json_delta', partial_json });
