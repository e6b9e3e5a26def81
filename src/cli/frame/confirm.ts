// Asks the person at the terminal; on stderr, because stdout belongs to the answer.
import { askLines, PERSON } from './ask-line.ts';

/** True only for this very word; a closed input is a no. */
export async function confirm(question: string, word: string): Promise<boolean> {
  const answer = await askLines(PERSON, (ask) => ask(question));
  return answer.trim().toLowerCase() === word.toLowerCase();
}
