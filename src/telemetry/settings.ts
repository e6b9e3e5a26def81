// Reads the standard variables of OpenTelemetry. An invalid value is a fault that names the variable, never a guess.
import { readFileSync } from 'node:fs';
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import { visible } from '../base/text.ts';

export type TelemetryEnvironment = Readonly<Record<string, string | undefined>>;

/** The target of one signal. */
export interface SignalTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The timeout of one request. */
  readonly timeoutMs: number;
  readonly gzip?: boolean;
  /** For https with certificates the usual authorities did not issue: texts in PEM. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

export interface Sampling {
  /** The sampling ratio of traces: 1 all, 0 none. */
  readonly ratio: number;
  /** Whether the sampling decision of the caller is followed. */
  readonly followsParent: boolean;
}

export interface Batching {
  readonly delayMs: number;
  readonly queueSize: number;
  readonly batchSize: number;
  /** The deadline of one batch with all its retries. */
  readonly timeoutMs: number;
}

export interface TelemetrySettings {
  /** Absent: not exported. */
  readonly traces?: SignalTarget;
  readonly metrics?: SignalTarget;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampling: Sampling;
  readonly batching: Batching;
  readonly metricEvery: { readonly intervalMs: number; readonly timeoutMs: number };
}

/** Throws a Fault. */
export function readSettings(env: TelemetryEnvironment): TelemetrySettings {
  const traces = readTarget(env, 'TRACES');
  const metrics = readTarget(env, 'METRICS');
  return {
    ...(traces && { traces }),
    ...(metrics && { metrics }),
    resource: readResource(env),
    sampling: readSampling(env),
    batching: readBatching(env),
    metricEvery: {
      intervalMs: readNumber(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000),
      timeoutMs: readNumber(env, 'OTEL_METRIC_EXPORT_TIMEOUT', 30_000),
    },
  };
}

type Signal = 'TRACES' | 'METRICS';

