// Wheels made of Python packages that are installed on this machine: what real skills import, without a public index.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type PackedFile, wheel } from './packages.ts';

const DEBIAN = '/usr/lib/python3/dist-packages';

interface Installed {
  /** Where its modules lie. */
  readonly root: string;
  readonly name: string;
  readonly version: string;
  readonly requires: readonly string[];
  readonly modules: readonly string[];
}

export interface InstalledPackages {
  readonly all: ReadonlyMap<string, Installed>;
  readonly tag: string;
}

/** By their names as an index folds them: those of that Python, and of Debian's where it is of the same version. */
export function installedPackages(python: string): InstalledPackages {
  const roots = [...(tagOf('/usr/bin/python3') === tagOf(python) ? [DEBIAN] : []), sitePackages(python)];
  const infos = roots.flatMap((root) => namesIn(root).map((name) => ({ root, name })));
  const read = infos
    .filter(({ name }) => /\.(?:dist|egg)-info$/.test(name))
    .map(({ root, name }) => readInfo(root, name));
  return { all: new Map(read.filter((one) => one !== undefined)), tag: tagOf(python) };
}

function namesIn(root: string): string[] {
  return existsSync(root) ? readdirSync(root) : [];
}

function sitePackages(python: string): string {
  return said(python, 'import sysconfig; print(sysconfig.get_path("purelib"))');
}

/** Of wheels with compiled parts. */
function tagOf(python: string): string {
  const code =
    'import sys, sysconfig; v = "cp%d%d" % sys.version_info[:2]; print(v, v, sysconfig.get_platform().replace("-", "_"), sep="-")';
  return existsSync(python) ? said(python, code) : '';
}

function said(python: string, code: string): string {
  return execFileSync(python, ['-c', code], { encoding: 'utf8' }).trim();
}

function readInfo(root: string, folder: string): [string, Installed] | undefined {
  const info = path.join(root, folder);
  const file = [path.join(info, 'METADATA'), path.join(info, 'PKG-INFO'), info].find(isFile);
  const text = file === undefined ? '' : readFileSync(file, 'utf8');
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1]?.trim();
  const [name, version] = [field('Name'), field('Version')];
  if (name === undefined || version === undefined) return undefined;
  const requires = [...text.matchAll(/^Requires-Dist: ([\w.-]+)([^\n]*)$/gm)].filter(
    ([, , rest = '']) => !/extra *==|; *(?:python_version|sys_platform|platform)/.test(rest),
  );
  const listed = path.join(info, 'top_level.txt');
  const modules = isFile(listed)
    ? readFileSync(listed, 'utf8').split('\n').filter(Boolean)
    : [...new Set([...modulesIn(path.join(info, 'RECORD')), name, fold(name).replaceAll('-', '_')])];
  return [
    fold(name),
    { root, name: fold(name), version, requires: requires.map(([, one = '']) => fold(one)), modules },
  ];
}

/** The first part of each listed path that Python can import. */
function modulesIn(record: string): string[] {
  const lines = isFile(record) ? readFileSync(record, 'utf8').split('\n') : [];
  return lines.map((line) => /^([A-Za-z_]\w*)(?:\/|\.py,)/.exec(line)?.[1]).filter((name) => name !== undefined);
}

export function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** The package and what it needs, as far as they are installed. */
export function installedWheels(wanted: string, from: InstalledPackages, known: Set<string>): PackedFile[] {
  const { all, tag } = from;
  const found = all.get(fold(wanted));
  if (!found || known.has(found.name)) return [];
  known.add(found.name);
  const requires = found.requires.filter((name) => all.has(name));
  const files = Object.fromEntries(found.modules.flatMap((module) => filesOf(found.root, module)));
  const compiled = Object.keys(files).some((file) => file.endsWith('.so'));
  const { name, version } = found;
  const own = wheel({ name, version, requires, files, ...(compiled && { tag }) });
  return [own, ...requires.flatMap((one) => installedWheels(one, from, known))];
}

function filesOf(root: string, module: string): [string, Buffer][] {
  const folder = path.join(root, module);
  const names = readdirSync(root).filter(
    (name) => name === `${module}.py` || (name.startsWith(`${module}.`) && name.endsWith('.so')),
  );
  const inside =
    existsSync(folder) && statSync(folder).isDirectory()
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${module}/${name}`)
      : [];
  return [...names, ...inside]
    .filter((name) => !/(?:^|\/)(?:__pycache__|tests?)\//.test(name) && isFile(path.join(root, name)))
    .map((name) => [name, readFileSync(path.join(root, name))]);
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
