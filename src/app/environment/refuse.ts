// What keeps a skill's packages from being prepared before anybody asks the index.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import type { NeedSet } from '../../environment/need/need-set.ts';
import type { PackageNeeds } from '../../environment/need/package-need.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';

/** Two places of one skill ask for what no version fits. */
export function refuseConflicts({ conflicts }: PackageNeeds, skill: SkillEntry): void {
  if (conflicts.length === 0) return;
  const shown = conflicts.map(({ name, specs }) => {
    const places = specs.map(({ spec, foundIn }) => `${spec} (${foundIn.file}:${foundIn.line})`);
    return visible(`${name} ${places.join(', ')}`);
  });
  const name = visible(calledName(skill));
  throw new Fault(
    'PackageRefused',
    { en: `${name} asks for ${shown.join('; ')}`, zh: `${name} 的要求相互冲突: ${shown.join('；')}` },
    { details: { conflicts: [...conflicts] } },
  );
}

/** A name that was only guessed is decided about by a person: anybody may have taken it. */
export function isGuess({ needs }: PackageNeeds): boolean {
  return needs.some(({ certainty }) => certainty === 'guessed');
}

export function notLocked({ wanted }: NeedSet, file: string): Fault {
  const shown = wanted.slice(0, 5).map(visible).join(', ');
  return new Fault(
    'PackageRefused',
    { en: `not locked for this machine: ${shown}`, zh: `未为本机锁定: ${shown}` },
    {
      details: { wanted: [...wanted], lock: file },
      hint: {
        en: 'Run `skillwright prepare <skill>` without --frozen to resolve it, and commit .agent/environments.lock.json.',
        zh: '不带 --frozen 运行 `skillwright prepare <技能>` 进行解析，并提交 .agent/environments.lock.json。',
      },
    },
  );
}
