// What a skill needs, found by reading its files; nothing of it is run.
import { findPackages } from '../../environment/need/find.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { Need } from '../../skill/need/need.ts';
import { readNeeds } from '../../skill/need/read.ts';
import type { Runtime } from '../runtime.ts';
import { cachedNeeds, type FoundNeeds } from './cache.ts';
import { type PythonFacts, pythonFacts } from './python-facts.ts';
import { type ReadableSkill, readSources, tooDeep } from './sources.ts';

/** By file and line; never throws for what is in a file. */
export async function findNeeds(skill: SkillEntry, runtime: Runtime): Promise<readonly Need[]> {
  return (await searchNeeds(skill, runtime)).needs;
}

/** The same, with what was not read. */
export async function searchNeeds(skill: ReadableSkill, runtime: Runtime): Promise<FoundNeeds> {
  return await cachedNeeds(skill, runtime, async () => {
    return await readAll(skill, (texts) => pythonFacts(texts, runtime));
  });
}

/** The same, for a moment at which no program may be started: Python is read by patterns, which see a little less. */
export async function searchNeedsHere(skill: ReadableSkill): Promise<FoundNeeds> {
  return await readAll(skill, async (texts) => ({ facts: texts.map(() => undefined) }));
}

async function readAll(
  skill: ReadableSkill,
  parse: (texts: readonly string[]) => Promise<PythonFacts>,
): Promise<FoundNeeds> {
  const { sources, paths, diagnostics } = readSources(skill);
  const python = sources.filter(({ kind }) => kind === 'python');
  const { facts, standard } = await parse(python.map(({ text }) => text));
  const known = new Map(python.map(({ path }, at) => [path, facts[at]]));
  const read = sources.map((source) => ({ ...source, facts: known.get(source.path) }));
  const { needs, deep } = await readNeeds(skill.manifest, read);
  const shell = sources.some(({ kind }) => kind === 'shell') ? await import('unbash') : undefined;
  const packages = findPackages(read, { manifest: skill.manifest, paths, standard, shell });
  return { needs, packages, diagnostics: [...diagnostics, ...deep.map((file) => tooDeep(skill, file))] };
}
