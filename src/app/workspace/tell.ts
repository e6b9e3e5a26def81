// A change set as --json tells it: what was applied, what waits, and the command that decides about it.
import type { Language } from '../../base/language.ts';
import type { Data } from '../../base/outcome.ts';
import { changeKind, type FileChange } from '../../workspace/change.ts';
import type { Judged } from './judge.ts';
import type { Settled } from './settle.ts';

export function tellChanges({ run, digest, applied, waiting, conflict }: Settled): Data {
  return {
    run,
    digest,
    applied: applied.map(tellChange),
    waiting: waiting.map((judged) => tellJudged(judged, 'en')),
    ...(conflict && { conflict: conflict.details?.paths }),
    ...(waiting.length > 0 && { apply_command: applyCommand(run) }),
  };
}

export function applyCommand(run: string): string {
  return `skillwright runs apply ${run}`;
}

export function tellJudged(judged: Judged, language: Language): Data {
  const told = tellChange(judged.change);
  if (judged.verdict === 'guarded') return { ...told, obeyed_by: judged.by[language] };
  return judged.verdict === 'refused' ? { ...told, refused: judged.why[language] } : told;
}

export function tellChange(change: FileChange): Data {
  const { path, before, after } = change;
  const { kind, size } = after ?? before ?? { kind: 'special', size: 0 };
  return { path, change: changeKind(change), kind, size };
}
