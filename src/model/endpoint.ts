// Which server, which model, with what key and limits: the settings, checked before anything is sent.
import { Fault } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { visible } from '../base/text.ts';
import type { Connection, RemoteProvider } from './provider/provider.ts';
import { PROVIDER_NAMES, REMOTE_PROVIDERS } from './provider/providers.ts';
import type { RetryLimits } from './retry.ts';
import type { ModelSettings } from './settings.ts';
import type { WireLimits } from './wire.ts';

/** How the decision comes back: as the input of a tool, or as JSON text. */
export type Mode = 'tool' | 'json';

export interface Endpoint extends Connection {
  readonly provider: RemoteProvider;
  readonly mode: Mode;
  /** JSON mode follows where the server turns out to have no tools. */
  readonly mayFallBack: boolean;
  /** What is left of `params`, for the model. */
  readonly params: Readonly<Record<string, Json>>;
  readonly limits: RetryLimits & { readonly idleMs: number };
  readonly headersMs: { readonly plain: number; readonly streamed: number };
  readonly price: { readonly input: number; readonly output: number };
}

const SILENCE_SECONDS = 60;
/** Timers of Node fire at once above it. */
const LONGEST_MS = 2 ** 31 - 1;

/** Throws a Fault that names the setting or the variable, never its secret. */
export function readEndpoint(settings: ModelSettings, env: Readonly<Record<string, string | undefined>>): Endpoint {
  const provider = knownProvider(settings.provider);
  const { mode, headers_timeout_seconds, idle_timeout_seconds, ...params } = settings.params;
  const keyEnv = settings.keyEnv ?? provider.keyEnv;
  const totalMs = Math.min(settings.timeoutSeconds * 1000, LONGEST_MS);
  const headersMs = seconds('headers_timeout_seconds', headers_timeout_seconds);
  return {
    provider,
    name: settings.name ?? missing('model.name', 'the model, as its server calls it'),
    baseUrl: readAddress(provider, settings.baseUrl),
    ...(keyEnv !== undefined && { key: readKey(keyEnv, env) }),
    mode: readMode(mode) ?? 'tool',
    mayFallBack: mode === undefined && provider.mayLackTools,
    params,
    limits: {
      retries: settings.retries,
      totalMs,
      idleMs: seconds('idle_timeout_seconds', idle_timeout_seconds) ?? SILENCE_SECONDS * 1000,
    },
    // An answer that is not streamed has its headers when it is complete.
    headersMs: { plain: headersMs ?? totalMs, streamed: headersMs ?? SILENCE_SECONDS * 1000 },
    price: { input: settings.inputPrice ?? 0, output: settings.outputPrice ?? 0 },
  };
}

export function wireLimits({ headersMs, limits }: Endpoint, streamed: boolean): WireLimits {
  return { headersMs: streamed ? headersMs.streamed : headersMs.plain, idleMs: limits.idleMs };
}

function knownProvider(provider: string): RemoteProvider {
  const known = REMOTE_PROVIDERS.find(({ name }) => name === provider);
  return (
    known ??
    invalid({
      en: `model.provider ${quoted(provider)} is unknown: choose ${PROVIDER_NAMES.join(', ')}`,
      zh: `未知的 model.provider ${quoted(provider)}: 可选 ${PROVIDER_NAMES.join(', ')}`,
    })
  );
}

function readMode(mode: Json | undefined): Mode | undefined {
  if (mode === undefined || mode === 'tool' || mode === 'json') return mode;
  return invalid({ en: 'model.params.mode is tool or json', zh: 'model.params.mode 只能是 tool 或 json' });
}

function seconds(name: string, value: Json | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > 0) return Math.min(value * 1000, LONGEST_MS);
  return invalid({ en: `model.params.${name} is a number above 0`, zh: `model.params.${name} 必须是大于 0 的数` });
}

function readAddress({ address }: RemoteProvider, written: string | undefined): string {
  if (written === undefined) return 'url' in address ? address.url : missing('model.base_url', address.missing);
  const url = URL.parse(written);
  const plain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (plain) return url.href.replace(/\/+$/, '');
  // Not repeated: a password or a key may stand in it.
  return invalid({
    en: 'model.base_url is an http(s) address without user, password and query',
    zh: 'model.base_url 必须是不含用户名、密码与查询串的 http(s) 地址',
  });
}

function readKey(variable: string, env: Readonly<Record<string, string | undefined>>): string {
  const key = env[variable]?.trim() ?? '';
  const name = quoted(variable);
  if (key === '')
    return invalid(
      { en: `the environment variable ${name} holds no key for the model`, zh: `环境变量 ${name} 中没有模型密钥` },
      {
        en: `Set ${name}, or name another variable in model.key_env.`,
        zh: `设置 ${name}，或在 model.key_env 中指定其他变量。`,
      },
    );
  // The HTTP client would repeat such a key in its complaint.
  if (!/^[\x21-\x7e]+$/.test(key))
    return invalid({
      en: `the key in ${name} has characters that no key has`,
      zh: `${name} 中的密钥含有无效字符`,
    });
  return key;
}

function missing(setting: string, meaning: string): never {
  return invalid({ en: `${setting} is missing: ${meaning}`, zh: `缺少 ${setting}` });
}

function invalid(detail: Text, hint?: Text): never {
  throw new Fault('ConfigInvalid', detail, hint && { hint });
}

function quoted(text: string): string {
  return visible(text).slice(0, 100);
}
