// The request a protocol skill reads on stdin.
import { Fault } from '../base/errors.ts';
import { isRecord, type Json, parseJson } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { visible } from '../base/text.ts';

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
export interface RequestDraft extends Pick<Request, 'action' | 'params'> {
  readonly context?: Partial<RequestContext>;
  /** What was read otherwise than it was written, or not at all. */
  readonly notes: readonly Text[];
}

export function renderRequest(request: Request): string {
  return `${JSON.stringify(request)}\n`;
}

const WHERE: Text = {
  en: 'It stands at the top of the request, beside "params".',
  zh: '它位于请求的顶层，与 "params" 并列。',
};

/** Parses a whole request as a caller pipes it in. */
export function parseRequest(text: string): RequestDraft {
  const value = parseOrRefuse(text);
  if (!isRecord(value)) throw new Fault('InvalidJson', { en: 'the request is not an object', zh: '请求不是对象' });
  const { action, params = {}, context = {}, ...beside } = value;
  if (typeof action !== 'string' || action === '') throw new Fault('ParamMissing', 'action', { hint: WHERE });
  if (!isRecord(params)) throw new Fault('ParamInvalid', { en: 'params is not an object', zh: 'params 不是对象' });
  if (!isRecord(context)) throw new Fault('ParamInvalid', { en: 'context is not an object', zh: 'context 不是对象' });
  const ids = idsOf(context);
  const notes = [
    ...Object.keys(beside).map((name) => (Object.hasOwn(params, name) ? dropped(name) : movedIn(name))),
    ...Object.keys(context).flatMap((name) => (Object.hasOwn(ids, name) ? [] : dropped(`context.${name}`))),
  ];
  return { action, params: { ...beside, ...params }, context: ids, notes };
}

const IDS = ['agent_id', 'user_id', 'request_id'] as const;

function idsOf(context: Record<string, unknown>): Partial<RequestContext> {
  const ids: Record<string, string> = {};
  for (const name of IDS) {
    const id = context[name];
    if (typeof id === 'string' && id !== '') ids[name] = id;
  }
  return ids;
}

/** An older form: parameters beside the action. */
function movedIn(name: string): Text {
  const shown = visible(name);
  return {
    en: `${shown} stood beside action and was read as a parameter: write it into params`,
    zh: `${shown} 写在 action 旁，已按参数读取: 请写入 params`,
  };
}

function dropped(name: string): Text {
  const shown = visible(name);
  return { en: `${shown} is no field of a request and was left out`, zh: `${shown} 不是请求的字段，已忽略` };
}

function parseOrRefuse(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Fault('InvalidJson', error instanceof Error ? error.message : '', { cause: error });
  }
}
