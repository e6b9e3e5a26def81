// The questions that wait for a decision.
import type { ListedInterrupt } from '../../store/interrupt-store.ts';
import { openProjectInterrupts } from '../open-interrupts.ts';
import type { Runtime } from '../runtime.ts';

/** The oldest first; those that expired wait no longer. */
export async function listWaiting(runtime: Runtime): Promise<ListedInterrupt[]> {
  const now = runtime.clock.now();
  const saved = await openProjectInterrupts(runtime).list();
  return saved.filter(({ expires }) => expires > now).toSorted((a, b) => a.created - b.created);
}
