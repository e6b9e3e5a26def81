// The installed skills that jobs may name beside those of their role.
import { once } from '../../base/once.ts';
import type { FindInstalled } from '../../jobs/target-skill.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { resolveSkill } from '../../registry/resolve.ts';
import type { Runtime } from '../runtime.ts';

/** The index is read when the first one is asked for, and once. */
export function installedIn(runtime: Pick<Runtime, 'index'>): FindInstalled {
  const index = once(() => runtime.index());
  return (name) => {
    const resolved = resolveSkill(index(), name);
    return 'found' in resolved ? resolved.found : undefined;
  };
}

/** One that was just installed counts after this: an index of thousands of skills is not free. */
const FRESH_MS = 10_000;

/** Those that a job can be pinned to. */
export function executablesIn(runtime: Pick<Runtime, 'index'>): () => readonly SkillEntry[] {
  let known: { readonly skills: readonly SkillEntry[]; readonly at: number } | undefined;
  return () => {
    if (!known || performance.now() - known.at >= FRESH_MS) {
      const skills = runtime.index().skills.filter(({ kind }) => kind !== 'prompt');
      known = { skills, at: performance.now() };
    }
    return known.skills;
  };
}
