// Takes up the transactions that a killed command left: what had begun to reach the project is finished, the rest is dropped.
import { realPath } from '../../base/paths.ts';
import { recover } from '../../workspace/transaction/transaction.ts';
import type { Runtime } from '../runtime.ts';
import { projectJournals } from './place.ts';

export function finishTransactions(place: Pick<Runtime, 'home' | 'project'>): void {
  const { project } = place;
  for (const folder of new Set([project, realPath(project) ?? project])) recover(folder, projectJournals(place));
}
