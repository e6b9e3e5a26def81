// The language a text is written in, as far as its letters tell.

const SAMPLE = 20_000;

export function detectLanguage(text) {
  const sample = text.slice(0, SAMPLE);
  const count = (pattern) => sample.match(pattern)?.length ?? 0;
  const letters = count(/\p{L}/gu);
  const isMuch = (found) => found * 10 > letters;
  if (isMuch(count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu))) return 'ja';
  if (isMuch(count(/\p{Script=Hangul}/gu))) return 'ko';
  if (isMuch(count(/\p{Script=Han}/gu))) return 'zh';
  return 'en';
}
