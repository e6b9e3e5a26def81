// `.agent/environments.lock.json`: what the packages of a project's skills resolve to. It proposes, and permits nothing.
import path from 'node:path';
import { z } from 'zod';
import { Fault } from '../../base/errors.ts';
import { makeFolder, writeFileAtomic } from '../../base/files.ts';
import { type Json, parseJson, toJson } from '../../base/json.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { type Digest, isDigest } from '../../base/value/digest.ts';
import { needDigest } from '../need/need-set.ts';
import { entryHash, KEPT_OF_NPM, type LockEntry, type LockedEnvironment } from './lock-entry.ts';

const VERSION = 1;
const MOST = { environments: 1000, packages: 5000 } as const;

const digest = z.custom<Digest>(isDigest, 'a digest is expected');
/** No word of a command, no path, nothing that a resolver reads otherwise. */
const name = z.string().regex(/^(?:@[a-z0-9~][\w.~-]*\/)?[A-Za-z0-9~][\w.~-]{0,213}$/, 'no name of a package');
const version = z.string().regex(/^[A-Za-z0-9][\w.+!-]{0,127}$/, 'no version');
const hash = z.string().regex(/^(?:sha256:[0-9a-f]{64}|sha512-[A-Za-z0-9+/]{86}==)$/, 'no hash');
const folder = z
  .string()
  .max(1024)
  .regex(/^node_modules\/(?!.*(?:^|\/)\.\.?(?:\/|$))[\w@.~/-]+$/, 'no folder of a package');

const locked = z.strictObject({
  name,
  version,
  hashes: z.array(hash).min(1).max(64),
  at: folder.optional(),
  from: z
    .string()
    .max(2048)
    .regex(/^[\w@.~/%+:-]+$/, 'no place in an index')
    .optional(),
  // Nothing else: a place to fetch from would be one that nobody agreed to.
  more: z.partialRecord(z.enum(KEPT_OF_NPM), z.json()).optional(),
  scripts: z.literal(true).optional(),
});

const environment = z.strictObject({
  hash: digest,
  ecosystem: z.enum(['python', 'node']),
  needs: digest,
  wanted: z.array(z.string().min(1).max(1024)).min(1).max(MOST.packages),
  index: z.url({ protocol: /^https?$/ }),
  platform: z.string().regex(/^[\w.-]{1,64}$/),
  interpreter: z.string().regex(/^[\w.-]{1,64}$/),
  before: z.iso.datetime().nullable(),
  packages: z.array(locked).min(1).max(MOST.packages),
  resolved: z.strictObject({ by: z.string().max(64), at: z.iso.datetime() }),
  trees: z.record(z.string().regex(/^[\w. -]{1,128}$/), digest),
});

const schema = z.strictObject({
  version: z.literal(VERSION),
  environments: z.array(environment).max(MOST.environments),
});

/** A missing file is an empty lock. Throws a Fault that names the place for one that is damaged or edited by hand. */
export function readEnvironments(file: string): LockedEnvironment[] {
  const text = readTextIfThere(file);
  if (text === undefined) return [];
  const read = schema.safeParse(parse(text, file));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw unusable(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  return read.data.environments.map((one, at) => {
    const found = toLocked(one);
    if (!found) throw edited(file, `environments.${at} (${one.wanted.slice(0, 3).join(', ')})`);
    return found;
  });
}

/** One environment as it stands in the file; undefined for what is damaged or does not have its own hash. */
export function readLocked(value: unknown): LockedEnvironment | undefined {
  const read = environment.safeParse(value);
  return read.success ? toLocked(read.data) : undefined;
}

export function plainLocked({ hash: digested, entry, resolved, trees }: LockedEnvironment): Json {
  return toJson({ hash: digested, ...entry, resolved, trees: Object.fromEntries(Object.entries(trees).sort()) });
}

/** Undefined where what stands in it is not what its hash is of. */
function toLocked({ hash: written, resolved, trees, ...entry }: z.infer<typeof environment>) {
  const found = withoutGaps(entry);
  const isWhole = entryHash(found) === written && needDigest(entry.ecosystem, entry.wanted) === entry.needs;
  return isWhole ? { hash: written, entry: found, resolved, trees } : undefined;
}

/** The same environment once: the one that is written takes the place of what the same needs had here. */
export function writeEnvironment(file: string, added: LockedEnvironment): void {
  const others = readEnvironments(file).filter(({ entry }) => !isFor(entry, added.entry));
  const all = [...others, added].toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  makeFolder(path.dirname(file), 0o755);
  const text = `${JSON.stringify({ version: VERSION, environments: all.map(plainLocked) }, undefined, 2)}\n`;
  writeFileAtomic(file, text, { mode: 0o644, durable: true });
}

/** Whether both are for the same needs, on the same kind of machine, from the same index. */
export function isFor(
  entry: LockEntry,
  { needs, platform, interpreter, index }: Pick<LockEntry, 'needs' | 'platform' | 'interpreter' | 'index'>,
): boolean {
  return (
    entry.needs === needs && entry.platform === platform && entry.interpreter === interpreter && entry.index === index
  );
}

/** One field a line, in one order: a change is a small diff. */
function sortKey({ entry: { ecosystem, needs, platform, interpreter, index } }: LockedEnvironment): string {
  return [ecosystem, needs, platform, interpreter, index].join(' ');
}

type Gappy = z.infer<typeof environment>['packages'][number];

/** Fields that are not there are no fields that hold nothing. */
function withoutGaps(entry: Omit<LockEntry, 'packages'> & { readonly packages: readonly Gappy[] }): LockEntry {
  const packages = entry.packages.map(({ at, from, more, scripts, ...rest }) => ({
    ...rest,
    ...(at !== undefined && { at }),
    ...(from !== undefined && { from }),
    ...(more !== undefined && { more }),
    ...(scripts && { scripts }),
  }));
  return { ...entry, packages };
}

function parse(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : 'JSON', error);
  }
}

function unusable(file: string, detail: string, cause?: unknown): Fault {
  return new Fault('StateUnusable', visible(`${file}: ${detail}`), { cause, hint: RESTORE });
}

/** What stands in it is not what was resolved. */
function edited(file: string, where: string): Fault {
  return new Fault('IntegrityMismatch', visible(`${file}: ${where}`), {
    details: { file, where, check: 'environment-lock' },
    hint: RESTORE,
  });
}

const RESTORE = {
  en: 'Nothing was built from it. Restore the file from version control, or remove it and run `skillwright prepare <skill>` to resolve anew.',
  zh: '未据此构建任何内容。请从版本库恢复该文件，或将其删除后运行 `skillwright prepare <技能>` 重新解析。',
};
