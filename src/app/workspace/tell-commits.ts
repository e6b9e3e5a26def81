// The commits of a run as --json tells them.
import type { Data } from '../../base/outcome.ts';
import type { RunCommits } from './commits.ts';

const MOST_SUBJECTS = 50;

/** Nothing where the run made none, or they were taken before. */
export function tellCommits(made: RunCommits | undefined, isTaken = false): { commits?: Data } {
  if (!made || made.state === 'taken') return {};
  if (made.state === 'refused') return { commits: { taken: false, refused: made.why.en } };
  const { branches, commits, guarded, left } = made;
  return {
    commits: {
      taken: isTaken,
      branch: branches[0]?.branch ?? null,
      head: branches[0]?.head ?? null,
      count: commits.length,
      subjects: commits.slice(0, MOST_SUBJECTS).map(({ subject }) => subject),
      guarded: guarded.map(({ path, by }) => ({ path, obeyed_by: by.en })),
      branches: branches.map(({ branch, of = null, head }) => ({ branch, of, head })),
      not_taken: [...left],
    },
  };
}
