// `record`: notes that a skill was used by someone who runs it without this tool.
import { findSkill } from '../../../app/find-skill.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { SkillEntry } from '../../../registry/discover.ts';
import { recordUse, usageOf } from '../../../registry/usage.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { SKILL } from '../../frame/skill-arguments.ts';

export const command: Command = {
  positionals: [SKILL],
  options: [
    { name: 'failed', summary: { en: 'it failed: counted apart', zh: '执行失败，单独计数' } },
    { name: 'duration', value: 'SECONDS', summary: { en: 'how long it took', zh: '耗时' } },
  ],
  examples: ['skillwright record markdown-converter --duration 1.8', 'skillwright record csv-insights --failed'],
  about: {
    en: 'What this tool runs is recorded by itself. A prompt skill is read, not run, and is not counted.',
    zh: '由本工具执行的技能会自动记录。提示词技能只被阅读，不计数。',
  },
  async run({ positionals, options, runtime }) {
    const skill = findSkill(runtime.index(), positionals[0] ?? '');
    const durationMs = readSeconds(textOption(options, 'duration'));
    using store = await runtime.openStore();
    await recordUse(store, skill, { ok: !isOn(options, 'failed'), durationMs, at: runtime.clock.now() });
    const { count, failures } = usageOf(store, skill);
    const summary = skill.kind === 'prompt' ? notCounted(skill) : counted(skill, count, failures);
    const data = { skill: skill.skillId, recorded: skill.kind !== 'prompt', count, failures };
    return { outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data) };
  },
};

function readSeconds(written: string | undefined): number {
  if (written === undefined) return 0;
  if (/^\d{1,7}(?:\.\d{1,6})?$/.test(written)) return Number(written) * 1000;
  const shown = visible(written);
  throw new Fault('Usage', {
    en: `--duration cannot be ${shown}: write seconds, such as 1.8`,
    zh: `--duration 不能是 ${shown}: 请写秒数，如 1.8`,
  });
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
