// The work of `network_request`: one request, and its answer as text, or as base64 where it is none.
import { type CallView, headOf, linesIn, sizeOf } from '../call-view.ts';
import { decodeText } from '../file/decode-text.ts';
import type { NetworkAnswer, NetworkPort } from '../network.ts';

interface RequestArguments {
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

interface RequestResult extends Omit<NetworkAnswer, 'body'>, Body {}

interface Body {
  readonly body: string;
  readonly encoding: 'utf-8' | 'base64';
}

export async function request(network: NetworkPort, asked: RequestArguments): Promise<RequestResult> {
  const { url, method, headers, body } = asked;
  const answer = await network.request({
    url,
    ...(method && { method }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  });
  return { ...answer, ...bodyOf(answer.body) };
}

function bodyOf(bytes: Uint8Array): Body {
  const text = decodeText(bytes);
  return text === undefined
    ? { body: Buffer.from(bytes).toString('base64'), encoding: 'base64' }
    : { body: text, encoding: 'utf-8' };
}

/** What would be sent, and where to. */
export function previewRequest(asked: RequestArguments, most?: number): CallView {
  const { url, method = 'GET', headers = {}, body } = asked;
  const bytes = Buffer.from(body ?? '');
  const sent = body !== undefined && { body: { size: sizeOf(bytes, body), head: headOf(linesIn(body), most) } };
  const host = URL.parse(url)?.host ?? url;
  return { kind: 'request', method: method.toUpperCase(), host, url, headers, ...sent };
}
