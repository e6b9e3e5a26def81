// Wheels made of Python packages that are installed on this machine: what real skills import, without a public index.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type PackedFile, wheel } from './packages.ts';

const DEBIAN = '/usr/lib/python3/dist-packages';

interface Installed {
  /** Where its modules lie. */
  readonly root: string;
  /** Where it says what it is. */
  readonly info: string;
  readonly name: string;
  readonly version: string;
  /** As its publisher wrote it: pip judges the markers. */
  readonly metadata: string;
  readonly needs: readonly Need[];
  /** The first part of what can be imported of it. */
  readonly modules: readonly string[];
  /** Below its root; undefined where nobody wrote a list. */
  readonly listed: readonly string[] | undefined;
}

interface Need {
  readonly name: string;
  readonly onlyOfExtra: boolean;
}

export interface InstalledPackages {
  /** Whoever imports from these folders by it has all of them. */
  readonly python: string;
  readonly roots: readonly string[];
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
  return { python, roots, all: new Map(read.filter((one) => one !== undefined)), tag: tagOf(python) };
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
  const metadata = file === undefined ? '' : withRequires(readFileSync(file, 'utf8'), path.join(info, 'requires.txt'));
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(metadata)?.[1]?.trim();
  const [name, version] = [field('Name'), field('Version')];
  if (name === undefined || version === undefined) return undefined;
  const needs = [...metadata.matchAll(/^Requires-Dist: ([\w.-]+)([^\n]*)$/gm)].map(([, one = '', rest = '']) => ({
    name: fold(one),
    onlyOfExtra: /extra *==/.test(rest),
  }));
  const listed = filesListed(path.join(info, 'RECORD'), folder);
  const top = path.join(info, 'top_level.txt');
  const modules = listed
    ? modulesIn(listed)
    : isFile(top)
      ? readFileSync(top, 'utf8').split('\n').filter(Boolean)
      : [...new Set([name, fold(name).replaceAll('-', '_')])];
  return [fold(name), { root, info, name: fold(name), version, metadata, needs, modules, listed }];
}

/** Before there were wheels, needs stood in a file of their own: by extra and marker, `[extra:marker]`. */
function withRequires(metadata: string, file: string): string {
  if (/^Requires-Dist: /m.test(metadata) || !isFile(file)) return metadata;
  let marker = '';
  const lines: string[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const section = /^\[([^:\]]*):?(.*)\]$/.exec(line);
    if (!section) lines.push(`Requires-Dist: ${line}${marker}`);
    else {
      const [, extra = '', condition = ''] = section;
      const both = [condition && `(${condition})`, extra && `extra == "${extra}"`].filter(Boolean);
      marker = both.length > 0 ? ` ; ${both.join(' and ')}` : '';
    }
  }
  return metadata.replace(/^Version: .+$/m, (found) => [found, ...lines].join('\n'));
}

/** Scripts of `bin` are made anew, compiled files are not kept. */
function filesListed(record: string, info: string): string[] | undefined {
  if (!isFile(record)) return undefined;
  const names = readFileSync(record, 'utf8')
    .split('\n')
    .map((line) => /^"?(.+?)"?,[^,]*,\d*\r?$/.exec(line)?.[1])
    .filter((name) => name !== undefined);
  return names.filter((name) => !/^(?:\.\.\/|\/)|(?:^|\/)__pycache__\//.test(name) && !name.startsWith(`${info}/`));
}

function modulesIn(listed: readonly string[]): string[] {
  const firsts = listed.map((name) => /^([A-Za-z_]\w*)(?:\/|\.py$|\.[\w.-]*so$)/.exec(name)?.[1]);
  return [...new Set(firsts.filter((name) => name !== undefined))];
}

export function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** The package and what it needs, as far as they are installed. */
export function installedWheels(
  wanted: string,
  from: InstalledPackages,
  known: Set<string>,
  withExtras = true,
): PackedFile[] {
  const { all, tag } = from;
  const found = all.get(fold(wanted));
  if (!found || known.has(found.name)) return [];
  known.add(found.name);
  const needs = found.needs.filter(({ onlyOfExtra }) => withExtras || !onlyOfExtra);
  return [packAgain(found, tag), ...needs.flatMap(({ name }) => installedWheels(name, from, known, false))];
}

/** With the very words of its publisher, as far as the installation has kept them. */
function packAgain({ root, info, name, version, metadata, modules, listed }: Installed, own: string): PackedFile {
  const names = listed ?? modules.flatMap((module) => namesOf(root, module));
  const files = Object.fromEntries(
    names.filter((one) => isFile(path.join(root, one))).map((one) => [one, readFileSync(path.join(root, one))]),
  );
  const said = path.join(info, 'WHEEL');
  const about = isFile(said) ? readFileSync(said, 'utf8') : '';
  const isCompiled = names.some((file) => file.endsWith('.so'));
  const tag = tagIn(about) ?? (isCompiled ? own : 'py3-none-any');
  const starts = path.join(info, 'entry_points.txt');
  const more = {
    METADATA: metadata,
    ...(about !== '' && { WHEEL: about }),
    ...(isFile(starts) && { 'entry_points.txt': readFileSync(starts) }),
  };
  return wheel({ name, version, files, tag, info: more });
}

/** All that it is for, as the name of a wheel says it: `py2.py3-none-any`. */
function tagIn(about: string): string | undefined {
  const tags = [...about.matchAll(/^Tag: ([^-\s]+)-([^-\s]+)-(\S+)/gm)];
  const parts = [1, 2, 3].map((at) => [...new Set(tags.map((tag) => tag[at]))].join('.'));
  return tags.length > 0 ? parts.join('-') : undefined;
}

function namesOf(root: string, module: string): string[] {
  const names = readdirSync(root).filter(
    (name) => name === `${module}.py` || (name.startsWith(`${module}.`) && name.endsWith('.so')),
  );
  const folder = path.join(root, module);
  const inside =
    existsSync(folder) && statSync(folder).isDirectory()
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${module}/${name}`)
      : [];
  return [...names, ...inside].filter((name) => !/(?:^|\/)__pycache__\//.test(name));
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
