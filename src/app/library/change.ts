// Changes of files as the library tells them: what a run did to the project, what of it was applied, and what waits.
import { isRecord, isTextList } from '../../base/json.ts';
import { type ChangeKind, changeKind, type FileChange } from '../../workspace/change.ts';
import type { Judged } from '../workspace/judge.ts';
import type { ChangesLeft, ProjectChange } from './public/change.ts';

export function changedFile(change: FileChange): ProjectChange {
  const { path, before, after } = change;
  return { path, kind: changeKind(change), bytes: (after ?? before)?.size ?? 0 };
}

export function judgedFile(judged: Judged): ProjectChange {
  const file = changedFile(judged.change);
  if (judged.verdict === 'refused') return { ...file, refused: judged.why.en };
  if (judged.verdict === 'plain') return file;
  const { by, holds = [] } = judged;
  return { ...file, guarded: by?.en ?? holds.join(', ') };
}

/** As an outcome tells them in its data. */
export function changesIn(told: unknown): ChangesLeft | undefined {
  if (!isRecord(told) || typeof told.run !== 'string') return undefined;
  const { run: runId, digest, applied, waiting, conflict } = told;
  return {
    runId,
    digest: typeof digest === 'string' ? digest : '',
    applied: filesIn(applied),
    waiting: filesIn(waiting),
    ...(isTextList(conflict) && { conflicts: conflict }),
  };
}

function filesIn(told: unknown): ProjectChange[] {
  return Array.isArray(told) ? told.flatMap(fileIn) : [];
}

function fileIn(told: unknown): ProjectChange[] {
  if (!isRecord(told)) return [];
  const { path, kind, bytes, obeyed_by: by, holds, refused } = told;
  const known = KINDS.find((one) => one === kind);
  if (typeof path !== 'string' || known === undefined) return [];
  const held = isTextList(holds) ? holds.join(', ') : undefined;
  const guarded = typeof by === 'string' ? by : held;
  return [
    {
      path,
      kind: known,
      bytes: typeof bytes === 'number' ? bytes : 0,
      ...(guarded !== undefined && { guarded }),
      ...(typeof refused === 'string' && { refused }),
    },
  ];
}

const KINDS: readonly ChangeKind[] = ['new', 'changed', 'deleted'];
