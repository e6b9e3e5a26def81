// Validates the one response a protocol skill prints: accepted, repaired by the shim, or refused with a reason.
import { isRecord, type Json, parseJson } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { mendLegacy } from './legacy.ts';

export interface ResponseError {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type Response = {
  readonly action: string;
  readonly message?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** False where the skill omitted the action and it was filled in. */
  readonly namedAction: boolean;
  /** What the shim repaired, as sentences. */
  readonly mended: readonly string[];
} & ({ readonly success: true; readonly data: Json } | { readonly success: false; readonly error: ResponseError });

export type JudgedResponse =
  | { readonly ok: true; readonly response: Response }
  | { readonly ok: false; readonly reason: Text };

/** `exit` is the exit code of the script, null after a signal. */
export function judgeResponse(stdout: Uint8Array, asked: string, exit: number | null): JudgedResponse {
  const decoded = decode(stdout);
  if (typeof decoded !== 'string') return decoded;
  const parsed = parseDocument(decoded);
  if (!parsed.ok) return parsed;
  const { value, mended } = mendLegacy(parsed.value);
  const shaped = shape(value, asked, mended);
  if (!shaped.ok) return shaped;
  if (shaped.response.success && exit !== 0) {
    return refuse(
      exit === null
        ? { en: 'success:true, but it was ended by a signal', zh: 'success:true，但被信号终止' }
        : { en: `success:true, but exit code ${exit}`, zh: `success:true，但退出码为 ${exit}` },
    );
  }
  return shaped;
}

function decode(stdout: Uint8Array): string | JudgedResponse {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(stdout);
    return text.trim() === '' ? refuse({ en: 'stdout is empty', zh: 'stdout 为空' }) : text;
  } catch {
    return refuse({ en: 'stdout is not UTF-8', zh: 'stdout 不是 UTF-8' });
  }
}

function parseDocument(text: string): { ok: true; value: Record<string, Json> } | { ok: false; reason: Text } {
  try {
    const value = parseJson(text);
    if (!isRecord(value)) return refuse({ en: 'stdout is JSON, but not an object', zh: 'stdout 是 JSON，但不是对象' });
    if (!isWhole(value))
      return refuse({
        en: 'stdout holds half a character (a lone surrogate)',
        zh: 'stdout 含半个字符（单独的代理项）',
      });
    return { ok: true, value };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable';
    return refuse({ en: `stdout is not one JSON document (${why})`, zh: `stdout 不是单个 JSON 文档 (${why})` });
  }
}

/** Text that is not valid Unicode would change on its way to the caller. */
function isWhole(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWhole);
  return Object.entries(value).every(([key, part]) => key.isWellFormed() && isWhole(part));
}

function shape(value: Record<string, Json>, asked: string, mended: readonly string[]): JudgedResponse {
  const { success, action = asked, message, metadata } = value;
  if (typeof success !== 'boolean')
    return refuse({ en: '"success" is not true or false', zh: '"success" 不是 true 或 false' });
  if (action !== asked) {
    const [answered, wanted] = [JSON.stringify(action), JSON.stringify(asked)];
    return refuse({
      en: `it answered the action ${answered}, asked was ${wanted}`,
      zh: `所答操作为 ${answered}，请求的是 ${wanted}`,
    });
  }
  const common = {
    action: asked,
    namedAction: value.action !== undefined,
    mended,
    ...(typeof message === 'string' && { message }),
    ...(isRecord(metadata) && { metadata }),
  };
  if (success) return { ok: true, response: { ...common, success, data: value.data === undefined ? {} : value.data } };
  const error = errorOf(value.error);
  if (error) return { ok: true, response: { ...common, success, error } };
  return refuse({ en: '"error" has no code and message', zh: '"error" 缺少 code 和 message' });
}

// The template most skills start from has `supported_actions` beside code and message.
function errorOf(value: Json | undefined): ResponseError | undefined {
  if (!isRecord(value) || typeof value.code !== 'string' || typeof value.message !== 'string') return undefined;
  const details = {
    ...(isRecord(value.details) ? value.details : value.details !== undefined && { value: value.details }),
    ...(Array.isArray(value.supported_actions) && { supported_actions: value.supported_actions }),
  };
  const { code, message } = value;
  return { code, message, ...(Object.keys(details).length > 0 && { details }) };
}

function refuse(reason: Text): { ok: false; reason: Text } {
  return { ok: false, reason };
}
