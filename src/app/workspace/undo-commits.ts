// What an undo does about commits that were taken: their branches go, unless somebody works on them; objects are git's to clean up.
import path from 'node:path';
import { namesIfThere, readTextIfThere } from '../../base/read-file.ts';
import { entryAt, isSameEntry } from '../../workspace/entry.ts';
import { branchMade, carriesCommits } from '../../workspace/git/taking.ts';
import type { ApplyJournal } from '../../workspace/transaction/journal.ts';

export interface UndoneCommits {
  /** Branches that are removed. */
  readonly removed: readonly string[];
  /** Branches that stay: somebody moved, packed or checked them out. */
  readonly left: readonly string[];
  /** Paths of the transaction that are not taken back. */
  readonly kept: readonly string[];
  /** Paths that people are told about as commits, not as files. */
  readonly told: ReadonlySet<string>;
}

export function planUndo({ changes, run, project }: Pick<ApplyJournal, 'changes' | 'run' | 'project'>): UndoneCommits {
  const made = changes.flatMap((change) => {
    const branch = branchMade(change, run);
    return branch === undefined ? [] : [{ change, branch }];
  });
  const carrying = made.length > 0 ? changes.filter(carriesCommits).map((change) => change.path) : [];
  const isFree = ({ change, branch }: (typeof made)[number]) =>
    isSameEntry(entryAt(path.join(project, change.path)), change.after) && !isCheckedOut(project, branch);
  const used = made.filter((one) => !isFree(one));
  return {
    removed: made.filter(isFree).map(({ branch }) => branch),
    left: used.map(({ branch }) => branch),
    kept: [...carrying, ...used.map(({ change }) => change.path)],
    told: new Set([...carrying, ...made.map(({ change }) => change.path)]),
  };
}

/** In the project's own working folder, or in another one of the repository. */
function isCheckedOut(project: string, branch: string): boolean {
  const git = path.join(project, '.git');
  const others = namesIfThere(path.join(git, 'worktrees')).map((name) => path.join(git, 'worktrees', name));
  return [git, ...others].some(
    (folder) => readTextIfThere(path.join(folder, 'HEAD'))?.trim() === `ref: refs/heads/${branch}`,
  );
}
