// What the commands that install, update and roll back take in common: the scope, and who may say yes.
import type { InstallOrder, InstallPlan } from '../../app/install/carry-out.ts';
import type { Text } from '../../base/language.ts';
import { requireDigest } from '../../base/value/digest.ts';
import { OTHER_AGENTS } from '../../distribution/agent-folder.ts';
import { type InstallScope, SCOPES } from '../../distribution/place.ts';
import { chooseToInstall } from '../view/install-choice.ts';
import { askToInstall } from '../view/install-result.ts';
import { askWithout, type WaitingClock } from '../view/waiting.ts';
import { type CommandContext, isOn, listOption, type Option, type OptionValues } from './command.ts';

export function scopeOption(summary: Text): Option {
  return { name: 'scope', also: 'source', value: 'SCOPE', choices: SCOPES, summary };
}

export const SCOPE: Option = scopeOption({
  en: 'of this project or of you; the project unless given',
  zh: '项目或用户；默认项目',
});

export const FOR_AGENT: Option = {
  name: 'for',
  value: 'AGENT',
  many: true,
  choices: OTHER_AGENTS,
  summary: {
    en: 'another agent is to find it, too: a link in .claude/skills or .agents/skills leads to it',
    zh: '使其他智能体也能找到: 在 .claude/skills 或 .agents/skills 中建立链接',
  },
};

export const DIGEST: Option = {
  name: 'digest',
  value: 'DIGEST',
  many: true,
  summary: {
    en: 'only if it is exactly these files, as they were shown earlier',
    zh: '仅当文件与先前展示的完全一致时',
  },
};

export function readScope(options: OptionValues): InstallScope | undefined {
  return SCOPES.find((scope) => scope === options.scope);
}

/** Questions are asked while the clock stands still. */
export function readInstallOrder(context: CommandContext, waiting?: WaitingClock): InstallOrder {
  const { options, terminal } = context;
  return {
    scope: readScope(options),
    folder: process.cwd(),
    allowed: {
      force: isOn(options, 'force'),
      replace: isOn(options, 'replace'),
      allowDowngrade: isOn(options, 'allow-downgrade'),
      backup: isOn(options, 'backup'),
    },
    ...(options.digest !== undefined && { digests: listOption(options, 'digest').map(requireDigest) }),
    dryRun: isOn(options, 'dry-run'),
    yes: isOn(options, 'yes'),
    agents: listOption(options, 'for').flatMap((word) => OTHER_AGENTS.find((agent) => agent === word) ?? []),
    ...(terminal.interactive && {
      ask: askWithout(waiting, (plan: InstallPlan) => askToInstall(plan, context)),
      choose: askWithout(waiting, (choices: Parameters<typeof chooseToInstall>[0]) =>
        chooseToInstall(choices, context),
      ),
    }),
  };
}
