// Judges a change set before it is applied: what other tools obey, what cannot be applied, what leads out of the project.
import path from 'node:path';
import { type Guarded, type Obeyed, obeyedBelow, obeyedBy, openGuard } from '../../base/guarded-path.ts';
import type { Text } from '../../base/language.ts';
import { findHidden } from '../../base/text.ts';
import type { FileChange } from '../../workspace/change.ts';
import { isReachable } from '../../workspace/transaction/project-tree.ts';
import { openTwins } from './twin.ts';

export type Judged =
  /** `ignored`: git leaves it out. */
  | { readonly change: FileChange; readonly verdict: 'plain'; readonly ignored?: true }
  /** Needs a yes of its own: other tools obey it, or it holds the values of variables. */
  | ({ readonly change: FileChange; readonly verdict: 'guarded' } & Held)
  /** Never applied. */
  | { readonly change: FileChange; readonly verdict: 'refused'; readonly why: Text };

type Held =
  | { readonly by: Obeyed; readonly holds?: readonly string[] }
  | { readonly by?: undefined; readonly holds: readonly string[] };

/** `namesIn` are the names in a folder as the run left it; `guarded` is what the project has guarded as it is now. */
export function judgeChanges(
  changes: readonly FileChange[],
  namesIn: (folder: string) => readonly string[],
  guarded: Guarded,
): Judged[] {
  const guard = openGuard(guarded, namesIn);
  const twinOf = openTwins(changes, namesIn);
  return changes.map((change) => {
    const why = refusalOf(change);
    if (why) return { change, verdict: 'refused', why };
    const by = guard(change.path) ?? obeyedByLink(change, guarded) ?? twinOf(change);
    return by ? { change, verdict: 'guarded', by } : { change, verdict: 'plain' };
  });
}

/** A link may stand above what is obeyed, or show what is guarded or secret under a name that is neither. */
function obeyedByLink({ path: below, after }: FileChange, guarded: Guarded): Obeyed | undefined {
  if (after?.kind !== 'link') return undefined;
  return obeyedBelow(below, guarded) ?? obeyedBy(path.join(path.dirname(below), after.target ?? ''), guarded);
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
  // As other systems read it, too.
  if (path.isAbsolute(target) || target.includes('\\') || /^[a-z]:/i.test(target)) return true;
  const steps = target.split('/').filter((step) => step !== '' && step !== '.');
  const up = steps.findIndex((step) => step !== '..');
  const goesUpLater = up >= 0 && steps.slice(up).includes('..');
  const led = path.normalize(path.join(path.dirname(below), target));
  return goesUpLater || led === '..' || led.startsWith('../');
}
