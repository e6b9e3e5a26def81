// What `jobs cancel` and `jobs retry` share: one job, one change of it, and a sentence about what became of it.
import type { ChangedJob } from '../../../app/job/look.ts';
import type { Runtime } from '../../../app/runtime.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import type { Command, Positional } from '../../frame/command.ts';

export const JOB: Positional = {
  name: 'job',
  required: true,
  summary: { en: 'its id, or latest', zh: '任务 id，或 latest' },
};

export function changeOfJob<Answer extends string>(
  word: string,
  change: (written: string, runtime: Runtime) => Promise<ChangedJob<Answer>>,
  answers: Readonly<Record<Answer, Text>>,
): Command {
  return {
    positionals: [JOB],
    options: [],
    examples: [`skillwright jobs ${word} latest`],
    async run({ positionals: [written = ''], runtime }) {
      const { id, answer } = await change(written, runtime);
      const summary = { en: `${id}: ${answers[answer].en}`, zh: `${id}: ${answers[answer].zh}` };
      return { outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, { job: id, answer }) };
    },
  };
}
