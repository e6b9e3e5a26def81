// `task`: run scripts of bin/ and have their outcome; the same key runs once.
import { performTypedTask } from '../../../app/task/run.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { openPerson } from '../../frame/person.ts';
import { replyWith } from '../../view/outcome-reply.ts';
import { taskBody } from '../../view/task/body.ts';
import { readTaskWords, usage } from './usage.ts';

export const command: Command = {
  ...usage,
  async run(context) {
    const words = readTaskWords(context.positionals);
    const { description, prompt, key = textOption(context.options, 'key') } = words;
    const request = { agent: 'worker_agent', description, prompt, ...(key !== undefined && { idempotency_key: key }) };
    using person = openPerson(context);
    const wishes = { fresh: isOn(context.options, 'fresh') };
    const outcome = await performTypedTask(request, context.runtime, { ...person.caller, ...wishes });
    return replyWith(outcome, taskBody(outcome, context.runtime.language, context.terminal));
  },
};
