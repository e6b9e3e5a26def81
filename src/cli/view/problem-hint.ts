// What `list` and `search` say below their answer about skills that were not seen or cannot be read.

import type { Runtime } from '../../app/runtime.ts';
import { type Diagnostic, speak } from '../../base/diagnostic.ts';
import type { Text } from '../../base/language.ts';
import { shortPath } from './diagnostic.ts';

/** The first of what hides skills or slows every command by its path; the others by their number. */
export async function problemHint(
  grave: readonly Diagnostic[],
  problems: number,
  { language, project }: Pick<Runtime, 'language' | 'project'>,
): Promise<string | undefined> {
  if (problems === 0) return undefined;
  const [first] = speak(grave.slice(0, 1), language);
  const place = first && `${shortPath(first.path, project)}: ${first.message}.`;
  const others = problems > (first ? 1 : 0) ? counted(problems)[language] : undefined;
  return [place, others].filter((part) => part !== undefined).join(' ');
}

function counted(problems: number): Text {
  return {
    en: `${problems} ${problems === 1 ? 'problem' : 'problems'} found on the way; \`skillwright doctor\` shows them.`,
    zh: `发现 ${problems} 个问题；运行 \`skillwright doctor\` 查看。`,
  };
}
