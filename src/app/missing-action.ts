// Whoever calls a skill without an action is told which there are, or how a skill without actions is run.
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import { visible } from '../base/text.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { resolveSkill } from '../registry/resolve.ts';
import { findRoleSkill } from '../registry/role/role.ts';
import type { Runtime } from './runtime.ts';

/** A skill, or role/skill. */
export async function missingAction(reference: string, { project, index }: Runtime): Promise<Fault> {
  const ofRole = await findRoleSkill(project, reference);
  const resolved = resolveSkill(index(), reference);
  const skill = ofRole?.skill ?? ('found' in resolved ? resolved.found : undefined);
  const hint = skill && whatToSay(visible(reference), skill);
  return new Fault('Usage', { en: 'missing argument: <action>', zh: '缺少参数: <action>' }, hint ? { hint } : {});
}

function whatToSay(shown: string, { kind, manifest }: SkillEntry): Text | undefined {
  if (kind !== 'protocol')
    return {
      en: `${shown} is a ${kind} skill without actions: skillwright invoke @${shown.replace(/^@/, '')}`,
      zh: `${shown} 是 ${kind} 技能，没有操作: skillwright invoke @${shown.replace(/^@/, '')}`,
    };
  const list = (manifest.actions ?? []).map(({ name }) => visible(name)).join(', ');
  if (list === '') return undefined;
  return { en: `${shown} can do: ${list}.`, zh: `${shown} 支持的操作: ${list}。` };
}
