// `update`: newer versions of installed skills from where they came; what would change is shown before it does.

import { choosePlace, installOptions, runInstall, withSourcePlaces } from '../../../app/install/carry-out.ts';
import { Fault } from '../../../base/errors.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { JudgedSkill } from '../../../distribution/judge.ts';
import { type LockedSkill, readLock } from '../../../distribution/lock.ts';
import { type InstallPlace, SCOPES } from '../../../distribution/place.ts';
import { reopenSources } from '../../../distribution/source/reopen.ts';
import type { Command, CommandContext, Reply } from '../../frame/command.ts';
import { commandLine } from '../../frame/command-line.ts';

export const command: Command = {
  positionals: [
    {
      name: 'skill',
      many: true,
      skill: true,
      summary: { en: 'these skills; all installed ones unless given', zh: '指定技能；默认全部已安装技能' },
    },
  ],
  options: [
    {
      name: 'scope',
      value: 'SCOPE',
      choices: SCOPES,
      summary: { en: 'of this project or of you; the project unless given', zh: '项目或用户；默认项目' },
    },
    { name: 'force', summary: { en: 'replace what was changed by hand', zh: '替换手工修改的内容' } },
    { name: 'replace', summary: { en: 'accept another publisher', zh: '允许发布者改变' } },
    { name: 'allow-downgrade', summary: { en: 'accept an older version', zh: '允许降级' } },
    { name: 'backup', summary: { en: 'keep the old versions until you throw them away', zh: '永久保留旧版本' } },
    { name: 'dry-run', summary: { en: 'show what would change', zh: '仅显示变化' } },
  ],
  examples: ['skillwright update --dry-run', 'skillwright update pdf --yes'],
  async run(context) {
    const { runtime, positionals, options } = context;
    runtime.requireConfig();
    const place = choosePlace(runtime, options);
    const skills = chooseLocked(place, positionals);
    if (skills.length === 0) return nothing(context);
    const base = place.scope === 'project' ? runtime.project : process.cwd();
    const reopening = { aim: 'newest', isTrusted: place.scope === 'user' || runtime.trusted } as const;
    const offers = await withSourcePlaces(runtime, base, (places) => reopenSources(skills, reopening, places));
    const again = commandLine('update', command, context);
    const check = (items: readonly JudgedSkill[]) => refuseOthers(items, skills);
    return await runInstall({ place, offers, options: installOptions(options), again, check }, context);
  },
};

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

function nothing({ runtime }: CommandContext): Reply {
  const said = { en: 'nothing is installed here', zh: '此处没有已安装的技能' };
  const data = { installed: [], unchanged: [], findings: [] };
  return { outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, data) };
}
