// Which hosts a person allowed: a name, an address, or one label before a name, each with a port; read, compared, shown.
import { Fault } from './errors.ts';
import { canonicalHost, isAddress } from './host/name.ts';
import { isPublicSuffix } from './host/public-suffix.ts';
import type { Text } from './language.ts';
import { visible } from './text.ts';

export interface HostRule {
  /** In its one spelling; `*.` in front stands for exactly one label. */
  readonly host: string;
  /** Absent: 443 and 80. */
  readonly port?: number;
}

const USUAL_PORTS: readonly number[] = [443, 80];
const WILDCARD = '*.';
const HIGHEST_PORT = 65_535;

/** Throws a Fault that says how it is written. */
export function readHostRule(text: string): HostRule {
  const written = text.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(written)) throw notAHost(text, urlHint(written));
  const { host, port } = splitPort(written);
  if (port !== undefined && !isPort(port)) throw notAHost(text, PORT);
  return { host: readHost(text, host), ...(port !== undefined && { port: Number(port) }) };
}

/** `host` as a program wrote it, in any spelling. */
export function coversHost(rule: HostRule, host: string, port: number): boolean {
  const wanted = canonicalHost(host);
  if (wanted === undefined || !(rule.port === undefined ? USUAL_PORTS.includes(port) : rule.port === port))
    return false;
  if (!rule.host.startsWith(WILDCARD)) return rule.host === wanted;
  const dot = wanted.indexOf('.');
  return dot > 0 && !isAddress(wanted) && wanted.slice(dot + 1) === rule.host.slice(WILDCARD.length);
}

/** As `readHostRule` reads it back. */
export function showHostRule({ host, port }: HostRule): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return port === undefined ? shown : `${shown}:${port}`;
}

/** An address of IPv6 without brackets has no port. */
function splitPort(written: string): { host: string; port?: string } {
  const [, host, port] = /^(\[[^\]]*\]|[^:]*):([^:\]]*)$/.exec(written) ?? [];
  return host === undefined || port === undefined ? { host: written } : { host, port };
}

function isPort(written: string): boolean {
  return /^[0-9]{1,5}$/.test(written) && Number(written) > 0 && Number(written) <= HIGHEST_PORT;
}

function readHost(text: string, written: string): string {
  const isWildcard = written.startsWith(WILDCARD);
  const host = canonicalHost(isWildcard ? written.slice(WILDCARD.length) : written);
  if (host === undefined) throw notAHost(text, written.includes('*') ? ONE_LABEL : FORM);
  if (!isWildcard) return host;
  if (isAddress(host)) throw notAHost(text, ONE_LABEL);
  if (isPublicSuffix(host)) throw notAHost(text, everybody(host));
  return WILDCARD + host;
}

function notAHost(text: string, hint: Text): Fault {
  const shown = visible(text);
  return new Fault('ParamInvalid', { en: `no host: ${shown}`, zh: `不是主机: ${shown}` }, { hint });
}

function urlHint(written: string): Text {
  const url = URL.parse(written);
  const usual = url?.protocol === 'http:' ? 80 : 443;
  const host = url && canonicalHost(url.hostname);
  if (!url || !host) return FORM;
  const shown = showHostRule({ host, port: Number(url.port) || usual });
  return {
    en: `Give the host without the rest of the address: ${shown}. A whole host is allowed, not one of its pages.`,
    zh: `只写主机，不写地址的其余部分: ${shown}。允许的是整个主机，而非其中某个页面。`,
  };
}

const FORM: Text = {
  en: 'Write a name, an address, or one label before a name, with a port if it is not 443 or 80: api.example.com, db.example.com:5432, *.example.com, 192.0.2.7:8080, [2001:db8::7]:8080.',
  zh: '写主机名、地址或名称前的一级通配，端口不是 443 或 80 时一并写出: api.example.com、db.example.com:5432、*.example.com、192.0.2.7:8080、[2001:db8::7]:8080。',
};

const PORT: Text = {
  en: 'A port is a number from 1 to 65535; without one, 443 and 80 are meant.',
  zh: '端口为 1 到 65535 的数字；不写则指 443 和 80。',
};

const ONE_LABEL: Text = {
  en: '`*.` stands for exactly one label at the beginning of a name, as in *.example.com; everything else is written out.',
  zh: '`*.` 只代表名称开头的一级，如 *.example.com；其余部分须完整写出。',
};

function everybody(suffix: string): Text {
  return {
    en: `Anybody can get a name directly under ${suffix}, so this would allow everybody. Name the host itself, as in name.${suffix}.`,
    zh: `任何人都能在 ${suffix} 之下取得名称，这样等于允许所有人。请写出主机本身，如 name.${suffix}。`,
  };
}
