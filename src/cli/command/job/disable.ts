// `jobs disable`: a schedule stands still until somebody enables it; also while `start` runs.
import { disableSchedule } from '../../../app/job/schedule.ts';
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
    await disableSchedule(id, textOption(options, 'reason') ?? '', runtime);
    const summary = { en: `${visible(id)} is off`, zh: `${visible(id)} 已停用` };
    return {
      outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, { schedule: id, state: 'disabled' }),
    };
  },
};
