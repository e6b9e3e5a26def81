// What an index may be missing: reported wherever skills are listed, so that nothing is omitted silently.
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Text } from '../base/language.ts';
import type { Index } from './discover.ts';

/** Diagnostics that concern no single skill and may hide several. */
const HIDING: ReadonlySet<string> = new Set(['walk-limit', 'unreadable', 'root-unreadable']);

/** Folders that were not read, or not completely: skills may be missing. */
export function unseenFolders({ diagnostics }: Pick<Index, 'diagnostics'>): Diagnostic[] {
  return diagnostics.filter(({ code }) => HIDING.has(code));
}

/** Follows the sentence with the number of skills; empty when everything was read. */
export function describeUnseen(problems: readonly Diagnostic[]): Text {
  const folders = problems.filter(({ code }) => HIDING.has(code)).length;
  const none = { en: '', zh: '' };
  const index = problems.some(({ code }) => code === 'index-unreadable')
    ? { en: '; the index cannot be read', zh: '；无法读取索引' }
    : none;
  if (folders === 0) return index;
  return {
    en: `; ${folders === 1 ? '1 folder was' : `${folders} folders were`} not read to the end, skills may be missing${index.en}`,
    zh: `；${folders} 个目录未读完，可能缺少技能${index.zh}`,
  };
}
