// Shows a person what a run changed, and asks whether it is to reach the project; everything but a clear yes is a no.
import type { ShownChanges } from '../../../app/workspace/settle.ts';
import { Fault } from '../../../base/errors.ts';
import type { Language } from '../../../base/language.ts';
import type { Terminal } from '../../../base/text/terminal.ts';
import { listChanges, renderDiff } from '../../view/change-set.ts';
import { listCommits } from '../../view/commits.ts';
import { askLines, type OpenEnds, wasStopped } from '../ask-line.ts';

const QUESTION = { en: 'Apply these changes? [y/N/d = diff] ', zh: '应用这些更改？[y/N/d = 差异] ' };

export function askAboutChanges(
  language: Language,
  terminal: Terminal,
  ends: OpenEnds,
): (shown: ShownChanges) => Promise<'yes' | 'no'> {
  const askPerson = (shown: ShownChanges) =>
    askLines(ends, async (ask) => {
      const lines = [
        ...listCommits(shown.commits, language, terminal),
        ...listChanges(shown.judged, language, terminal),
      ];
      for (let above = lines.join('\n'); ; above = diffOf(shown, language, terminal)) {
        const answer = (await ask(`${above}\n${QUESTION[language]}`)).trim().toLowerCase();
        if (answer !== 'd') return isYes(answer) ? 'yes' : 'no';
      }
    });
  return async (shown) => {
    try {
      return await askPerson(shown);
    } catch (error) {
      // The script has run: stopping at this question leaves its changes waiting.
      if (error instanceof Fault && wasStopped(error)) return 'no';
      throw error;
    }
  };
}

function diffOf({ judged, project, layer }: ShownChanges, language: Language, terminal: Terminal): string {
  return judged.flatMap(({ change }) => renderDiff(change, { project, layer, language, terminal })).join('\n');
}

export async function askYesNo(question: string, ends: OpenEnds): Promise<boolean> {
  return isYes((await askLines(ends, (ask) => ask(question))).trim().toLowerCase());
}

function isYes(answer: string): boolean {
  return ['y', 'yes'].includes(answer);
}
