// `jobs enable`: a schedule goes on from now, for the files its skill has now; also while `start` runs.
import { openJobQueue } from '../../../app/job/open-jobs.ts';
import { findSchedule, time } from '../../../app/view/jobs.ts';
import { Fault } from '../../../base/errors.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { nextMoment } from '../../../jobs/moment.ts';
import { digestOfTarget } from '../../../jobs/pin.ts';
import type { Queue } from '../../../store/queue.ts';
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
    const schedule = await findSchedule(runtime.project, id);
    if (!schedule.enabled) throw offInFile(id);
    const digest = await digestOfTarget(runtime.project, schedule.role, schedule.target);
    if (digest === undefined) throw new Fault('SkillNotFound', visible(id));
    const now = runtime.clock.now();
    const queue = await openJobQueue(runtime);
    try {
      const pinned = schedule.follow === 'pinned' ? digest : '';
      await queue.schedules.open({ id, written: schedule.written, digest: pinned, plannedTo: now });
      await queue.schedules.enable(id, pinned, now);
      await forgetOutdated(queue, id, pinned);
    } finally {
      await queue.close();
    }
    const next = time(nextMoment(schedule.when, schedule.timezone, now));
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

/** Of what it goes on without: queued for files nobody may have any more, it would only hold up the rest. */
async function forgetOutdated(queue: Queue, schedule: string, digest: string): Promise<void> {
  for (const job of await queue.history({ schedule, states: ['queued'] })) {
    if (job.digest !== undefined && job.digest !== digest) await queue.cancel(job.id);
  }
}

function offInFile(id: string): Fault {
  return new Fault(
    'ConfigInvalid',
    { en: `${visible(id)} says enabled: false in agent.yaml`, zh: `${visible(id)} 在 agent.yaml 中为 enabled: false` },
    {
      hint: { en: 'Change it there, then `skillwright trust`.', zh: '请在该文件中修改，再运行 `skillwright trust`。' },
    },
  );
}
