// The transport to a server by its address: what it answers is bounded, and it leads nowhere else.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export interface HttpPlace {
  readonly url: string;
  /** For the header of the request, from a variable of the user's. */
  readonly token?: string | undefined;
}

const MOST_BYTES = 64 * 1024 * 1024;
const RETRIES = {
  maxReconnectionDelay: 2000,
  initialReconnectionDelay: 500,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 2,
};

export function httpTransport({ url, token }: HttpPlace): StreamableHTTPClientTransport {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    reconnectionOptions: RETRIES,
    fetch: async (input, init) => bounded(await fetch(input, { ...init, redirect: 'error' })),
  });
}

function bounded(response: Response): Response {
  let left = MOST_BYTES;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error(`an answer of more than ${MOST_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers, body } = response;
  return new Response(body?.pipeThrough(counting), { status, statusText, headers });
}
