// Between npm's own lock and ours: what is kept of each package, what is refused, and the same lock written for npm again.
import path from 'node:path';
import { coversHost } from '../../base/host-rule.ts';
import { isRecord, type Json, jsonIfValid } from '../../base/json.ts';
import { refusePackages } from '../build/refusal.ts';
import type { IndexPlace } from '../index-place.ts';
import { KEPT_OF_NPM, type LockEntry, type LockedPackage } from '../lock/lock-entry.ts';

const MODULES = 'node_modules/';
const INTEGRITY = /sha512-[A-Za-z0-9+/]{86}==/;

/** Throws a Fault that names what does not come from the index, has no hash, or would run code. */
export function readPackageLock(text: string, index: IndexPlace): LockedPackage[] {
  const lock = jsonIfValid(text);
  const packages = isRecord(lock) && isRecord(lock.packages) ? lock.packages : {};
  refuseBundled(packages);
  return (
    Object.entries(packages)
      .filter(([at]) => at !== '')
      // A folder elsewhere is named by the link that leads to it.
      .sort(([a], [b]) => Number(b.startsWith(MODULES)) - Number(a.startsWith(MODULES)))
      .map(([at, value]) => readPackage(at, isRecord(value) ? value : {}, index))
      .sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1))
  );
}

/** What lies in the archive of another package: each such package is named with what it carries. */
function refuseBundled(packages: Readonly<Record<string, unknown>>): void {
  const carried = Object.entries(packages).filter(([, value]) => isRecord(value) && value.inBundle === true);
  const named = Object.entries(Object.groupBy(carried, ([at]) => carrierOf(at, packages))).map(
    ([carrier, inside = []]) =>
      `${wordOf(carrier, packages)} (${inside.map(([at]) => wordOf(at, packages)).join(', ')})`,
  );
  if (named.length > 0) throw refusePackages('bundled', named);
}

/** The nearest folder around it that is in no bundle itself. */
function carrierOf(at: string, packages: Readonly<Record<string, unknown>>): string {
  const around = at.slice(0, Math.max(0, at.lastIndexOf(`/${MODULES}`)));
  const value = packages[around];
  return around !== '' && isRecord(value) && value.inBundle === true ? carrierOf(around, packages) : around;
}

function wordOf(at: string, packages: Readonly<Record<string, unknown>>): string {
  const value = packages[at];
  const name = at.split(MODULES).at(-1) ?? at;
  return isRecord(value) && typeof value.version === 'string' ? `${name}@${value.version}` : name;
}

function readPackage(at: string, value: Record<string, unknown>, index: IndexPlace): LockedPackage {
  const name = typeof value.name === 'string' ? value.name : (at.split(MODULES).at(-1) ?? at);
  const { version, resolved, integrity, hasInstallScript } = value;
  const word = [name, version].filter((part) => part !== undefined).join('@');
  if (value.link === true || typeof version !== 'string' || typeof resolved !== 'string')
    throw refusePackages('address', [word]);
  if (!isOfIndex(resolved, index)) throw refusePackages('address', [`${word} (${resolved})`]);
  const hash = INTEGRITY.exec(String(integrity ?? ''))?.[0];
  if (hash === undefined) throw refusePackages('unhashed', [word]);
  const more = Object.fromEntries(
    KEPT_OF_NPM.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key] as Json]])),
  );
  return {
    ...{ name, version, hashes: [hash], at },
    from: resolved.startsWith(`${index.url}/`) ? resolved.slice(index.url.length + 1) : resolved,
    ...(Object.keys(more).length > 0 && { more }),
    ...(hasInstallScript === true && { scripts: true as const }),
  };
}

function isOfIndex(resolved: string, { hosts }: IndexPlace): boolean {
  const url = URL.parse(resolved);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '') return false;
  const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
  return hosts.some((rule) => coversHost(rule, url.hostname, port));
}

/** The names of those that have scripts to be run at installation. */
export function withScripts({ packages }: Pick<LockEntry, 'packages'>): string[] {
  return packages.flatMap(({ name, version, scripts }) => (scripts ? [`${name}@${version}`] : []));
}

/** `name@range` as the dependencies of a package.json. */
export function dependenciesOf(wanted: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    wanted.map((word) => {
      const at = word.indexOf('@', 1);
      return at === -1 ? [word, '*'] : [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

export function renderPackageLock({ wanted, packages }: LockEntry, index: IndexPlace): string {
  const listed = packages.map(({ name, version, hashes, at = '', from = '', more, scripts }) => {
    const resolved = /^https?:/.test(from) ? from : `${index.url}/${from}`;
    const own = path.posix.basename(at) === path.posix.basename(name) ? {} : { name };
    return [
      at,
      { ...more, ...own, version, resolved, integrity: hashes[0], ...(scripts && { hasInstallScript: true }) },
    ];
  });
  const root = { name: 'environment', dependencies: dependenciesOf(wanted) };
  const all = { '': root, ...Object.fromEntries(listed) };
  return JSON.stringify({ name: 'environment', lockfileVersion: 3, requires: true, packages: all }, undefined, 2);
}
