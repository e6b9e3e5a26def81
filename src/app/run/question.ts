// A question that stops a run leads back to the run, not only to the one call that asked it.

import { isRecord, isTextList } from '../../base/json.ts';
import type { Tracer } from '../../base/telemetry.ts';
import type { Call } from '../../door/call.ts';
import type { Door } from '../../door/door.ts';
import { allowanceOf } from '../../door/work.ts';
import { damagedQuestion } from '../../policy/interrupt/not-decided.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { type Interrupt, savingBy } from '../../store/interrupt-store.ts';

/** As an interrupt of a run keeps it. */
export interface WaitingRun {
  readonly run: string;
  readonly call: Call;
  /** Skills whose lists bind the call beside its own. */
  readonly within: readonly string[];
}

/** The run that waits for an answer to this question, if it is one of a run. Throws a Fault when that cannot be read. */
export async function findWaitingRun(saved: Interrupt | undefined): Promise<WaitingRun | undefined> {
  if (saved?.kind !== 'run') return undefined;
  const { isCall } = await import('../../door/saved-call.ts');
  const { run, call, within } = isRecord(saved.payload) ? saved.payload : {};
  if (typeof run === 'string' && isCall(call) && isTextList(within)) return { run, call, within };
  throw damagedQuestion(saved.id);
}

/** The door for a call of this run; the lists of the skills in `within` bind it, too. */
export function doorOfRun(door: Door, run: string, within: readonly SkillEntry[], tracer: Tracer | undefined): Door {
  const names = within.map(({ source, folderName }) => `${source}:${folderName}`);
  const save = (question: Interrupt) =>
    door.interrupts.save({ ...question, kind: 'run', payload: { run, call: question.payload, within: names } });
  return door.derive({ within: within.map(allowanceOf), interrupts: savingBy(save, door.interrupts), tracer });
}
