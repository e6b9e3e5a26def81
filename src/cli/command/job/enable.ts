// `jobs enable`: a schedule goes on from now, for the files its skill has now; also while `start` runs.
import { enableSchedule } from '../../../app/job/schedule.ts';
import { time } from '../../../app/view/jobs.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';

export const command: Command = {
  about: {
    en: 'A schedule that stopped because its skill changed is bound to the files as they are now.',
    zh: '因技能更改而停止的定时任务将绑定到当前文件。',
  },
  positionals: [
    { name: 'schedule', required: true, summary: { en: 'as `jobs list` names it', zh: '`jobs list` 所示名称' } },
  ],
  options: [],
  examples: ['skillwright jobs enable dev_efficiency_analyst/daily_briefing'],
  async run({ positionals: [id = ''], runtime }) {
    const next = time(await enableSchedule(id, runtime));
    const summary = { en: `${visible(id)} is on, next ${next}`, zh: `${visible(id)} 已启用，下次 ${next}` };
    return {
      outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, {
        schedule: id,
        state: 'active',
        next,
      }),
    };
  },
};
