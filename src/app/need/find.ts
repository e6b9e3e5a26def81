// What a skill needs, as its files say; where they were read before, nothing that reads them is loaded.
import type { SkillEntry } from '../../registry/discover.ts';
import type { Need } from '../../skill/need/need.ts';
import type { Runtime } from '../runtime.ts';
import { cachedNeeds, type FoundNeeds } from './cache.ts';
import type { ReadableSkill } from './sources.ts';

/** By file and line; never throws for what is in a file. */
export async function findNeeds(skill: SkillEntry, runtime: Runtime): Promise<readonly Need[]> {
  return (await searchNeeds(skill, runtime)).needs;
}

/** The same, with what was not read. */
export async function searchNeeds(skill: ReadableSkill, runtime: Runtime): Promise<FoundNeeds> {
  return await cachedNeeds(skill, runtime, async () => {
    const { readFiles } = await import('./read-files.ts');
    const { pythonFacts } = await import('./python-facts.ts');
    return await readFiles(skill, (texts) => pythonFacts(texts, runtime));
  });
}

/** The same, for a moment at which no program may be started: Python is read by patterns, which see a little less. */
export async function searchNeedsHere(skill: ReadableSkill): Promise<FoundNeeds> {
  const { readFiles } = await import('./read-files.ts');
  return await readFiles(skill, async (texts) => ({ facts: texts.map(() => undefined) }));
}
