// The skills of a toolset as they are handed on to others: whole files, read when they are asked for, where policy lets them be.
import path from 'node:path';
import { Fault } from '../../../base/errors.ts';
import { isHiddenFile } from '../../../base/hidden-files.ts';
import { isRecord, type Json, toJson } from '../../../base/json.ts';
import { nameFault } from '../../../door/fail.ts';
import { permitReading } from '../../../door/perform.ts';
import { realFolderOf } from '../../../loader/body.ts';
import { readBytes } from '../../../loader/read-text.ts';
import type { ListedSkill } from '../../../registry/discover.ts';
import { isForModels } from '../../../registry/search/index.ts';
import { findBody, readFrontmatter } from '../../../skill/read/frontmatter.ts';
import { listKinds } from '../../../skill/tree.ts';
import type { PublishedSkill, PublishedSkills } from '../public/published.ts';
import type { Ground } from './reading.ts';

const SPEAKER = { agent: 'skills', surface: 'invoke' } as const;
const MANIFEST = 'SKILL.md';

/** What every host has to take; larger ones would be refused there. */
const MOST_FILES = 512;
const MOST_BYTES = 16 * 1024 * 1024;
const MOMENT_MS = 500;

export function publishedSkills({ runtime, door, names }: Ground): PublishedSkills {
  const isOffered = (skill: ListedSkill) => isForModels(skill) && (names?.has(skill.name) ?? true);
  const offered = forMoment(() => runtime.index().skills.filter(isOffered));
  const find = (name: string) => offered().find((skill) => skill.name === name);
  return {
    heads: () => offered().map(({ name, description }) => ({ name, description })),
    open(name) {
      const skill = find(name);
      return skill && readWhole(skill);
    },
    async refusal(name, file) {
      const skill = find(name);
      if (!skill) return `no skill ${name}`;
      const written = file === MANIFEST ? path.basename(skill.file) : file;
      try {
        door.requireUnchanged(skill, { file: written });
      } catch (error) {
        return nameFault(error).message;
      }
      const refused = await permitReading(skill, written, door.context, door, SPEAKER, 'host');
      return refused?.summary;
    },
  };
}

/** Whoever reads many files in a row is not kept waiting for each by a look at all the folders; what is in them is read anew. */
function forMoment<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value; readonly at: number } | undefined;
  return () => {
    const now = performance.now();
    if (!made || now - made.at > MOMENT_MS) made = { value: make(), at: now };
    return made.value;
  };
}

function readWhole(skill: ListedSkill): PublishedSkill | undefined {
  try {
    const folder = realFolderOf(skill);
    const manifest = path.basename(skill.file);
    const files = new Map<string, Uint8Array>();
    let left = MOST_BYTES;
    for (const file of pathsOf(skill, folder)) {
      const bytes = readBytes(folder, file, { maxBytes: left });
      left -= bytes.length;
      files.set(file === manifest ? MANIFEST : file, bytes);
    }
    const written = files.get(MANIFEST);
    if (!written || files.size > MOST_FILES) return undefined;
    const text = new TextDecoder().decode(written);
    const { values = {}, block } = readFrontmatter(text, skill.file);
    const { name, description } = skill;
    return { name, description, values: inJson(values), body: findBody(text, block).body, files };
  } catch (error) {
    // What cannot be read whole cannot be checked by whoever gets it, so it is not served.
    if (error instanceof Fault || (error instanceof Error && 'code' in error)) return undefined;
    throw error;
  }
}

/** Ordinary files; what is hidden stays here, and other skills in the folder are served by themselves. */
function pathsOf({ without = [] }: ListedSkill, folder: string): string[] {
  const isClosed = (part: string) => part.startsWith('.') || part === 'node_modules';
  return listKinds(folder)
    .filter(({ path: file, stats }) => stats.isFile() && !file.split('/').some(isClosed) && !isHiddenFile(file))
    .map(({ path: file }) => file)
    .filter((file) => !without.includes(file.split('/', 1)[0] ?? ''))
    .sort();
}

function inJson(values: object): Record<string, Json> {
  const json = toJson(values);
  return isRecord(json) ? json : {};
}
