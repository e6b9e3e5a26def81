// Whose question a saved one is: that of curation, of a script of bin/, or of the door itself.
import { toFault } from '../../base/errors.ts';
import type { Outcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { VERSION } from '../../base/version.ts';
import { fail } from '../../door/fail.ts';
import { resumeCall, type SavedAnswer } from '../../door/resume.ts';
import { isDismissal } from '../../policy/interrupt/interrupt.ts';
import type { Interrupt } from '../../store/interrupt-store.ts';
import { type Caller, type OpenDoor, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { concludeChanges } from '../workspace/conclude.ts';

/** Answers the question of one call, and makes the call. */
export async function resumeQuestion(answer: SavedAnswer, runtime: Runtime, caller: Caller): Promise<Outcome> {
  const request = `resume ${visible(answer.question)}`;
  using door = openDoor(runtime, { ...caller, kind: 'resume', request, version: VERSION });
  const outcome = await concludeChanges(await resumeThrough(door, answer, runtime), door, runtime);
  door.finish(outcome);
  return outcome;
}

async function resumeThrough(door: OpenDoor, answer: SavedAnswer, runtime: Runtime): Promise<Outcome> {
  const { question, words, reason } = answer;
  const saved = await door.interrupts.get(question);
  if (saved?.kind === 'worker' && isDismissal(words, saved)) {
    const { dismissQuestion } = await import('../../task/ask.ts');
    return await dismissQuestion(saved, { door, reason }, runtime.answering('worker_agent', 'task'));
  }
  if (saved?.kind === 'worker') {
    const curated = await resumeIfCuration(answer, saved, runtime);
    if (curated) return curated;
  }
  const { isWorkerQuestion, resumeTask } = await import('../../task/run-script.ts');
  if (!saved || !isWorkerQuestion(saved)) return await resumeCall(answer, door);
  const { openTaskHost } = await import('../task/host.ts');
  using host = await openTaskHost(runtime, door);
  return await resumeTask(answer, host);
}

async function resumeIfCuration(
  { question, words }: SavedAnswer,
  saved: Interrupt,
  runtime: Runtime,
): Promise<Outcome | undefined> {
  const { isCuration, resumeCuration } = await import('../../task/curate.ts');
  if (!isCuration(saved)) return undefined;
  const { openCuration } = await import('../curation.ts');
  const curation = openCuration(runtime);
  try {
    return (await resumeCuration(question, words, curation)).outcome;
  } catch (error) {
    return fail(curation.by, toFault(error));
  }
}
