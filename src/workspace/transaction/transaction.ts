// Changes files of the project all together or not at all: stage, journal, commit; whoever is killed is followed by recovery.
import { Fault } from '../../base/errors.ts';
import { removeTree } from '../../base/files.ts';
import { timeId } from '../../base/ids.ts';
import { visible } from '../../base/text.ts';
import { splitPath } from '../../loader/contained.ts';
import type { FileChange } from '../change.ts';
import type { FileOwner } from '../entry.ts';
import { closedFolders, commit, requireUnchanged } from './commit.ts';
import { flush, flushStaged } from './flush.ts';
import type { ApplyJournal, JournalStore } from './journal.ts';
import { type TransactionPlan, undoPlan } from './plan.ts';
import { inProject } from './project-tree.ts';
import { makeStaging, saveReplaced, stageContent, stagedFile, stagingFolder } from './stage.ts';

/**
 * The journal by which it can be undone. Throws a Fault, with nothing changed, where the project is not as the changes
 * found it, or did not stay so while they were carried out.
 */
export function transact(plan: TransactionPlan, journals: JournalStore): ApplyJournal {
  // A place that cannot be reached is found out before anything is written.
  for (const { path } of plan.changes) splitPath(path);
  return journals.exclusively(() => {
    const done = carryOut(plan, journals);
    const { skipped = [] } = done;
    if (skipped.length === 0) return done;
    carryOut(undoPlan(done, journals, plan.now), journals);
    throw new Fault('Conflict', skipped.map(visible).join(', '), { details: { paths: skipped } });
  });
}

/** Takes up what a killed process left: before the commit it is dropped, afterwards it is finished. One at work is let be. */
export function recover(project: string, journals: JournalStore): void {
  journals.ifNobodyWorks(() => {
    for (const journal of journals.list()) {
      if (journal.state === 'done' || journal.project !== project) continue;
      if (journal.state === 'committing') finish(journal, journals);
      else discard(journal, journals);
    }
  });
}

function carryOut(plan: TransactionPlan, journals: JournalStore): ApplyJournal {
  const { kind, project, run, of, changes, now } = plan;
  requireUnchanged(project, changes);
  const closed = closedFolders(project, changes);
  const id = timeId(now);
  const journal: ApplyJournal = { id, at: now, kind, project, run, of, state: 'preparing', changes, closed };
  journals.savedFolder(id);
  journals.write(journal);
  try {
    prepare(journal, plan, journals);
    requireUnchanged(project, changes);
  } catch (error) {
    discard(journal, journals);
    throw error;
  }
  return finish(journal, journals);
}

function prepare(journal: ApplyJournal, plan: TransactionPlan, journals: JournalStore): void {
  const { id, project, changes } = journal;
  makeStaging(project, id);
  for (const [index, change] of changes.entries()) {
    saveReplaced(change, project, journals.savedFile(id, index));
    stageContent(change, plan.content(change, index), stagedFile(project, id, index), ownerFor(change, project));
  }
  const files = changes.flatMap(({ after }, index) => (after?.kind === 'file' ? [stagedFile(project, id, index)] : []));
  flushStaged(stagingFolder(project, id), files);
}

function finish(journal: ApplyJournal, journals: JournalStore): ApplyJournal {
  const committing = { ...journal, state: 'committing' } as const;
  if (journal.state === 'preparing') journals.write(committing);
  const skipped = commit(committing);
  flush(journal.project);
  removeTree(stagingFolder(journal.project, journal.id));
  const done = { ...journal, state: 'done', ...(skipped.length > 0 && { skipped }) } as const;
  journals.write(done);
  return done;
}

function discard({ id, project }: ApplyJournal, journals: JournalStore): void {
  removeTree(stagingFolder(project, id));
  journals.remove(id);
}

/** As root, what is undone belongs to whom it belonged, and what is applied to whom its folder belongs. */
function ownerFor({ path, after }: FileChange, project: string): FileOwner | undefined {
  return process.geteuid?.() === 0 ? (after?.owner ?? nearestOwner(project, path)) : undefined;
}

/** Of a folder that is not there yet: whom the one above it belongs to. */
function nearestOwner(project: string, below: string): FileOwner {
  try {
    return inProject(project, below, ({ owner }) => owner);
  } catch (error) {
    const above = below.split('/').slice(0, -1).join('/');
    if (above === '' || !(error instanceof Fault)) throw error;
    return nearestOwner(project, above);
  }
}
