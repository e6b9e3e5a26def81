// What a transaction is to do, and the same backwards.
import type { FileChange } from '../change.ts';
import type { ApplyJournal, JournalStore } from './journal.ts';

export interface TransactionPlan extends Pick<ApplyJournal, 'kind' | 'project' | 'run' | 'of' | 'changes'> {
  /** Where the new content of a change lies. */
  content(change: FileChange, index: number): string;
  readonly now: number;
}

/** What it replaced is the new content; what it did not reach stays. */
export function undoPlan(
  applied: ApplyJournal,
  journals: Pick<JournalStore, 'savedFile'>,
  now: number,
): TransactionPlan {
  const { id, project, run, skipped = [] } = applied;
  const reached = applied.changes.flatMap((change, index) =>
    skipped.includes(change.path) ? [] : [{ change, index }],
  );
  return {
    kind: 'undo',
    project,
    run,
    of: id,
    changes: reached.map(({ change }) => reversed(change)),
    content: (_, at) => journals.savedFile(id, reached[at]?.index ?? at),
    now,
  };
}

function reversed({ path, before, after }: FileChange): FileChange {
  return { path, ...(after && { before: after }), ...(before && { after: before }) };
}
