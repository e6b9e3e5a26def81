// The packages a skill does not work without: those it can do without, nobody has to be able to install.
import type { FoundPackages } from '../../environment/need/mention.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { searchNeeds } from '../need/find.ts';
import type { Runtime } from '../runtime.ts';

export async function neededPackages(skill: SkillEntry, runtime: Runtime): Promise<FoundPackages> {
  const { packages } = await searchNeeds(skill, runtime);
  return { ...packages, needs: packages.needs.filter(({ optional }) => !optional) };
}
