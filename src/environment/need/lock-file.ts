// Exact versions out of lock files of other tools: those of uv, poetry, pdm and pipenv, and those of npm, yarn, pnpm and bun.
import { isRecord, parseJson } from '../../base/json.ts';
import type { Ecosystem } from './package-need.ts';
import { normalName } from './requirement.ts';
import { parseToml } from './toml.ts';

export interface LockedVersions {
  readonly ecosystem: Ecosystem;
  readonly file: string;
  /** The version that stands for this demand; undefined where it says none. */
  of(name: string, spec: string): string | undefined;
}

type Versions = (name: string, spec: string) => string | undefined;

const READERS: readonly (readonly [RegExp, Ecosystem, (text: string) => Versions])[] = [
  [/(?:^|\/)(?:uv|poetry|pdm)\.lock$|\.py\.lock$/, 'python', ofToml],
  [/(?:^|\/)Pipfile\.lock$/, 'python', ofPipfile],
  [/(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/, 'node', ofNpm],
  [/(?:^|\/)yarn\.lock$/, 'node', ofYarn],
  [/(?:^|\/)pnpm-lock\.yaml$/, 'node', ofPnpm],
  [/(?:^|\/)bun\.lock$/, 'node', ofBun],
];

export function isLockFile(file: string): boolean {
  return READERS.some(([shape]) => shape.test(file));
}

/** Undefined for a file that is no lock or cannot be read. */
export function readLockFile(file: string, text: string): LockedVersions | undefined {
  const reader = READERS.find(([shape]) => shape.test(file));
  if (!reader) return undefined;
  const [, ecosystem, read] = reader;
  try {
    return { ecosystem, file, of: read(text) };
  } catch {
    return undefined;
  }
}

function ofToml(text: string): Versions {
  const { package: listed } = parseToml(text);
  const packages = (Array.isArray(listed) ? listed : []).filter(isRecord);
  const versions = new Map<string, string>();
  for (const { name, version } of packages)
    if (typeof name === 'string' && typeof version === 'string') versions.set(normalName(name), version);
  return (name) => versions.get(name);
}

function ofPipfile(text: string): Versions {
  const lock = parseJson(text);
  const listed = isRecord(lock) && isRecord(lock.default) ? lock.default : {};
  const entries = Object.entries(listed).flatMap(([name, value]): [string, string][] =>
    isRecord(value) && typeof value.version === 'string' ? [[normalName(name), value.version.replace(/^==/, '')]] : [],
  );
  const versions = new Map(entries);
  return (name) => versions.get(name);
}

function ofNpm(text: string): Versions {
  const lock = parseJson(text);
  if (!isRecord(lock)) return () => undefined;
  const packages = isRecord(lock.packages) ? lock.packages : {};
  const old = isRecord(lock.dependencies) ? lock.dependencies : {};
  return (name) => {
    const entry = packages[`node_modules/${name}`] ?? old[name];
    return isRecord(entry) && typeof entry.version === 'string' ? entry.version : undefined;
  };
}

/** Before 2 and since; the demand is part of the key. */
function ofYarn(text: string): Versions {
  const versions = new Map<string, string>();
  for (const [, head = '', version = ''] of text.matchAll(/^(\S[^\n]*):\r?\n {2}version:? "?([^"\s]+)"?/gm))
    for (const key of head.split(/,\s*/)) versions.set(key.replace(/^"|"$/g, '').replace('@npm:', '@'), version);
  return (name, spec) => versions.get(`${name}@${spec}`) ?? versions.get(`${name}@${spec === '' ? '*' : spec}`);
}

function ofPnpm(text: string): Versions {
  const shape = /^ {2,}'?((?:@[^/'\s]+\/)?[^:'\s]+)'?:\r?\n[ \t]+specifier: [^\n]*\n[ \t]+version: '?([^\s('_]+)/gm;
  const versions = new Map([...text.matchAll(shape)].map(([, name = '', version = '']) => [name, version]));
  return (name) => exactOnly(versions.get(name));
}

function ofBun(text: string): Versions {
  const shape = /^[ \t]+"([^"]+)": \["((?:@[^/"]+\/)?[^@"]+)@([^"]+)"/gm;
  const versions = new Map(
    [...text.matchAll(shape)].flatMap(([, key, name, version]) => (key === name ? [[name, version] as const] : [])),
  );
  return (name) => exactOnly(versions.get(name));
}

/** Not a link to another folder. */
function exactOnly(version: string | undefined): string | undefined {
  return version !== undefined && /^\d/.test(version) ? version : undefined;
}
