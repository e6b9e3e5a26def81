// `skills-lock.json`, as the `skills` tool writes it: where each skill came from, and a hash of its folder.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import type { OfferedFile, Origin } from './offer.ts';

export interface ForeignSkill {
  readonly name: string;
  readonly origin: Origin;
  readonly hash?: string;
}

const FILE = 'skills-lock.json';

/** Empty where there is no such file; entries from unsupported sources are left out. */
export function readForeignLock(project: string): ForeignSkill[] {
  const text = readTextIfThere(path.join(project, FILE));
  if (text === undefined) return [];
  const value = parse(text);
  if (!isRecord(value) || !isRecord(value.skills)) throw new Fault('StateUnusable', FILE);
  return Object.entries(value.skills)
    .map(([name, entry]) => (isRecord(entry) ? readEntry(name, entry) : undefined))
    .filter((skill) => skill !== undefined);
}

/** Their hash: paths in collation order, each followed by its bytes. */
export function foreignHash(files: readonly OfferedFile[]): string {
  const hash = createHash('sha256');
  for (const file of files.toSorted((a, b) => a.path.localeCompare(b.path))) hash.update(file.path).update(file.read());
  return hash.digest('hex');
}

function readEntry(name: string, entry: Record<string, unknown>): ForeignSkill | undefined {
  const { source, sourceType, ref, skillPath, computedHash } = entry;
  if (typeof source !== 'string') return undefined;
  const isShort = sourceType === 'github' && /^[\w.-]+\/[\w.-]+$/.test(source);
  const location = isShort ? `https://github.com/${source}` : source;
  if (!isShort && !/^(?:https|ssh):\/\//.test(source)) return undefined;
  const inside = typeof skillPath === 'string' ? skillPath.replace(/\/?SKILL\.md$/, '') : name;
  const origin: Origin = {
    kind: 'git',
    location,
    ...(typeof ref === 'string' && { ref, ...(/^[0-9a-f]{40}$/.test(ref) && { commit: ref }) }),
    ...(inside !== '' && { path: inside }),
  };
  return { name, origin, ...(typeof computedHash === 'string' && { hash: computedHash }) };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Fault('StateUnusable', visible(FILE), { cause: error });
  }
}
