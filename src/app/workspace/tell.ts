// A change set as --json tells it: what was applied, what waits, and the command that decides about it.
import { isHiddenFile } from '../../base/hidden-files.ts';
import type { Language } from '../../base/language.ts';
import type { Data } from '../../base/outcome.ts';
import { changeKind, type FileChange } from '../../workspace/change.ts';
import type { Entry } from '../../workspace/entry.ts';
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
  if (judged.verdict === 'guarded') {
    const { by, holds } = judged;
    // The hash of what holds a value is not told, either.
    return { ...told, ...(holds && { holds, before: null, after: null }), ...(by && { obeyed_by: by[language] }) };
  }
  if (judged.verdict === 'refused') return { ...told, refused: judged.why[language] };
  return judged.ignored ? { ...told, ignored: true } : told;
}

export function tellChange(change: FileChange): Data {
  const { path, before, after } = change;
  const { kind: type, size: bytes } = after ?? before ?? { kind: 'special', size: 0 };
  // The hash of a secret is not told either.
  const nameOf = (entry: Entry | undefined) => (isHiddenFile(path) ? null : (entry?.digest ?? entry?.target ?? null));
  return { path, kind: changeKind(change), type, before: nameOf(before), after: nameOf(after), bytes };
}
