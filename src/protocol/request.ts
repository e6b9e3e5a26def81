// The request a protocol skill reads on stdin.
import { Fault } from '../base/errors.ts';
import { isRecord, type Json, parseJson } from '../base/json.ts';

export interface RequestContext {
  readonly agent_id?: string;
  readonly user_id?: string;
  readonly request_id: string;
}

export interface Request {
  readonly action: string;
  readonly params: Readonly<Record<string, Json>>;
  readonly context: RequestContext;
}

/** Fields a caller may omit. */
export type RequestDraft = Pick<Request, 'action' | 'params'> & { readonly context?: Partial<RequestContext> };

export function renderRequest(request: Request): string {
  return `${JSON.stringify(request)}\n`;
}

/** Parses a whole request as a caller pipes it in. */
export function parseRequest(text: string): RequestDraft {
  const value = parseOrRefuse(text);
  if (!isRecord(value)) throw new Fault('InvalidJson', { en: 'the request is not an object', zh: '请求不是对象' });
  const { action, params = {}, context = {} } = value;
  if (typeof action !== 'string' || action === '') throw new Fault('ParamMissing', 'action');
  if (!isRecord(params)) throw new Fault('ParamInvalid', { en: 'params is not an object', zh: 'params 不是对象' });
  if (!isRecord(context)) throw new Fault('ParamInvalid', { en: 'context is not an object', zh: 'context 不是对象' });
  return { action, params, context: idsOf(context) };
}

function idsOf(context: Record<string, unknown>): Partial<RequestContext> {
  const ids: Record<string, string> = {};
  for (const name of ['agent_id', 'user_id', 'request_id']) {
    const id = context[name];
    if (typeof id === 'string' && id !== '') ids[name] = id;
  }
  return ids;
}

function parseOrRefuse(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Fault('InvalidJson', error instanceof Error ? error.message : '', { cause: error });
  }
}
