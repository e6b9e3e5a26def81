// `jobs show`: one job with everything the queue knows of it, and its whole outcome.
import { makeOutcome } from '../base/outcome.ts';
import { renderList } from '../base/terminal.ts';
import { visible } from '../base/text.ts';
import { openJobQueue } from '../open-jobs.ts';
import type { Command } from './command.ts';
import { describeJob, findJob, JOB_STATES, readResult, sayReason } from './jobs-view.ts';
import { outcomeBody } from './outcome-body.ts';

export const command: Command = {
  positionals: [{ name: 'job', required: true, summary: { en: 'its id, or latest', zh: '任务 id，或 latest' } }],
  options: [],
  examples: ['skillwright jobs show latest', 'skillwright jobs show latest --json'],
  async run({ positionals: [id = ''], runtime, terminal }) {
    const queue = await openJobQueue(runtime);
    try {
      const job = await findJob(queue, id);
      const result = readResult(job) ?? null;
      const { language } = runtime;
      const summary = {
        en: visible(`${job.target}: ${JOB_STATES[job.state].en}`),
        zh: visible(`${job.target}: ${JOB_STATES[job.state].zh}`),
      };
      const data = {
        job: { ...describeJob(job), outcome: result, worker: job.worker ?? null, digest: job.digest ?? null },
      };
      const facts = Object.entries(describeJob(job)).flatMap(([name, value]): [string, string][] => {
        if (value === null || typeof value === 'object') return [];
        return [[name, name === 'reason' ? sayReason(String(value), language) : visible(String(value))]];
      });
      const said: [string, string][] = result ? [['outcome', visible(result.summary)]] : [];
      const body = result ? outcomeBody(result) : undefined;
      const human = [renderList([...facts, ...said], terminal), ...(body === undefined ? [] : ['', body])].join('\n');
      return { outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, data), human };
    } finally {
      await queue.close();
    }
  },
};
