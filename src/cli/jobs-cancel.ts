// `jobs cancel`: a job that waits never runs; one that runs is ended with everything it started.
import type { Text } from '../base/language.ts';
import { makeOutcome } from '../base/outcome.ts';
import { openJobQueue } from '../open-jobs.ts';
import type { Command } from './command.ts';
import { findJob } from './jobs-view.ts';

const ANSWERS = {
  cancelled: { en: 'cancelled', zh: '已取消' },
  cancelling: { en: 'its worker ends it at the next beat', zh: '执行者将在下次心跳时终止它' },
  ended: { en: 'it has ended already', zh: '已结束' },
  unknown: { en: 'no such job', zh: '没有此任务' },
} as const satisfies Record<string, Text>;

export const command: Command = {
  positionals: [{ name: 'job', required: true, summary: { en: 'its id, or latest', zh: '任务 id，或 latest' } }],
  options: [],
  examples: ['skillwright jobs cancel latest'],
  async run({ positionals: [id = ''], runtime }) {
    const queue = await openJobQueue(runtime);
    try {
      const job = await findJob(queue, id);
      const answer = await queue.cancel(job.id);
      const said = ANSWERS[answer];
      const summary = { en: `${job.id}: ${said.en}`, zh: `${job.id}: ${said.zh}` };
      return {
        outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, { job: job.id, answer }),
      };
    } finally {
      await queue.close();
    }
  },
};
