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

const HIDDEN = new Set(['stdout', 'warnings', 'sandbox']);

/** What the scripts answered; how they ran is in --json. */
function bodyOf({ state, data, cached, product }: Outcome): string | undefined {
  if (state !== 'success' && state !== 'partial') return undefined;
  if (product?.printed !== undefined) return showText(product.printed);
  const shown = isRecord(cached?.original) ? cached.original : data;
  const rest = Object.fromEntries(Object.entries(shown).filter(([name]) => !HIDDEN.has(name)));
  return Object.keys(rest).length > 0 ? showText(JSON.stringify(rest, undefined, 2)) : undefined;
}
