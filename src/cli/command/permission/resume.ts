// `resume`: answer a saved question, and go on with what was waiting for it.
import { openProjectInterrupts } from '../../../app/open-interrupts.ts';
import { resumeQuestion } from '../../../app/resume/question.ts';
import { answerRun, findWaitingRun, type RunOrder } from '../../../app/run/open-run.ts';
import { Fault } from '../../../base/errors.ts';
import { failedOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { findWaitingJob } from '../../../jobs/waiting.ts';
import type { Interrupt } from '../../../store/interrupt-store.ts';
import { type Command, type CommandContext, listOption, type Reply } from '../../frame/command.ts';
import { replyWith, showText, throughDoor } from '../../frame/through-door.ts';
import { outcomeBody } from '../../view/outcome-body.ts';
import { driveRun, replyToRun } from '../skill/run.ts';

export const command: Command = {
  about: {
    en: 'A question is answered once, and only if everything is still as it was when it was asked. `skillwright interrupts` lists what is open.',
    zh: '每个问题只能回答一次，且仅当一切仍与提问时相同时才有效。`skillwright interrupts` 列出待决问题。',
  },
  positionals: [
    {
      name: 'id',
      required: true,
      summary: { en: 'as the outcome or `interrupts` names it', zh: '结果或 `interrupts` 所示的 id' },
    },
    { name: 'more', many: true, summary: { en: 'more decisions as item=choice', zh: '更多决定，形如 项目=选择' } },
  ],
  options: [
    {
      name: 'decide',
      value: 'DECISION',
      many: true,
      summary: {
        en: 'approve or deny; item=choice where there are several; or a JSON object',
        zh: 'approve 或 deny；有多项时写 项目=选择；或一个 JSON 对象',
      },
    },
  ],
  examples: [
    'skillwright resume 4f0c2b9a7d11 --decide approve',
    'skillwright resume 4f0c2b9a7d11 --decide a=keep b=uninstall',
  ],
  async run(context) {
    const [id = '', ...more] = context.positionals;
    const words = [...listOption(context.options, 'decide'), ...more];
    const saved = await openProjectInterrupts(context.runtime).get(id);
    if (words.length === 0) return undecided(saved, context);
    const waiting = findWaitingRun(saved);
    if (waiting) {
      const answer = (order: RunOrder) => answerRun(context.runtime, waiting, { question: id, words }, order);
      return replyToRun(await driveRun(context, answer), context);
    }
    const job = findWaitingJob(saved);
    if (job) {
      const { resumeJob } = await import('../../../app/resume/job.ts');
      const resumed = await resumeJob(job, { question: id, words }, context.runtime);
      return replyWith(resumed, outcomeBody(resumed));
    }
    const outcome = await throughDoor(context, { kind: 'resume', request: `resume ${visible(id)}` }, (door) =>
      resumeQuestion(id, words, door, context),
    );
    return replyWith(outcome, outcomeBody(outcome));
  },
};

/** A decision is never guessed; what it is about is shown to whoever has yet to give it. */
function undecided(saved: Interrupt | undefined, { runtime }: CommandContext): Reply {
  const { question, choices = ['approve'], resumeCommand } = saved ?? {};
  const [first = ''] = choices;
  const fault = new Fault('Usage', {
    en: `say what is decided: --decide ${visible(first)}`,
    zh: `请写明决定: --decide ${visible(first)}`,
  });
  const data = saved && { question, choices, resume_command: resumeCommand };
  return {
    outcome: failedOutcome(runtime.answering('skillwright', 'own'), fault, data),
    ...(question !== undefined && { human: showText(question) }),
    ...(resumeCommand !== undefined && { hint: resumeCommand }),
  };
}
