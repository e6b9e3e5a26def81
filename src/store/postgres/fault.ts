// Translates failures of PostgreSQL and the network: which are transient and retried, the others as faults without secrets.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';

/** Error codes of the network and of Node. */
const LOST = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);
/** https://www.postgresql.org/docs/current/errcodes-appendix.html: shutting down, starting, too many connections, in each other's way. */
const PASSING = new Set(['57P01', '57P02', '57P03', '53300', '40001', '40P01', '55P03']);
/** Messages of the driver where it has no code. */
const LOST_WORDS = /connection terminated|not queryable|timeout exceeded|timeout expired|read timeout/i;

/** A newer program added a column: statements prepared on this connection are stale. */
const OUTDATED = '0A000';
const OUTDATED_WORDS = /cached plan/i;

/** Transient: a retry on another connection may work. The failed query may have been applied or not. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && (LOST.has(code) || PASSING.has(code) || code.startsWith('08'))) return true;
  if (!(error instanceof Error)) return false;
  return code === undefined ? LOST_WORDS.test(error.message) : code === OUTDATED && OUTDATED_WORDS.test(error.message);
}

/** `server` names it without user and password. */
export function translatePostgres(error: unknown, server: string): unknown {
  if (error instanceof Fault) return error;
  const options = { cause: error, details: { server } };
  if (isPassing(error) || codeOf(error) === 'ENOTFOUND') {
    return new Fault('StateUnusable', unreachable(server, error), { ...options, hint: UNREACHABLE_HINT });
  }
  if (codeOf(error) === undefined) return error;
  return new Fault('StateUnusable', `${server}: ${messageOf(error)}`, { ...options, hint: REFUSED_HINT });
}

const UNREACHABLE_HINT = {
  en: 'Nothing was lost. Check that the server of the `store` setting runs and can be reached; `skillwright doctor` tries it.',
  zh: '数据没有丢失。请确认 `store` 设置所指的服务器在运行且可连接；可用 `skillwright doctor` 检查。',
};
const REFUSED_HINT = {
  en: 'The server answered, and refused. Check the user, its password and its rights; `skillwright doctor` tries them.',
  zh: '服务器已应答但拒绝。请检查用户、密码与权限；可用 `skillwright doctor` 检查。',
};

function unreachable(server: string, error: unknown) {
  const why = messageOf(error);
  return { en: `${server} cannot be reached: ${why}`, zh: `无法连接 ${server}: ${why}` };
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried, each failed.
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined;
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return visible(error instanceof Error ? error.message : String(error));
}
