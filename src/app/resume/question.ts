// Whose question a saved one is: that of curation, of a script of bin/, or of the door itself.

import { toFault } from '../../base/errors.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { CommandContext } from '../../cli/frame/command.ts';
import { fail } from '../../door/fail.ts';
import { resumeCall } from '../../door/resume.ts';
import type { Interrupt } from '../../store/interrupt-store.ts';
import type { OpenDoor } from '../open-door.ts';

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
  const { isWorkerQuestion, resumeTask } = await import('../../task/run-script.ts');
  if (!saved || !isWorkerQuestion(saved)) return await resumeCall(id, words, door);
  const { withTaskHost } = await import('../../cli/command/task/host.ts');
  return await withTaskHost(context, door, (host) => resumeTask(id, words, host));
}

async function resumeIfCuration(
  id: string,
  words: readonly string[],
  saved: Interrupt,
  { runtime }: CommandContext,
): Promise<Outcome | undefined> {
  const { isCuration, resumeCuration } = await import('../../task/curate.ts');
  if (!isCuration(saved)) return undefined;
  const { openCuration } = await import('../curation.ts');
  const curation = openCuration(runtime);
  try {
    return await resumeCuration(id, words, curation);
  } catch (error) {
    return fail(curation.by, toFault(error));
  }
}
