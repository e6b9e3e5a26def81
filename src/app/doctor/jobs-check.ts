// Whether queued jobs wait for what no live worker has: part of `doctor`.
import { toFault } from '../../base/errors.ts';
import { inLanguage, type Text } from '../../base/language.ts';
import { type Unmet, unmetNeeds } from '../../jobs/able.ts';
import { withJobQueue } from '../job/open-jobs.ts';
import type { Runtime } from '../runtime.ts';
import type { MachineCheck } from './machine.ts';

const FINE: Text = { en: 'nothing waits for what no worker has', zh: '没有任务在等待执行者所缺的条件' };

/** Only where there is a queue: looking would make it. */
export async function checkJobs(runtime: Runtime): Promise<MachineCheck> {
  const check = { name: 'jobs', needed: false };
  try {
    const unmet = await withJobQueue(runtime, (queue) => unmetNeeds(queue, runtime.clock.now()));
    const said = unmet.map((need) => inLanguage(sayNeed(need), runtime.language)).join('; ');
    return { ...check, ok: unmet.length === 0, detail: said || inLanguage(FINE, runtime.language) };
  } catch (error) {
    return { ...check, ok: false, detail: inLanguage(toFault(error).sentence, runtime.language) };
  }
}

export function sayNeed({ jobs, why }: Unmet): Text {
  return {
    en: `${jobs} ${jobs === 1 ? 'job waits' : 'jobs wait'}: ${why.en}`,
    zh: `${jobs} 个任务在等待: ${why.zh}`,
  };
}
