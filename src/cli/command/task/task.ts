// `task`: run scripts of bin/ and have their outcome; the same key runs once.
import { type Command, textOption } from '../../frame/command.ts';
import { usage } from './usage.ts';

export const command: Command = {
  ...usage,
  async run(context) {
    const [description = '', prompt = ''] = context.positionals;
    const key = textOption(context.options, 'key');
    const { runTaskCommand } = await import('./run.ts');
    const request = { agent: 'worker_agent', description, prompt, ...(key !== undefined && { idempotency_key: key }) };
    return await runTaskCommand(request, context);
  },
};
