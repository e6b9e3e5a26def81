// Wheels made of Python packages that Debian installed on this machine: what real skills import, without a public index.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type PackedFile, wheel } from './packages.ts';

const PACKAGES = '/usr/lib/python3/dist-packages';

interface Installed {
  readonly name: string;
  readonly version: string;
  readonly requires: readonly string[];
  readonly modules: readonly string[];
}

/** By their names as an index folds them. */
export function debianPackages(): ReadonlyMap<string, Installed> {
  if (!existsSync(PACKAGES)) return new Map();
  const infos = readdirSync(PACKAGES).filter((name) => /\.(?:dist|egg)-info$/.test(name));
  return new Map(infos.map((info) => readInfo(path.join(PACKAGES, info))).filter((one) => one !== undefined));
}

function readInfo(info: string): [string, Installed] | undefined {
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
    : [name, fold(name).replaceAll('-', '_')];
  return [fold(name), { name: fold(name), version, requires: requires.map(([, one = '']) => fold(one)), modules }];
}

export function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** The package and what it needs, as far as Debian has it. */
export function debianWheels(wanted: string, all: ReadonlyMap<string, Installed>, known: Set<string>): PackedFile[] {
  const found = all.get(fold(wanted));
  if (!found || known.has(found.name)) return [];
  known.add(found.name);
  const requires = found.requires.filter((name) => all.has(name));
  const files = Object.fromEntries(found.modules.flatMap(filesOf));
  const compiled = Object.keys(files).some((file) => file.endsWith('.so'));
  const { name, version } = found;
  const own = wheel({ name, version, requires, files, ...(compiled && { tag: tagHere() }) });
  return [own, ...requires.flatMap((one) => debianWheels(one, all, known))];
}

function filesOf(module: string): [string, Buffer][] {
  const folder = path.join(PACKAGES, module);
  const names = readdirSync(PACKAGES).filter(
    (name) => name === `${module}.py` || (name.startsWith(`${module}.`) && name.endsWith('.so')),
  );
  const inside =
    existsSync(folder) && statSync(folder).isDirectory()
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${module}/${name}`)
      : [];
  return [...names, ...inside]
    .filter((name) => !/(?:^|\/)(?:__pycache__|tests?)\//.test(name) && isFile(path.join(PACKAGES, name)))
    .map((name) => [name, readFileSync(path.join(PACKAGES, name))]);
}

/** Of Debian's own Python, which another one of that version takes, too. */
function tagHere(): string {
  const code =
    'import sys, sysconfig; v = "cp%d%d" % sys.version_info[:2]; print(v, v, sysconfig.get_platform().replace("-", "_"), sep="-")';
  return execFileSync('/usr/bin/python3', ['-c', code], { encoding: 'utf8' }).trim();
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
