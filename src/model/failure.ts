// What can go wrong between us and a model's server: whether another try can help, and how a person is told.
import { Fault } from '../base/errors.ts';
import { isRecord, jsonIfValid } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { truncate, visible } from '../base/text.ts';

interface FailureOptions {
  readonly retryable: boolean;
  readonly status?: number;
  /** What the server asks us to wait. */
  readonly waitMs?: number | undefined;
  readonly hint?: Text;
  /** The server said that it cannot call tools. */
  readonly refusesTools?: boolean;
}

/** One request that came to nothing. Carries no prompt and no header; of the body an excerpt of its message, with the key masked. */
export class ServiceFailure extends Error {
  readonly reason: Text;
  readonly options: FailureOptions;

  constructor(reason: Text, options: FailureOptions) {
    super(reason.en);
    this.name = 'ServiceFailure';
    this.reason = reason;
    this.options = options;
  }

  /** What the caller of the model is told after so many attempts. */
  toFault(attempts: number): Fault {
    const { status, hint } = this.options;
    return new Fault('ExternalServiceError', this.reason, {
      details: { attempts, ...(status !== undefined && { status }) },
      ...(hint && { hint }),
    });
  }
}

const EXCERPT_WIDTH = 300;
const EXCERPT_LENGTH = 2000;
/** How the network and the HTTP client call a failure that may be gone the next time. */
const PASSING_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENETDOWN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** A 429 that says the money is gone does not pass by waiting. */
const MONEY_IS_GONE = /insufficient_quota|credit_balance|spend_limit/;
const ABOUT_TOOLS = /\btools?\b|tool[ _-]?(use|choice|call)|function[ _-]?call/i;
/** One well-known server says it with a 500. */
const STATUSES_ABOUT_TOOLS = new Set([400, 404, 405, 422, 500, 501]);

export function isPassingStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || (status >= 500 && status <= 599);
}

/** The server answered, but not with a success. */
export function refused(status: number, body: string, waitMs?: number): ServiceFailure {
  const said = excerpt(messageIn(body));
  const tail = said === '' ? '' : `: ${said}`;
  return new ServiceFailure(
    { en: `the model's server answered ${status}${tail}`, zh: `模型服务返回 ${status}${tail}` },
    {
      status,
      waitMs,
      retryable: isPassingStatus(status) && !MONEY_IS_GONE.test(body),
      hint: hintFor(status),
      refusesTools: STATUSES_ABOUT_TOOLS.has(status) && ABOUT_TOOLS.test(said),
    },
  );
}

export function unreachable(error: unknown): ServiceFailure {
  const { code, message } = innermost(error);
  const why = excerpt(code === undefined || message.includes(code) ? message : `${message} (${code})`);
  return new ServiceFailure(
    { en: `no connection to the model's server: ${why}`, zh: `无法连接模型服务: ${why}` },
    { retryable: code !== undefined && PASSING_CODES.has(code), hint: CHECK_ADDRESS },
  );
}

export function cutOff(error?: unknown): ServiceFailure {
  const why = error === undefined ? '' : `: ${excerpt(innermost(error).message)}`;
  return new ServiceFailure(
    { en: `the answer of the model broke off${why}`, zh: `模型的回答中途断开${why}` },
    { retryable: true },
  );
}

export function silent(what: 'headers' | 'body', limitMs: number): ServiceFailure {
  const seconds = limitMs / 1000;
  const reason =
    what === 'headers'
      ? { en: `the model's server did not answer within ${seconds} s`, zh: `模型服务在 ${seconds} 秒内没有响应` }
      : { en: `the model's server was silent for ${seconds} s`, zh: `模型服务沉默了 ${seconds} 秒` };
  return new ServiceFailure(reason, { retryable: true });
}

/** An answer of the wrong shape comes again the same way, so it is not asked for twice. */
export function notAnAnswer(why: string): ServiceFailure {
  const said = excerpt(why);
  return new ServiceFailure(
    { en: `the answer is not one of a model's server: ${said}`, zh: `收到的不是模型服务的回答: ${said}` },
    { retryable: false, hint: CHECK_ADDRESS },
  );
}

/** An error the server sent inside a stream that had begun well. */
export function failedInStream(error: unknown, hide: (text: string) => string): ServiceFailure {
  const { message, statusCode, code } = isRecord(error) || error instanceof Error ? (error as Said) : {};
  const status = [statusCode, code].find((number) => typeof number === 'number' && number >= 400 && number <= 599);
  const said = excerpt(hide(typeof message === 'string' ? message : 'error'));
  return new ServiceFailure(
    { en: `the model's server broke off its answer: ${said}`, zh: `模型服务中断了回答: ${said}` },
    {
      retryable: typeof status !== 'number' || isPassingStatus(status),
      ...(typeof status === 'number' && { status, hint: hintFor(status) }),
    },
  );
}

interface Said {
  readonly message?: unknown;
  readonly statusCode?: unknown;
  readonly code?: unknown;
}

const CHECK_ADDRESS: Text = {
  en: 'Check model.base_url and the network.',
  zh: '检查 model.base_url 与网络。',
};

function hintFor(status: number): Text {
  if (status === 401 || status === 403)
    return {
      en: 'The key was refused: check the variable that model.key_env names.',
      zh: '密钥被拒绝：检查 model.key_env 所指的环境变量。',
    };
  if (status === 402 || status === 429)
    return { en: 'Wait, or check the quota of the account.', zh: '稍后再试，或检查账户额度。' };
  if (status === 404 || (status >= 300 && status <= 399))
    return { en: 'Check model.base_url and model.name.', zh: '检查 model.base_url 与 model.name。' };
  if (status === 413) return { en: 'The request is too long for this model.', zh: '请求超出此模型的长度。' };
  if (status < 500) return { en: 'Check model.name and model.params.', zh: '检查 model.name 与 model.params。' };
  return { en: 'Try again later.', zh: '稍后重试。' };
}

/** The sentence inside the usual shapes of an error body, else the body. */
function messageIn(body: string): string {
  const value = jsonIfValid(body);
  if (!isRecord(value)) return body;
  const inner = isRecord(value.error) ? value.error.message : (value.error ?? value.message ?? value.detail);
  return typeof inner === 'string' ? inner : body;
}

function innermost(error: unknown): { message: string; code: string | undefined } {
  let current = error;
  while (current instanceof Error && current.cause instanceof Error) current = current.cause;
  if (!(current instanceof Error)) return { message: String(current), code: undefined };
  const { code } = current as NodeJS.ErrnoException;
  return { message: current.message || current.name, code: typeof code === 'string' ? code : undefined };
}

function excerpt(text: string): string {
  return truncate(visible(text.trim().slice(0, EXCERPT_LENGTH)), EXCERPT_WIDTH);
}
