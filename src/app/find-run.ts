// The runs of a project, and the one a person named.
import path from 'node:path';
import { listRuns, type RunEntry } from '../audit/run-archive.ts';
import { Fault } from '../base/errors.ts';
import { realPath } from '../base/paths.ts';
import { didYouMean } from '../base/text/did-you-mean.ts';
import { visible } from '../base/text.ts';

/** The latest first. Throws a Fault where a link would lead us to the runs of somebody else. */
export function findRuns(project: string): RunEntry[] {
  const folder = path.join(realPath(project) ?? project, '.agent', 'runs');
  const real = realPath(folder);
  if (real !== undefined && real !== folder) throw new Fault('PathBlocked', visible(folder));
  return listRuns(project);
}

/** By its id, or `latest`. */
export function findRun(project: string, written: string): RunEntry {
  const runs = findRuns(project);
  const found = written === 'latest' ? runs[0] : runs.find(({ id }) => id === written);
  if (found) return found;
  const ids = runs.map(({ id }) => id);
  const shown = visible(written);
  throw new Fault(
    'DataNotFound',
    { en: `no run ${shown} here`, zh: `此处没有运行 ${shown}` },
    didYouMean(written, ids, { en: '`skillwright runs list` shows them.', zh: '`skillwright runs list` 列出运行。' }),
  );
}
