// Shows many lines page by page; a pager of our own, since another program would run outside of the sandbox on what a skill has written.
import type { Language, Text } from '../../../base/language.ts';
import type { AskLine, Ends } from '../ask-line.ts';

/** Where it is shown, and in which language it is asked whether to go on. */
export interface PageEnds {
  readonly ask: AskLine;
  tell(lines: Iterable<string>): void;
  readonly language: Language;
}

const USUAL_ROWS = 24;
const MORE: Text = { en: '-- more: Enter, enough: q -- ', zh: '-- 回车继续，q 结束 -- ' };

export async function showPages(
  lines: Iterable<string>,
  output: Ends['output'],
  { ask, tell, language }: PageEnds,
): Promise<void> {
  // Some terminals do not say how large they are.
  const rows = 'rows' in output && typeof output.rows === 'number' && output.rows > 0 ? output.rows : USUAL_ROWS;
  let page: string[] = [];
  for (const line of lines) {
    if (page.length === Math.max(rows - 1, 1)) {
      tell(page);
      page = [];
      if ((await ask(MORE[language])).trim().toLowerCase() === 'q') return;
    }
    page.push(line);
  }
  tell(page);
}
