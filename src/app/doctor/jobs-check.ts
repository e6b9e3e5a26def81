// Whether queued jobs wait for what no live worker has, and every schedule can run: part of `doctor`.
import { toFault } from '../../base/errors.ts';
import { inLanguage, type Text } from '../../base/language.ts';
import { type Unmet, unmetNeeds } from '../../jobs/able.ts';
import type { ScheduleTrouble } from '../../jobs/trouble.ts';
import { withJobQueue } from '../job/open-jobs.ts';
import { findTroubles } from '../job/trouble.ts';
import type { Runtime } from '../runtime.ts';
import type { MachineCheck } from './machine.ts';

const FINE: Text = { en: 'nothing waits for what no worker has', zh: '没有任务在等待执行者所缺的条件' };

const ALL_RUN: Text = { en: 'nothing keeps a schedule from running', zh: '没有定时任务受阻' };

/** Only where there is a queue: looking would make it. */
export async function checkJobs(runtime: Runtime): Promise<MachineCheck[]> {
  const say = (text: Text) => inLanguage(text, runtime.language);
  try {
    return await withJobQueue(runtime, async (queue) => {
      const unmet = await unmetNeeds(queue, runtime.clock.now());
      const place = { labels: runtime.config.labels, isTrusted: runtime.isTrusted() };
      const troubles = await findTroubles(runtime, queue, place);
      const [jobs, schedules] = [unmet.map((need) => say(sayNeed(need))), troubles.map((one) => say(sayTrouble(one)))];
      return [
        { name: 'jobs', needed: false, ok: jobs.length === 0, detail: jobs.join('; ') || say(FINE) },
        { name: 'schedules', needed: false, ok: schedules.length === 0, detail: schedules.join('; ') || say(ALL_RUN) },
      ];
    });
  } catch (error) {
    return [{ name: 'jobs', needed: false, ok: false, detail: say(toFault(error).sentence) }];
  }
}

function sayTrouble({ schedule, says, command }: ScheduleTrouble): Text {
  return { en: `${schedule}: ${says.en}: ${command}`, zh: `${schedule}: ${says.zh}: ${command}` };
}

export function sayNeed({ jobs, why }: Unmet): Text {
  return {
    en: `${jobs} ${jobs === 1 ? 'job waits' : 'jobs wait'}: ${why.en}`,
    zh: `${jobs} 个任务在等待: ${why.zh}`,
  };
}
