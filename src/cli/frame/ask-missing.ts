// Asks the person at the terminal for the parameters a skill still needs.
import type { PendingOutcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { askLines, type OpenEnds } from './ask-line.ts';

/** Undefined when one of them was left empty: then nothing is given. */
export async function askMissing(
  { missing }: Pick<PendingOutcome, 'missing'>,
  ends: OpenEnds,
): Promise<Record<string, string> | undefined> {
  return await askLines(ends, async (ask) => {
    const given: Record<string, string> = {};
    for (const name of missing) {
      const answer = await ask(`${visible(name)}: `);
      if (answer === '') return undefined;
      given[name] = answer;
    }
    return given;
  });
}
