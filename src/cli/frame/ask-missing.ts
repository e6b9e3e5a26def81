// Asks the person at the terminal for the parameters a skill still needs.
import type { Outcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { askLines, type OpenEnds } from './ask-line.ts';

/** Undefined when one of them was left empty: then nothing is given. */
export async function askMissing(
  { data }: Pick<Outcome, 'data'>,
  ends: OpenEnds,
): Promise<Record<string, string> | undefined> {
  const names = Array.isArray(data.missing) ? data.missing.map(String) : [];
  return await askLines(ends, async (ask) => {
    const given: Record<string, string> = {};
    for (const name of names) {
      const answer = await ask(`${visible(name)}: `);
      if (answer === '') return undefined;
      given[name] = answer;
    }
    return given;
  });
}
