// `resume`: answer a saved question, and go on with what was waiting for it.
import { openProjectInterrupts } from '../../../app/open-interrupts.ts';
import { resumeJob } from '../../../app/resume/job.ts';
import { resumeQuestion } from '../../../app/resume/question.ts';
import { findWaiting } from '../../../app/resume/resume.ts';
import { resumeRequest } from '../../../app/run/resume.ts';
import { questionText } from '../../../app/view/saved-question.ts';
import { Fault } from '../../../base/errors.ts';
import { failedOutcome, type Outcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { APPLY_OPTION } from '../../frame/change/apply-option.ts';
import { type Command, type CommandContext, listOption, type Reply, textOption } from '../../frame/command.ts';
import { openPerson } from '../../frame/person.ts';
import { ASK_OPTION } from '../../frame/question/ask-option.ts';
import { untilSignal } from '../../frame/stop-on-signal.ts';
import { outcomeBody } from '../../view/outcome-body.ts';
import { replyWith, showText } from '../../view/outcome-reply.ts';
import { taskBody } from '../../view/task/body.ts';
import { replyToRun, watchRun } from '../skill/run.ts';

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
        en: 'approve or deny; item=choice where there are several; or a JSON object; deny dismisses the question of a script',
        zh: 'approve 或 deny；有多项时写 项目=选择；或一个 JSON 对象；deny 可放弃脚本的问题',
      },
    },
    {
      name: 'reason',
      value: 'TEXT',
      summary: { en: 'why not, with deny; the model reads it', zh: '拒绝的原因，与 deny 同用；模型会读到' },
    },
    APPLY_OPTION,
    ASK_OPTION,
  ],
  examples: [
    'skillwright resume 4f0c2b9a7d11 --decide approve',
    'skillwright resume 4f0c2b9a7d11 --decide a=keep b=uninstall',
    'skillwright resume 4f0c2b9a7d11 --decide deny --reason "use the copy in docs/"',
  ],
  async run(context) {
    const [id = '', ...more] = context.positionals;
    const words = [...listOption(context.options, 'decide'), ...more];
    if (words.length === 0) return await undecided(id, context);
    const { runtime } = context;
    const answer = { question: id, words, reason: readReason(words, context) };
    const waiting = await findWaiting(id, runtime);
    if (waiting.kind === 'run') {
      using watched = watchRun(context);
      const { run } = waiting;
      const ended = await resumeRequest(runtime, run.run, watched.order, { ...run, ...answer });
      return replyToRun(ended, watched, context);
    }
    if (waiting.kind === 'job') {
      const ended = await resumeJob(waiting.job, answer, untilSignal, runtime);
      return replyWith(ended, outcomeBody(ended));
    }
    using person = openPerson(context);
    const outcome = await resumeQuestion(answer, runtime, person.caller);
    return replyWith(outcome, bodyOf(outcome, context));
  },
};

function readReason(words: readonly string[], { options }: CommandContext): string | undefined {
  const reason = textOption(options, 'reason')?.trim();
  if (reason === undefined) return undefined;
  if (reason !== '' && words.every((word) => /(?:^|=)deny$/.test(word))) return reason;
  throw new Fault(
    'Usage',
    { en: '--reason TEXT goes with --decide deny', zh: '--reason TEXT 与 --decide deny 同用' },
    { hint: { en: 'Nothing was decided; the question stays open.', zh: '未作决定，问题仍待决。' } },
  );
}

/** What a script answered is shown as `task` shows it. */
function bodyOf(outcome: Outcome, { runtime, terminal }: CommandContext): string | undefined {
  return outcome.agent === 'worker_agent' ? taskBody(outcome, runtime.language, terminal) : outcomeBody(outcome);
}

/** A decision is never guessed; what it is about is shown to whoever has yet to give it. */
async function undecided(id: string, { runtime }: CommandContext): Promise<Reply> {
  const saved = await openProjectInterrupts(runtime).get(id);
  const { question, choices = ['approve'], resumeCommand, facts } = saved ?? {};
  const [first = ''] = choices;
  const fault = new Fault('Usage', {
    en: `say what is decided: --decide ${visible(first)}`,
    zh: `请写明决定: --decide ${visible(first)}`,
  });
  const data = saved && { question, choices, resume_command: resumeCommand, ...(facts !== undefined && { facts }) };
  return {
    outcome: failedOutcome(runtime.answering('skillwright', 'own'), fault, data),
    ...(saved && { human: showText(questionText(saved, runtime.language)) }),
    ...(resumeCommand !== undefined && { hint: resumeCommand }),
  };
}
