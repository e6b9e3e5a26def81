// `network_request`: one HTTP request; the answer is text, or base64 where it is none.
import { decodeText } from './decode-text.ts';
import type { NetworkRequest } from './network.ts';
import { defineTool, namedWords } from './tool.ts';

export const networkRequest = defineTool({
  name: 'network_request',
  aliases: [
    'network',
    'fetch',
    'http',
    'http_request',
    'fetch_url',
    'browse',
    'web_fetch',
    'web_search',
    'google_web_search',
  ],
  risk: 'high',
  about: 'address',
  paths: [],
  address: 'url',
  standsFor: 'network',
  schema: (zod) =>
    zod.strictObject({
      url: zod.string().min(1).max(8192),
      method: zod.string().max(16).optional(),
      headers: zod.record(zod.string().max(256), zod.string().max(8192)).optional(),
      body: zod.string().optional(),
    }),
  view: namedWords,
  async run({ url, method, headers, body }, { network }) {
    const request: NetworkRequest = {
      url,
      ...(method && { method }),
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
    };
    const answer = await network.request(request);
    return { ...answer, ...bodyOf(answer.body) };
  },
});

function bodyOf(bytes: Uint8Array): { body: string; encoding: 'utf-8' | 'base64' } {
  const text = decodeText(bytes);
  return text === undefined
    ? { body: Buffer.from(bytes).toString('base64'), encoding: 'base64' }
    : { body: text, encoding: 'utf-8' };
}
