// Asks the person at the terminal for the parameters a skill still needs.
import { createInterface } from 'node:readline/promises';
import type { Outcome } from '../base/outcome.ts';
import { visible } from '../base/text.ts';
import type { Ends } from './prompt-person.ts';

/** Undefined when one of them was left empty: then nothing is given. */
export async function askMissing(
  { data }: Pick<Outcome, 'data'>,
  { input, output }: Ends,
): Promise<Record<string, string> | undefined> {
  const names = Array.isArray(data.missing) ? data.missing.map(String) : [];
  const reader = createInterface({ input, output });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  reader.once('close', () => resolve(''));
  const given: Record<string, string> = {};
  try {
    for (const name of names) {
      const answer = await Promise.race([reader.question(`${visible(name)}: `), ended]);
      if (answer === '') return undefined;
      given[name] = answer;
    }
    return given;
  } finally {
    reader.close();
  }
}
