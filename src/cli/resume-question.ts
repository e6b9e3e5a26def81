// Whose question a saved one is: that of a script of bin/, or of the door itself.
import type { Outcome } from '../base/outcome.ts';
import { resumeCall } from '../invoke/resume.ts';
import type { OpenDoor } from '../open-door.ts';
import type { CommandContext } from './command.ts';

export async function resumeQuestion(
  id: string,
  words: readonly string[],
  door: OpenDoor,
  context: CommandContext,
): Promise<Outcome> {
  const saved = door.interrupts.get(id);
  const { isWorkerQuestion, resumeTask } = await import('../worker/run-order.ts');
  if (!saved || !isWorkerQuestion(saved)) return await resumeCall(id, words, door);
  const { withTaskHost } = await import('./task-host.ts');
  return await withTaskHost(context, door, (host) => resumeTask(id, words, host));
}
