// Needs by digest, kept under home: equal files need the same, and starting Python for them takes longer than all the rest.
import path from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { makeFolder, writeFileAtomic } from '../../base/files.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import type { FoundPackages } from '../../environment/need/mention.ts';
import { isFoundPackages } from '../../environment/need/stored.ts';
import { digestIfSound } from '../../skill/digest.ts';
import { NEED_KINDS, type Need, SURENESS } from '../../skill/need/need.ts';
import type { Runtime } from '../runtime.ts';
import type { ReadableSkill } from './sources.ts';

export interface FoundNeeds {
  readonly needs: readonly Need[];
  readonly packages: FoundPackages;
  /** What was not read, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Increment when the same files are read differently. */
const READER_VERSION = 8;

/** What could not be read completely is read again the next time. */
export async function cachedNeeds(
  skill: ReadableSkill,
  { home, env }: Runtime,
  find: () => Promise<FoundNeeds>,
): Promise<FoundNeeds> {
  const digest = digestIfSound(skill);
  if (digest === undefined) return await find();
  const folder = path.join(home, '.agent', 'cache', 'needs');
  const file = path.join(folder, `${digest.replace(/\W/g, '-')}.json`);
  const version = `${READER_VERSION} ${env.PATH ?? ''}`;
  const known = readNeedsFile(file, version);
  if (known) return { ...known, diagnostics: [] };
  const found = await find();
  if (found.diagnostics.length === 0)
    keep(folder, file, JSON.stringify({ version, needs: found.needs, packages: found.packages }));
  return found;
}

function keep(folder: string, file: string, content: string): void {
  try {
    makeFolder(folder);
    writeFileAtomic(file, content);
  } catch {
    // A home that cannot be written costs time, nothing else.
  }
}

function readNeedsFile(file: string, version: string): Omit<FoundNeeds, 'diagnostics'> | undefined {
  try {
    const stored = parseJson(readTextIfThere(file) ?? '{}');
    if (!isRecord(stored) || stored.version !== version || !Array.isArray(stored.needs)) return undefined;
    const needs: unknown[] = stored.needs;
    const packages: unknown = stored.packages;
    return needs.every(isNeed) && isFoundPackages(packages) ? { needs, packages } : undefined;
  } catch {
    return undefined;
  }
}

function isNeed(value: unknown): value is Need {
  if (!isRecord(value)) return false;
  const { kind, name, port, file, line, sure, how } = value;
  return (
    NEED_KINDS.some((one) => one === kind) &&
    SURENESS.some((one) => one === sure) &&
    [name, file, how].every((one) => typeof one === 'string') &&
    Number.isInteger(line) &&
    (port === undefined || Number.isInteger(port))
  );
}
