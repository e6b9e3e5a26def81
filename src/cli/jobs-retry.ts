// `jobs retry`: a job that failed, was cancelled, skipped or waits is queued once more.
import type { Text } from '../base/language.ts';
import { makeOutcome } from '../base/outcome.ts';
import { openJobQueue } from '../open-jobs.ts';
import type { Command } from './command.ts';
import { findJob } from './jobs-view.ts';

const ANSWERS = {
  queued: { en: 'queued once more; `skillwright start` runs it', zh: '已重新入队，由 `skillwright start` 执行' },
  active: { en: 'it is queued or running already', zh: '已在队列中或正在运行' },
  done: { en: 'it was done; `jobs run` starts another one', zh: '已完成；用 `jobs run` 另起一个' },
  unknown: { en: 'no such job', zh: '没有此任务' },
} as const satisfies Record<string, Text>;

export const command: Command = {
  positionals: [{ name: 'job', required: true, summary: { en: 'its id, or latest', zh: '任务 id，或 latest' } }],
  options: [],
  examples: ['skillwright jobs retry latest'],
  async run({ positionals: [id = ''], runtime }) {
    const queue = await openJobQueue(runtime);
    try {
      const job = await findJob(queue, id);
      const answer = await queue.retry(job.id);
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
