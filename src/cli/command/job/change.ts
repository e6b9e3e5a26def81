// What `jobs cancel` and `jobs retry` share: one job, one change of it, and a sentence about what became of it.
import { openJobQueue } from '../../../app/job/open-jobs.ts';
import { findJob } from '../../../app/view/jobs.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import type { Queue } from '../../../store/queue.ts';
import type { Awaitable } from '../../../store/store.ts';
import type { Command, Positional } from '../../frame/command.ts';

export const JOB: Positional = {
  name: 'job',
  required: true,
  summary: { en: 'its id, or latest', zh: '任务 id，或 latest' },
};

export function changeOfJob<Answer extends string>(
  word: string,
  change: (queue: Queue, id: string) => Awaitable<Answer>,
  answers: Readonly<Record<Answer, Text>>,
): Command {
  return {
    positionals: [JOB],
    options: [],
    examples: [`skillwright jobs ${word} latest`],
    async run({ positionals: [written = ''], runtime }) {
      const queue = await openJobQueue(runtime);
      try {
        const { id } = await findJob(queue, written);
        const answer = await change(queue, id);
        const summary = { en: `${id}: ${answers[answer].en}`, zh: `${id}: ${answers[answer].zh}` };
        return { outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, { job: id, answer }) };
      } finally {
        await queue.close();
      }
    },
  };
}
