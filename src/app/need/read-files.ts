// What the files of a skill say that it needs; nothing of it is run.
import { findPackages } from '../../environment/need/find.ts';
import { readNeeds } from '../../skill/need/read.ts';
import type { FoundNeeds } from './cache.ts';
import type { PythonFacts } from './python-facts.ts';
import { type ReadableSkill, readSources, tooDeep } from './sources.ts';

/** `parse` tells facts of Python sources, as far as it can. */
export async function readFiles(
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