function readTarget(env: TelemetryEnvironment, signal: Signal): SignalTarget | undefined {
  const own = `OTEL_EXPORTER_OTLP_${signal}_`;
  const shared = 'OTEL_EXPORTER_OTLP_';
  const [name, suffix] = env[`${own}ENDPOINT`]
    ? [`${own}ENDPOINT`, '']
    : [`${shared}ENDPOINT`, `/v1/${signal.toLowerCase()}`];
  if (!env[name] || !isExported(env, signal)) return undefined;
  requireProtocol(env, `${own}PROTOCOL`);
  requireProtocol(env, `${shared}PROTOCOL`);
  const either = (end: string) => (env[`${own}${end}`] ? `${own}${end}` : `${shared}${end}`);
  const tls = { ca: either('CERTIFICATE'), cert: either('CLIENT_CERTIFICATE'), key: either('CLIENT_KEY') };
  return {
    url: readAddress(env, name).replace(/\/*$/, (slashes) => (suffix === '' ? slashes : suffix)),
    headers: { ...readHeaders(env, `${shared}HEADERS`), ...readHeaders(env, `${own}HEADERS`) },
    timeoutMs: readNumber(env, `${own}TIMEOUT`, readNumber(env, `${shared}TIMEOUT`, 10_000)),
    ...(isPacked(env, either('COMPRESSION')) && { gzip: true }),
    ...(Object.values(tls).some((one) => env[one]) && { tls: readFiles(env, tls) }),
  };
}

function isExported(env: TelemetryEnvironment, signal: Signal): boolean {
  const name = `OTEL_${signal}_EXPORTER`;
  const value = env[name] || 'otlp';
  if (value !== 'otlp' && value !== 'none')
    throw wrong(name, {
      en: `takes otlp or none, not ${visible(value)}`,
      zh: `只能是 otlp 或 none: ${visible(value)}`,
    });
  return value === 'otlp';
}

function requireProtocol(env: TelemetryEnvironment, name: string): void {
  const value = env[name] || 'http/json';
  if (value === 'http/json') return;
  const shown = visible(value);
  throw wrong(name, { en: `only http/json is spoken, not ${shown}`, zh: `仅支持 http/json，不支持 ${shown}` });
}

function isPacked(env: TelemetryEnvironment, name: string): boolean {
  const value = env[name] || 'none';
  if (value !== 'gzip' && value !== 'none')
    throw wrong(name, {
      en: `takes gzip or none, not ${visible(value)}`,
      zh: `只能是 gzip 或 none: ${visible(value)}`,
    });
  return value === 'gzip';
}

function readFiles<Name extends string>(
  env: TelemetryEnvironment,
  names: Record<Name, string>,
): Partial<Record<Name, string>> {
  const read: Partial<Record<Name, string>> = {};
  for (const key in names) {
    const name = names[key];
    const file = env[name];
    if (!file) continue;
    try {
      read[key] = readFileSync(file, 'utf8');
    } catch {
      throw wrong(name, { en: 'names a file that cannot be read', zh: '所指文件无法读取' });
    }
  }
  return read;
}

/** The value is not repeated: an address can hold a password. */
function readAddress(env: TelemetryEnvironment, name: string): string {
  const address = URL.parse(env[name] ?? '');
  if (!address || !/^https?:$/.test(address.protocol) || address.search !== '' || address.hash !== '')
    throw wrong(name, { en: 'is no plain http or https address', zh: '不是 http 或 https 地址' });
  if (address.username !== '' || address.password !== '')
    throw wrong(name, {
      en: 'holds a password, which belongs into OTEL_EXPORTER_OTLP_HEADERS',
      zh: '含有密码，应写入 OTEL_EXPORTER_OTLP_HEADERS',
    });
  return address.href;
}

/** `name=value,name=value`, percent-encoded. Error messages do not repeat values: headers hold keys. */
function readPairs(env: TelemetryEnvironment, name: string): Record<string, string> {
  const entries = (env[name] ?? '').split(',').filter((entry) => entry.trim() !== '');
  return Object.fromEntries(
    entries.map((entry, at) => {
      const [, key = '', value = ''] = /^\s*([\w!#$&'*+.^`|~/-]+)\s*=([\x20-\x7e]*)$/.exec(entry) ?? [];
      const decoded = key === '' ? undefined : decode(value.trim());
      if (decoded === undefined)
        throw wrong(name, { en: `entry ${at + 1} is not name=value`, zh: `第 ${at + 1} 项不是 名称=值` });
      return [key, decoded];
    }),
  );
}

function readHeaders(env: TelemetryEnvironment, name: string): Record<string, string> {
  const headers = readPairs(env, name);
  // What HTTP allows in a header value: visible, blank, or of the second half of Latin-1.
  for (const [header, value] of Object.entries(headers))
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value) || header.includes('/'))
      throw wrong(name, { en: `${header} is no header`, zh: `${header} 不是有效的请求头` });
  return headers;
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function readResource(env: TelemetryEnvironment): Record<string, string> {
  const given = readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES');
  return {
    'service.name': 'skillwright',
    ...given,
    ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
  };
}

function readSampling(env: TelemetryEnvironment): Sampling {
  const name = 'OTEL_TRACES_SAMPLER';
  const value = env[name] || 'parentbased_always_on';
  const [, parent, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(value) ?? [];
  if (kind === undefined)
    throw wrong(name, {
      en: `takes always_on, always_off or traceidratio, each also as parentbased_…, not ${visible(value)}`,
      zh: `只能是 always_on、always_off、traceidratio 或其 parentbased_ 形式: ${visible(value)}`,
    });
  const ratio = kind === 'traceidratio' ? readRatio(env) : kind === 'always_on' ? 1 : 0;
  return { ratio, followsParent: parent !== undefined };
}

function readRatio(env: TelemetryEnvironment): number {
  const name = 'OTEL_TRACES_SAMPLER_ARG';
  const ratio = Number(env[name] || '1');
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw wrong(name, { en: 'is no number from 0 to 1', zh: '不是 0 到 1 之间的数' });
}

function readBatching(env: TelemetryEnvironment): Batching {
  const batching = {
    delayMs: readNumber(env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000),
    queueSize: readNumber(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2_048),
    batchSize: readNumber(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
    timeoutMs: readNumber(env, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
  };
  if (batching.batchSize <= batching.queueSize) return batching;
  throw wrong('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', {
    en: 'is above OTEL_BSP_MAX_QUEUE_SIZE',
    zh: '大于 OTEL_BSP_MAX_QUEUE_SIZE',
  });
}

/** Above it, timers of Node fire at once. */
const LARGEST = 2 ** 31 - 1;

function readNumber(env: TelemetryEnvironment, name: string, usual: number): number {
  const written = env[name];
  if (!written) return usual;
  const value = /^\d+$/.test(written) ? Number(written) : Number.NaN;
  if (value >= 1 && value <= LARGEST) return value;
  throw wrong(name, { en: `is no whole number from 1 to ${LARGEST}`, zh: `不是 1 到 ${LARGEST} 之间的整数` });
}

function wrong(name: string, problem: Text): Fault {
  const detail = { en: `${name} ${problem.en}`, zh: `${name} ${problem.zh}` };
  return new Fault('ConfigInvalid', detail, { details: { variable: name } });
}
