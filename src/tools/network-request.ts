// `network_request`: one HTTP request; the answer is text, or base64 where it is none.
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
  async preview(args, _files, most) {
    const { previewRequest } = await import('./run/request.ts');
    return previewRequest(args, most);
  },
  async run(args, { network }) {
    const { request } = await import('./run/request.ts');
    return request(network, args);
  },
});
