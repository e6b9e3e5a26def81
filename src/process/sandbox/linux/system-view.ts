// Which parts of the system every sandboxed program may read, and what an interpreter outside them needs.
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPath } from '../../../base/paths.ts';
import type { OrderNetwork } from '../../order.ts';

interface SystemEntry {
  readonly path: string;
  readonly link?: string;
}

const TOP_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];

// Named one by one: /etc also holds keys, accounts and host names.
const SETTINGS = [
  // Without these, installed programs do not start or do not find their parts; none of them holds a secret.
  ...['/etc/matplotlibrc', '/etc/libreoffice', '/etc/ghostscript', '/etc/papersize', '/etc/paper.specs'],
  // Its neighbours there may hold keys; without any of them Chromium does not start.
  '/etc/chromium.d/default-flags',
  ...['/etc/magic', '/etc/xml', '/etc/sgml', '/etc/texmf', '/etc/R', '/etc/perl'],
  ...['/etc/os-release', '/etc/debian_version', '/etc/locale.alias', '/etc/dictionaries-common', '/etc/vulkan'],
  ...['/etc/ld.so.cache', '/etc/alternatives', '/etc/localtime', '/etc/timezone', '/etc/mime.types', '/etc/fonts'],
  ...['/etc/services', '/etc/ssl/certs', '/etc/ssl/openssl.cnf', '/etc/ca-certificates'],
  ...['/etc/pki/tls/certs', '/etc/pki/tls/openssl.cnf', '/etc/pki/ca-trust/extracted', '/etc/crypto-policies'],
  // What packages have prepared: without it fonts are searched anew in every call, and TeX has no formats.
  ...['/var/cache/fontconfig', '/var/lib/texmf', '/var/lib/dictionaries-common'],
];
/** Of which there is one for each version. */
const VERSIONED_SETTINGS = /^(?:python3|java-\d+-openjdk|ImageMagick-\d+)$/;

const NETWORK_SETTINGS = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/host.conf',
  '/etc/gai.conf',
  '/etc/protocols',
];

const PREFIX_PARTS = ['bin', 'lib', 'lib64', 'libexec', 'pyvenv.cfg'];

/** Folders as the host has them: a link stays a link, so that paths mean the same inside. */
export function systemFolders(): SystemEntry[] {
  return TOP_FOLDERS.flatMap((folder): SystemEntry[] => {
    const entry = lstatSync(folder, { throwIfNoEntry: false });
    if (entry?.isSymbolicLink()) return [{ path: folder, link: readlinkSync(folder) }];
    return entry?.isDirectory() ? [{ path: folder }] : [];
  });
}

export function systemSettings(network: OrderNetwork): string[] {
  const wanted = [...SETTINGS, ...versionedSettings(), ...(network === 'all' ? NETWORK_SETTINGS : [])];
  return wanted.filter((file) => realPath(file) !== undefined);
}

function versionedSettings(): string[] {
  const names = readdirSync('/etc').filter((name) => VERSIONED_SETTINGS.test(name));
  return names.map((name) => path.join('/etc', name));
}

/**
 * What a program outside the system folders needs of its own installation. Never the whole prefix: that of
 * `~/bin/tool` is a home folder.
 */
export function installationOf(program: string): string[] {
  const real = realPath(program);
  if (real === undefined) return [];
  const needed = new Set<string>();
  for (const file of new Set([program, real])) {
    if (isSystemPath(file)) continue;
    for (const part of partsAround(file)) needed.add(part);
  }
  return [...needed];
}

export function isSystemPath(file: string): boolean {
  return TOP_FOLDERS.some((folder) => isInside(folder, file));
}

function partsAround(file: string): string[] {
  const folder = path.dirname(file);
  const prefix = path.dirname(folder);
  if (path.basename(folder) !== 'bin' || !lstatSync(path.join(prefix, 'lib'), { throwIfNoEntry: false })) return [file];
  const parts = PREFIX_PARTS.map((part) => path.join(prefix, part));
  return parts.filter((part) => lstatSync(part, { throwIfNoEntry: false }));
}
