// What `jobs cancel` and `jobs retry` share: one job, one change of it, and a sentence about what became of it, if anything did.
import type { ChangedJob } from '../../../app/job/look.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import type { Command, Positional } from '../../frame/command.ts';

export const JOB: Positional = {
  name: 'job',
  required: true,
  summary: { en: 'its id, or latest', zh: '任务 id，或 latest' },
};

/** What the queue answers, in words. */
export interface ChangeAnswer {
  readonly says: Text;
  /** Something was changed. */
  readonly isDone: boolean;
}

export function changeOfJob<Answer extends string>(
  word: string,
  change: (written: string, runtime: Runtime) => Promise<ChangedJob<Answer>>,
  answers: Readonly<Record<Answer, ChangeAnswer>>,
): Command {
  return {
    positionals: [JOB],
    options: [],
    examples: [`skillwright jobs ${word} latest`],
    async run({ positionals: [written = ''], runtime }) {
      const { id, answer } = await change(written, runtime);
      const { says, isDone } = answers[answer];
      const summary = { en: `${id}: ${says.en}`, zh: `${id}: ${says.zh}` };
      const data = { job: id, answer };
      if (!isDone) throw nothingDone(summary, data);
      return { outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, data) };
    },
  };
}

function nothingDone({ en, zh }: Text, details: Record<string, string>): Fault {
  return new Fault(
    'Usage',
    { en: `nothing was done: ${en}`, zh: `未做任何更改: ${zh}` },
    {
      details,
      hint: {
        en: '`skillwright jobs history` shows the state of each job.',
        zh: '`skillwright jobs history` 显示各任务的状态。',
      },
    },
  );
}
