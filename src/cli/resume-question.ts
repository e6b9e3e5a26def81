// Whose question a saved one is: that of curation, of a script of bin/, or of the door itself.
import { toFault } from '../base/errors.ts';
import type { Outcome } from '../base/outcome.ts';
import { fail } from '../invoke/fail.ts';
import { resumeCall } from '../invoke/resume.ts';
import type { OpenDoor } from '../open-door.ts';
import type { Interrupt } from '../store/interrupt-store.ts';
import type { CommandContext } from './command.ts';

export async function resumeQuestion(
  id: string,
  words: readonly string[],
  door: OpenDoor,
  context: CommandContext,
): Promise<Outcome> {
  const saved = await door.interrupts.get(id);
  if (saved?.kind === 'worker') {
    const curated = await resumeIfCuration(id, words, saved, context);
    if (curated) return curated;
  }
  const { isWorkerQuestion, resumeTask } = await import('../worker/run-order.ts');
  if (!saved || !isWorkerQuestion(saved)) return await resumeCall(id, words, door);
  const { withTaskHost } = await import('./task-host.ts');
  return await withTaskHost(context, door, (host) => resumeTask(id, words, host));
}

async function resumeIfCuration(
  id: string,
  words: readonly string[],
  saved: Interrupt,
  { runtime }: CommandContext,
): Promise<Outcome | undefined> {
  const { isCuration, resumeCuration } = await import('../worker/curate.ts');
  if (!isCuration(saved)) return undefined;
  const { openCuration } = await import('./curation.ts');
  const curation = openCuration(runtime);
  try {
    return await resumeCuration(id, words, curation);
  } catch (error) {
    return fail(curation.by, toFault(error));
  }
}
