// What a failure says about a word that names nothing: the nearest names there are, else where to look.
import type { Text } from '../language.ts';
import { nearest, visible } from '../text.ts';

export function didYouMean(
  word: string,
  names: readonly string[],
  otherwise: Text,
): { details: { suggestions: string[] }; hint: Text } {
  const suggestions = nearest(word, names);
  const list = suggestions.map(visible).join(', ');
  const hint = list === '' ? otherwise : { en: `Did you mean ${list}?`, zh: `您是否想输入 ${list}？` };
  return { details: { suggestions }, hint };
}
