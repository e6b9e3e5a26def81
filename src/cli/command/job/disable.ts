// `jobs disable`: a schedule stands still until somebody enables it; also while `start` runs.
import { openJobQueue } from '../../../app/job/open-jobs.ts';
import { findSchedule } from '../../../app/view/jobs.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { type Command, textOption } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    { name: 'schedule', required: true, summary: { en: 'as `jobs list` names it', zh: '`jobs list` 所示名称' } },
  ],
  options: [{ name: 'reason', value: 'TEXT', summary: { en: 'why, for `jobs list`', zh: '原因，显示于 `jobs list`' } }],
  examples: ['skillwright jobs disable dev_efficiency_analyst/daily_briefing --reason "holidays"'],
  async run({ positionals: [id = ''], options, runtime }) {
    const schedule = await findSchedule(runtime.project, id);
    const queue = await openJobQueue(runtime);
    try {
      await queue.schedules.disable(schedule.id, textOption(options, 'reason') ?? '');
    } finally {
      await queue.close();
    }
    const summary = { en: `${visible(id)} is off`, zh: `${visible(id)} 已停用` };
    return {
      outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, { schedule: id, state: 'disabled' }),
    };
  },
};
