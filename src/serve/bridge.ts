// Between Node's requests and those of the web, which handlers take: bodies as streams, and an end that is told to both sides.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

export function toWebRequest(request: IncomingMessage, response: ServerResponse): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2)
    headers.append(request.rawHeaders[at] ?? '', request.rawHeaders[at + 1] ?? '');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { method = 'GET' } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://${request.headers.host}${request.url}`, {
    ...{ method, headers, signal: gone.signal },
    ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
  });
}

export async function sendWebResponse(web: Response, response: ServerResponse): Promise<void> {
  response.writeHead(web.status, [...web.headers].flat());
  if (!web.body) return void response.end();
  response.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(web.body as ReadableStream), response);
  } catch {
    // Whoever has gone needs no more of it.
    response.destroy();
  }
}
