// Asks the person at the terminal; on stderr, because stdout belongs to the answer.
import { createInterface } from 'node:readline/promises';

/** True only for this very word; a closed input is a no. */
export async function confirm(question: string, word: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([lines.question(question), closed]);
    return answer.trim().toLowerCase() === word.toLowerCase();
  } finally {
    lines.close();
  }
}
