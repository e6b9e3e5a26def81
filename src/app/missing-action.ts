// Whoever calls a skill without an action is told which there are, or how a skill without actions is run.

import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import { typedWord } from '../base/text/shell-word.ts';
import { visible } from '../base/text.ts';
import { actionsInScript } from '../protocol/spoken-action.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { findTarget } from './find-target.ts';
import type { Runtime } from './runtime.ts';

/** A skill, or role/skill; where there is none, the failure says so. */
export async function missingAction(reference: string, source: string | undefined, runtime: Runtime): Promise<Fault> {
  const { skill } = await findTarget(reference, source, runtime);
  const hint = whatToSay(reference, skill);
  return new Fault('Usage', { en: 'missing argument: <action>', zh: '缺少参数: <action>' }, { hint });
}

function whatToSay(reference: string, skill: SkillEntry): Text {
  const { kind } = skill;
  const shown = visible(reference);
  const invoked = typedWord(`@${reference.replace(/^@/, '')}`);
  if (kind !== 'protocol')
    return {
      en: `${shown} is a ${kind} skill without actions: skillwright invoke ${invoked}`,
      zh: `${shown} 是 ${kind} 技能，没有操作: skillwright invoke ${invoked}`,
    };
  const list = declaredActions(skill);
  if (list !== '') return { en: `${shown} can do: ${list}.`, zh: `${shown} 支持的操作: ${list}。` };
  const spoken = spokenActions(skill);
  if (spoken !== '')
    return {
      en: `${shown} declares no actions; its script speaks of: ${spoken}.`,
      zh: `${shown} 未声明操作；其脚本提到: ${spoken}。`,
    };
  const ask = `\`skillwright call ${typedWord(reference)} describe\``;
  return { en: `${shown} declares no actions; ${ask} asks it.`, zh: `${shown} 未声明操作；${ask} 可询问。` };
}

/** For a skill with actions that somebody wants to run like a command. */
export function notACommand(skill: SkillEntry): Fault {
  const shown = visible(skill.name);
  const list = declaredActions(skill) || spokenActions(skill);
  return new Fault(
    'InvalidArgs',
    { en: `${shown} has actions, not a command`, zh: `${shown} 提供的是操作而非命令` },
    {
      hint: {
        en: `\`skillwright call ${typedWord(skill.name)} <action>\`${list === '' ? '' : `: ${list}`}`,
        zh: `\`skillwright call ${typedWord(skill.name)} <操作>\`${list === '' ? '' : `：${list}`}`,
      },
    },
  );
}

function declaredActions({ manifest }: SkillEntry): string {
  return (manifest.actions ?? []).map(({ name }) => visible(name)).join(', ');
}

function spokenActions({ folder, manifest }: SkillEntry): string {
  return actionsInScript(folder, manifest.entry).map(visible).join(', ');
}
