// `task`: run scripts of bin/ and have their outcome; the same key runs once.
import { performTask } from '../../../app/task/run.ts';
import { isRecord } from '../../../base/json.ts';
import type { Outcome } from '../../../base/outcome.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { openPerson } from '../../frame/person.ts';
import { replyWith, showText } from '../../view/outcome-reply.ts';
import { usage } from './usage.ts';

export const command: Command = {
  ...usage,
  async run(context) {
    const [description = '', prompt = ''] = context.positionals;
    const key = textOption(context.options, 'key');
    const request = { agent: 'worker_agent', description, prompt, ...(key !== undefined && { idempotency_key: key }) };
    using person = openPerson(context);
    const wishes = { fresh: isOn(context.options, 'fresh') };
    const outcome = await performTask(request, context.runtime, { ...person.caller, ...wishes });
    return replyWith(outcome, bodyOf(outcome));
  },
};

function bodyOf({ state, data }: Outcome): string | undefined {
  if (state !== 'success' && state !== 'partial') return undefined;
  const shown = data.cached === true && isRecord(data.original_result) ? data.original_result : data;
  const { stdout, warnings: _, sandbox: __, ...rest } = shown;
  if (typeof stdout === 'string') return showText(stdout);
  return Object.keys(rest).length > 0 ? showText(JSON.stringify(rest, undefined, 2)) : undefined;
}
