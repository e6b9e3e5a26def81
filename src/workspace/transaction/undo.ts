// Takes a transaction back: the same machinery, with what it replaced as the new content.
import type { ApplyJournal, JournalStore } from './journal.ts';
import { undoPlan } from './plan.ts';
import { transact } from './transaction.ts';

/** Throws a Fault, with nothing changed, where somebody has changed since what it applied. */
export function undo(applied: ApplyJournal, journals: JournalStore, now: number): ApplyJournal {
  return transact(undoPlan(applied, journals, now), journals);
}
