// Where packages come from: the index of the user's settings, its login kept apart, and the hosts a build may reach for it.
import { Fault } from '../base/errors.ts';
import { canonicalHost } from '../base/host/name.ts';
import { readHostRule } from '../base/host-rule.ts';
import { visible } from '../base/text.ts';
import type { ReachRule } from '../network/reach.ts';
import type { Ecosystem } from './need/package-need.ts';

export interface IndexPlace {
  /** Without a login: what a lock names. */
  readonly url: string;
  /** As the installer is told it, by its environment only. */
  readonly secretUrl: string;
  /** Its own host, and those it hands files out from, at whatever address they are. */
  readonly hosts: readonly ReachRule[];
}

export interface IndexSettings {
  readonly pythonIndex?: string;
  readonly npmRegistry?: string;
  /** Further hosts that serve the files of an index. */
  readonly indexHosts: readonly string[];
}

const PUBLIC: Readonly<Record<Ecosystem, string>> = {
  python: 'https://pypi.org/simple',
  node: 'https://registry.npmjs.org',
};
/** Where a public index keeps its files. */
const FILES: Readonly<Record<string, readonly string[]>> = { 'pypi.org': ['files.pythonhosted.org'] };

/** Throws a Fault for what is no address of an index. */
export function indexPlace(ecosystem: Ecosystem, settings: IndexSettings): IndexPlace {
  const written = (ecosystem === 'python' ? settings.pythonIndex : settings.npmRegistry) ?? PUBLIC[ecosystem];
  const url = URL.parse(written);
  const host = url && canonicalHost(url.hostname);
  if (!url || !host) throw notAnIndex(written);
  const own: ReachRule = { host, port: Number(url.port) || (url.protocol === 'http:' ? 80 : 443), anyAddress: true };
  const others = [...(FILES[host] ?? []), ...settings.indexHosts].map(readHostRule);
  const secretUrl = url.href.replace(/\/$/, '');
  const plain = new URL(url.href);
  Object.assign(plain, { username: '', password: '' });
  return { url: plain.href.replace(/\/$/, ''), secretUrl, hosts: [own, ...others.map(anywhere)] };
}

function anywhere(rule: ReachRule): ReachRule {
  return { ...rule, anyAddress: true };
}

function notAnIndex(written: string): Fault {
  const shown = visible(written.replace(/\/\/[^/@]*@/, '//'));
  return new Fault('ConfigInvalid', {
    en: `no address of a package index: ${shown}`,
    zh: `不是软件包索引地址: ${shown}`,
  });
}
