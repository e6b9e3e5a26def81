// A task that has to run: through the door, with whoever is at the terminal.
import { isRecord } from '../../../base/json.ts';
import type { Outcome } from '../../../base/outcome.ts';
import { type TaskRequest, task } from '../../../task/task.ts';
import { type CommandContext, isOn, type Reply } from '../../frame/command.ts';
import { replyWith, showText, throughDoor } from '../../frame/through-door.ts';
import { withTaskHost } from './host.ts';

export async function runTaskCommand(request: TaskRequest, context: CommandContext): Promise<Reply> {
  const fresh = isOn(context.options, 'fresh');
  const outcome = await throughDoor(context, { kind: 'task', request: request.prompt }, (door) =>
    withTaskHost(context, door, (host) => task(request, { ...host, ...(fresh && { fresh }) })),
  );
  return replyWith(outcome, bodyOf(outcome));
}

function bodyOf({ state, data }: Outcome): string | undefined {
  if (state !== 'success' && state !== 'partial') return undefined;
  const shown = data.cached === true && isRecord(data.original_result) ? data.original_result : data;
  const { stdout, warnings: _, sandbox: __, ...rest } = shown;
  if (typeof stdout === 'string') return showText(stdout);
  return Object.keys(rest).length > 0 ? showText(JSON.stringify(rest, undefined, 2)) : undefined;
}
