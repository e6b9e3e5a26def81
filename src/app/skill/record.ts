// Counts a use of a skill by someone who runs it without this tool.
import type { Text } from '../../base/language.ts';
import { makeOutcome, type Outcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { recordUse, usageOf } from '../../registry/usage.ts';
import { findSkill } from '../find-skill.ts';
import type { Runtime } from '../runtime.ts';

export interface NotedUse {
  readonly source?: string | undefined;
  readonly ok?: boolean;
  readonly durationMs?: number;
}

export async function recordSkill(runtime: Runtime, written: string, use: NotedUse = {}): Promise<Outcome> {
  const skill = findSkill(runtime.index(), written, use.source);
  const { ok = true, durationMs = 0 } = use;
  using store = await runtime.openStore();
  await recordUse(store, skill, { ok, durationMs, at: runtime.clock.now() });
  const { count, failures } = usageOf(store, skill);
  const summary = skill.kind === 'prompt' ? notCounted(skill) : counted(skill, count, failures);
  const data = { skill: skill.skillId, recorded: skill.kind !== 'prompt', count, failures };
  return makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data);
}

function counted({ name }: SkillEntry, count: number, failures: number): Text {
  const shown = visible(name);
  return {
    en: `recorded: ${shown}, succeeded ${count}, failed ${failures}`,
    zh: `已记录: ${shown}, 成功 ${count} 次, 失败 ${failures} 次`,
  };
}

function notCounted({ name }: SkillEntry): Text {
  const shown = visible(name);
  return { en: `not counted: ${shown} is a prompt skill`, zh: `不计数: ${shown} 是提示词技能` };
}
