// `record`: notes that a skill was used by someone who runs it without this tool.
import { recordSkill } from '../../../app/skill/record.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { secondsOption } from '../../frame/seconds.ts';
import { SKILL, SOURCE } from '../../frame/skill-arguments.ts';

export const command: Command = {
  positionals: [SKILL],
  options: [
    SOURCE,
    { name: 'failed', summary: { en: 'it failed: counted apart', zh: '执行失败，单独计数' } },
    { name: 'duration', value: 'SECONDS', summary: { en: 'how long it took', zh: '耗时' } },
  ],
  examples: ['skillwright record markdown-converter --duration 1.8', 'skillwright record csv-insights --failed'],
  about: {
    en: 'What this tool runs is recorded by itself. A prompt skill is read, not run, and is not counted.',
    zh: '由本工具执行的技能会自动记录。提示词技能只被阅读，不计数。',
  },
  async run({ positionals, options, runtime }) {
    const use = {
      source: textOption(options, 'source'),
      ok: !isOn(options, 'failed'),
      durationMs: (secondsOption(options, 'duration') ?? 0) * 1000,
    };
    return { outcome: await recordSkill(runtime, positionals[0] ?? '', use) };
  },
};
