// Brings newer versions of installed skills from where they came.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import type { JudgedSkill } from '../../distribution/judge.ts';
import { type LockedSkill, readLock } from '../../distribution/lock.ts';
import { findPlace, type InstallPlace } from '../../distribution/place.ts';
import type { Runtime } from '../runtime.ts';
import { carryOut, emptyPlan, type InstallOrder, type InstallResult } from './carry-out.ts';
import { openInstalled } from './open-sources.ts';
import { openServedSources } from './served-sources.ts';

/** All installed skills unless names are given; no items where nothing is installed. */
export async function updateSkills(
  names: readonly string[],
  order: InstallOrder,
  runtime: Runtime,
): Promise<InstallResult> {
  runtime.requireConfig();
  const place = findPlace(runtime, order.scope);
  const skills = chooseLocked(place, names);
  if (skills.length === 0) return { ...emptyPlan(place), ended: 'installed' };
  const check = (items: readonly JudgedSkill[]) => refuseOthers(items, skills);
  await using servers = openServedSources(runtime);
  const offers = await openInstalled(skills, 'newest', place, { cwd: order.folder, servers }, runtime);
  return await carryOut({ command: 'update', place, offers, check }, order, runtime);
}

function chooseLocked(place: InstallPlace, names: readonly string[]): LockedSkill[] {
  const { skills } = readLock(place.lockFile);
  if (names.length === 0) return [...skills];
  return names.map((written) => {
    const found = skills.find(({ name, folder }) => name === written || folder === written);
    if (found) return found;
    const list = skills.map(({ name }) => visible(name)).join(', ');
    throw new Fault('SkillNotFound', visible(written), {
      hint: { en: `Installed here: ${list || 'nothing'}.`, zh: `已安装: ${list || '无'}。` },
    });
  });
}

/** An update brings what is installed, never a skill of another name in its stead. */
function refuseOthers(items: readonly JudgedSkill[], skills: readonly LockedSkill[]): void {
  for (const { candidate } of items) {
    const { name } = candidate.manifest;
    if (skills.some((skill) => skill.name === name)) continue;
    throw new Fault(
      'IntegrityMismatch',
      {
        en: `${visible(candidate.origin.location)} now has ${visible(name)} in the place of what was installed`,
        zh: `${visible(candidate.origin.location)} 中原技能的位置现在是 ${visible(name)}`,
      },
      {
        hint: {
          en: 'If that is meant, install it by its new name.',
          zh: '如确属有意，请按新名称安装。',
        },
      },
    );
  }
}
