// A skill that would be installed, with what its code would need of the machine and of a person, read where it is staged.
import { absolutePath } from '../../base/value/absolute-path.ts';
import type { Prepared } from '../../distribution/install.ts';
import type { JudgedSkill } from '../../distribution/judge.ts';
import { searchNeedsHere } from '../need/find.ts';
import { judgeAll } from '../need/judge.ts';
import type { JudgedNeed } from '../need/state.ts';
import type { Runtime } from '../runtime.ts';

export interface PlannedSkill extends JudgedSkill {
  /** Only of what is new. */
  readonly needs: readonly JudgedNeed[];
}

export async function withNeeds({ items, stagedAt }: Prepared, runtime: Runtime): Promise<PlannedSkill[]> {
  const planned: PlannedSkill[] = [];
  for (const [at, item] of items.entries())
    planned.push({ ...item, needs: await needsOf(item, stagedAt(at), runtime) });
  return planned;
}

async function needsOf({ candidate, action }: JudgedSkill, staged: string, runtime: Runtime): Promise<JudgedNeed[]> {
  if (action === 'unchanged') return [];
  const { manifest, folderName } = candidate;
  const skill = { name: manifest.name, folderName, manifest, folder: absolutePath(staged) };
  return await judgeAll(await searchNeedsHere(skill), skill, runtime, { mayStart: false });
}
