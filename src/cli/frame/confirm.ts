// Asks the person at the terminal; on stderr, because stdout belongs to the answer.
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { askLines, PERSON } from './ask-line.ts';

/** True only for this very word; a closed input is a no. */
export async function confirm(question: Text, word: string, language: Language): Promise<boolean> {
  const asked = {
    en: `${question.en} (type ${word} to continue): `,
    zh: `${question.zh} (输入 ${word} 以继续): `,
  };
  const answer = await askLines(PERSON, (ask) => ask(inLanguage(asked, language)));
  return answer.trim().toLowerCase() === word.toLowerCase();
}
