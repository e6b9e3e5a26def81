// Changes files of the project all together or not at all: stage, journal, commit; whoever is killed is followed by recovery.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { Fault } from '../../base/errors.ts';
import { removeTree } from '../../base/files.ts';
import { timeId } from '../../base/ids.ts';
import type { FileChange } from '../change.ts';
import { closedFolders, commit, requireUnchanged } from './commit.ts';
import type { ApplyJournal, JournalStore } from './journal.ts';
import { inProject } from './project-tree.ts';
import { makeStaging, type Owner, saveReplaced, stageContent, stagedFile, stagingFolder } from './stage.ts';

export interface TransactionPlan extends Pick<ApplyJournal, 'kind' | 'project' | 'run' | 'of' | 'changes'> {
  /** Where the new content of a change lies. */
  content(change: FileChange, index: number): string;
  readonly now: number;
}

/** The id by which it can be undone. Throws a Fault, with nothing changed, where the project is not as the changes found it. */
export function transact(plan: TransactionPlan, journals: JournalStore): ApplyJournal {
  const { kind, project, run, of, changes, now } = plan;
  requireUnchanged(project, changes);
  const closed = closedFolders(project, changes);
  const journal: ApplyJournal = {
    id: timeId(now),
    at: now,
    kind,
    project,
    run,
    of,
    state: 'preparing',
    changes,
    closed,
  };
  journals.savedFolder(journal.id);
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

/** Takes up what a killed process left: before the commit it is dropped, afterwards it is finished. */
export function recover(project: string, journals: JournalStore): ApplyJournal[] {
  const open = journals.list().filter((journal) => journal.state !== 'done' && journal.project === project);
  return open.map((journal) => {
    if (journal.state === 'committing') return finish(journal, journals);
    discard(journal, journals);
    return journal;
  });
}

function prepare(journal: ApplyJournal, plan: TransactionPlan, journals: JournalStore): void {
  const { id, project, changes } = journal;
  makeStaging(project, id);
  for (const [index, change] of changes.entries()) {
    saveReplaced(change, project, journals.savedFile(id, index));
    stageContent(change, plan.content(change, index), stagedFile(project, id, index), ownerFor(change, project));
  }
  flushFolder(stagingFolder(project, id));
}

function finish(journal: ApplyJournal, journals: JournalStore): ApplyJournal {
  const committing = { ...journal, state: 'committing' } as const;
  if (journal.state === 'preparing') journals.write(committing);
  const skipped = commit(committing);
  flushFolder(journal.project);
  removeTree(stagingFolder(journal.project, journal.id));
  const done = { ...journal, state: 'done' } as const;
  journals.write(done);
  if (skipped.length > 0) throw new Fault('Conflict', skipped.join(', '), { details: { paths: skipped } });
  return done;
}

function discard({ id, project }: ApplyJournal, journals: JournalStore): void {
  removeTree(stagingFolder(project, id));
  journals.remove(id);
}

/** As root, what is applied belongs to whom its folder belongs. */
function ownerFor({ path }: FileChange, project: string): Owner | undefined {
  return process.geteuid?.() === 0 ? nearestOwner(project, path) : undefined;
}

/** Of a folder that is not there yet: whom the one above it belongs to. */
function nearestOwner(project: string, below: string): Owner {
  try {
    return inProject(project, below, ({ owner }) => owner);
  } catch (error) {
    const above = below.split('/').slice(0, -1).join('/');
    if (above === '' || !(error instanceof Fault)) throw error;
    return nearestOwner(project, above);
  }
}

function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
