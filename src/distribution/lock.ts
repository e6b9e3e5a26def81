// `skills.lock.json`: what was installed, from where, as which exact files. It is a record, not a permission.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, writeFileAtomic } from '../base/files.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { visible } from '../base/text.ts';
import { type Digest, isDigest } from '../base/value/digest.ts';
import { type DigestFile, digestFiles } from '../skill/digest.ts';
import type { Origin } from './source/offer.ts';
import { isFolderName } from './source/offered-skill.ts';

export interface LockedSkill {
  readonly name: string;
  /** Path below the root. */
  readonly folder: string;
  readonly version?: string;
  readonly digest: Digest;
  readonly source: Origin;
  readonly files: readonly DigestFile[];
  /** The key that signed it. */
  readonly signer?: string;
  readonly installed: string;
  /** Fields of a later version of the format, kept as they were. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

export interface Lock {
  readonly skills: readonly LockedSkill[];
  readonly unknown: Readonly<Record<string, unknown>>;
}

export interface LockChange {
  readonly name: string;
  /** Absent: the entry is removed. */
  readonly set?: LockedSkill;
}

const VERSION = 1;
const KINDS = ['archive', 'folder', 'git', 'index', 'mcp'] as const;
const MODES = ['file', 'executable', 'link'] as const;

/** A missing file is an empty lock; a damaged one is a Fault, never an empty lock. */
export function readLock(file: string): Lock {
  const text = readTextIfThere(file);
  return text === undefined ? { skills: [], unknown: {} } : parseLock(text, file);
}

export function changeLock(file: string, changes: readonly LockChange[]): void {
  const { skills, unknown } = readLock(file);
  const changed = new Map(skills.map((skill) => [skill.name, skill]));
  for (const { name, set } of changes) {
    if (set) changed.set(name, set);
    else changed.delete(name);
  }
  makeFolder(path.dirname(file), 0o755);
  writeFileAtomic(file, renderLock({ skills: [...changed.values()], unknown }), { mode: 0o644, durable: true });
}

/** Replaces everything, even when the old file could not be read. */
export function rewriteLock(file: string, skills: readonly LockedSkill[]): void {
  makeFolder(path.dirname(file), 0o755);
  writeFileAtomic(file, renderLock({ skills, unknown: {} }), { mode: 0o644, durable: true });
}

function parseLock(text: string, file: string): Lock {
  const value = parse(text, file);
  if (!isRecord(value) || !Array.isArray(value.skills)) throw unusable(file, 'skills');
  const { version, skills, ...unknown } = value;
  if (version !== VERSION) throw unusable(file, `version ${visible(String(version))}`);
  const read = skills.map((skill, index) => readSkill(skill) ?? raise(unusable(file, `skills[${index}]`)));
  if (new Set(read.map(({ name }) => name)).size !== read.length) throw unusable(file, 'one name twice');
  return { skills: read, unknown };
}

/** Sorted, one field a line: the same skills give the same text, and a change is a small diff. */
function renderLock({ skills, unknown }: Lock): string {
  const sorted = skills.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `${JSON.stringify({ version: VERSION, ...unknown, skills: sorted.map(renderSkill) }, undefined, 2)}\n`;
}

export function renderSkill({ unknown, name, folder, version, digest, source, signer, installed, files }: LockedSkill) {
  const fields = { name, folder, version, digest, source, signer, installed, files };
  return { ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)), ...unknown };
}

/** Undefined when inconsistent: names, types, or a digest that does not match its files. */
export function readSkill(value: unknown): LockedSkill | undefined {
  if (!isRecord(value)) return undefined;
  const { name, folder, version, digest, source, files, signer, installed, ...unknown } = value;
  const origin = readOrigin(source);
  const read = Array.isArray(files) ? files.map(readFile) : [];
  const listed = read.filter((file) => file !== undefined);
  if (typeof name !== 'string' || typeof folder !== 'string' || !isFolderName(folder) || origin === undefined)
    return undefined;
  // Every skill has a SKILL.md.
  if (listed.length === 0) return undefined;
  if (typeof installed !== 'string' || listed.length !== read.length) return undefined;
  if (!isDigest(digest) || digestFiles(listed) !== digest) return undefined;
  return {
    name,
    folder,
    ...(typeof version === 'string' && { version }),
    digest,
    source: origin,
    files: listed,
    ...(typeof signer === 'string' && { signer }),
    installed,
    ...(Object.keys(unknown).length > 0 && { unknown }),
  };
}

function readOrigin(value: unknown): Origin | undefined {
  if (!isRecord(value) || typeof value.location !== 'string') return undefined;
  const kind = KINDS.find((known) => known === value.kind);
  if (kind === undefined) return undefined;
  const optional = (['ref', 'commit', 'path', 'digest'] as const).filter((key) => typeof value[key] === 'string');
  return { kind, location: value.location, ...Object.fromEntries(optional.map((key) => [key, value[key]])) };
}

function readFile(value: unknown): DigestFile | undefined {
  if (!isRecord(value)) return undefined;
  const { path: name, size, sha256 } = value;
  const mode = MODES.find((known) => known === value.mode);
  if (typeof name !== 'string' || typeof size !== 'number' || !mode) return undefined;
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  return { path: name, size, mode, sha256 };
}

function parse(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : 'JSON', error);
  }
}

function unusable(file: string, detail: string, cause?: unknown): Fault {
  return new Fault('StateUnusable', visible(`${file}: ${detail}`), {
    cause,
    hint: {
      en: 'Correct the file or restore it from version control; `skillwright lock --rewrite` rewrites it from what is installed.',
      zh: '请修复该文件或从版本库恢复；`skillwright lock --rewrite` 可按已安装内容重写。',
    },
  });
}

function raise(fault: Fault): never {
  throw fault;
}
