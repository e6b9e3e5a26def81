// Takes back what was applied last of a run, if nobody has changed it since.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import type { FileChange } from '../../workspace/change.ts';
import { undo } from '../../workspace/transaction/undo.ts';
import { findRun } from '../find-run.ts';
import { recordOwn } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';
import { projectJournals } from './place.ts';
import { planUndo, type UndoneCommits } from './undo-commits.ts';

export interface Undone {
  readonly run: string;
  readonly changes: readonly FileChange[];
  readonly branches: Pick<UndoneCommits, 'removed' | 'left'>;
  /** How often something of the run was applied before that, and still is. */
  readonly earlier: number;
}

export function undoRun(written: string, runtime: Runtime): Undone {
  const run = findRun(runtime.project, written).id;
  const journals = projectJournals(runtime);
  const ofRun = journals.list().filter((journal) => journal.run === run && journal.state === 'done');
  const undone = new Set(ofRun.flatMap(({ of }) => of ?? []));
  const applied = ofRun.filter(({ id, kind }) => kind === 'apply' && !undone.has(id));
  const last = applied.at(-1);
  if (!last) throw nothingApplied(run);
  const { removed, left, kept, told } = planUndo(last);
  const skipped = [...(last.skipped ?? []), ...kept];
  const files = last.changes.map(({ path }) => path).filter((path) => !skipped.includes(path));
  if (files.length === 0) throw branchesInUse(left);
  recordOwn(runtime, { command: 'runs undo', operation: run, files }, () =>
    undo({ ...last, skipped }, journals, runtime.clock.now()),
  );
  const changes = last.changes.filter(({ path }) => !told.has(path));
  return { run, changes, branches: { removed, left }, earlier: applied.length - 1 };
}

function branchesInUse(branches: readonly string[]): Fault {
  const shown = branches.map(visible).join(', ');
  return new Fault('Conflict', shown, {
    details: { paths: branches },
    hint: {
      en: `The branch was moved, packed or checked out since: \`git branch -D ${shown}\` removes it.`,
      zh: `该分支此后被移动、打包或检出: \`git branch -D ${shown}\` 可将其删除。`,
    },
  });
}

function nothingApplied(run: string): Fault {
  const shown = visible(run);
  return new Fault(
    'DataNotFound',
    { en: `nothing of the run ${shown} is applied`, zh: `运行 ${shown} 没有已应用的更改` },
    {
      hint: {
        en: `\`skillwright runs changes ${shown}\` shows what waits.`,
        zh: `\`skillwright runs changes ${shown}\` 显示等待的更改。`,
      },
    },
  );
}
