// Takes a transaction back: the same machinery, with what it replaced as the new content.
import type { FileChange } from '../change.ts';
import type { ApplyJournal, JournalStore } from './journal.ts';
import { transact } from './transaction.ts';

/** Throws a Fault, with nothing changed, where somebody has changed since what it applied. */
export function undo(applied: ApplyJournal, journals: JournalStore, now: number): ApplyJournal {
  const { id, project, run } = applied;
  const changes = applied.changes.map(reversed);
  const content = (_: FileChange, index: number) => journals.savedFile(id, index);
  return transact({ kind: 'undo', project, run, of: id, changes, content, now }, journals);
}

function reversed({ path, before, after }: FileChange): FileChange {
  return { path, ...(after && { before: after }), ...(before && { after: before }) };
}
