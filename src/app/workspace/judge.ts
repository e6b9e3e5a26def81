// Judges a change set before it is applied: what other tools obey, what cannot be applied, what leads out of the project.
import path from 'node:path';
import { isRepositoryShape, type Obeyed, obeyedBy } from '../../base/guarded-path.ts';
import { isHiddenFile } from '../../base/hidden-files.ts';
import type { Text } from '../../base/language.ts';
import { findHidden } from '../../base/text.ts';
import type { FileChange } from '../../workspace/change.ts';
import { isReachable } from '../../workspace/transaction/project-tree.ts';

export type Judged =
  | { readonly change: FileChange; readonly verdict: 'plain' }
  /** Needs a yes of its own. */
  | { readonly change: FileChange; readonly verdict: 'guarded'; readonly by: Obeyed }
  /** Never applied. */
  | { readonly change: FileChange; readonly verdict: 'refused'; readonly why: Text };

const REPOSITORY: Obeyed = { en: 'git, as a repository of its own', zh: 'git（视为独立仓库）' };
const SECRET: Obeyed = { en: 'whoever reads this secret', zh: '读取该机密的程序' };

/** `namesIn` are the names in a folder as the run left it. */
export function judgeChanges(changes: readonly FileChange[], namesIn: (folder: string) => readonly string[]): Judged[] {
  const repositories = repositoriesMade(changes, namesIn);
  return changes.map((change) => {
    const why = refusalOf(change);
    if (why) return { change, verdict: 'refused', why };
    const by = obeyedBy(change.path) ?? guardedBy(change.path, repositories);
    return by ? { change, verdict: 'guarded', by } : { change, verdict: 'plain' };
  });
}

function guardedBy(below: string, repositories: ReadonlySet<string>): Obeyed | undefined {
  if (isHiddenFile(below)) return SECRET;
  return foldersAbove(below).some((folder) => repositories.has(folder)) ? REPOSITORY : undefined;
}

/** Folders that git takes for a repository since something in them was changed. */
function repositoriesMade(changes: readonly FileChange[], namesIn: (folder: string) => readonly string[]): Set<string> {
  const folders = new Set(changes.flatMap(({ path: below }) => foldersAbove(below)));
  return new Set([...folders].filter((folder) => isRepositoryShape(namesIn(folder))));
}

function foldersAbove(below: string): string[] {
  return below.split('/').map((_, index, steps) => steps.slice(0, index).join('/'));
}

function refusalOf({ path: below, before, after }: FileChange): Text | undefined {
  if (before?.kind === 'special' || after?.kind === 'special')
    return { en: 'is no plain file, folder or link', zh: '不是普通文件、目录或链接' };
  if (findHidden(below).length > 0 || /[\n\r\t\\]/.test(below))
    return { en: 'has a name nobody can read', zh: '名称不可读' };
  if (!isReachable(below)) return { en: 'is nested too deep, or named like a drive', zh: '层级过深，或名称形如盘符' };
  if (after?.kind === 'link' && leadsOut(below, after.target ?? ''))
    return { en: 'leads out of the project', zh: '指向项目之外' };
  return undefined;
}

/** By its text, and only a plain way down or up: behind another link, `..` leads somewhere else than it says. */
function leadsOut(below: string, target: string): boolean {
  if (path.isAbsolute(target)) return true;
  const steps = target.split('/').filter((step) => step !== '' && step !== '.');
  const up = steps.findIndex((step) => step !== '..');
  const goesUpLater = up >= 0 && steps.slice(up).includes('..');
  const led = path.normalize(path.join(path.dirname(below), target));
  return goesUpLater || led === '..' || led.startsWith('../');
}
