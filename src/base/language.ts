// The languages Skillwright speaks, and how a text is chosen.
export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

/** What is said, in every language. */
export type Text = Readonly<Record<Language, string>>;

export function inLanguage(text: Text | string, language: Language): string {
  return typeof text === 'string' ? text : text[language];
}

/** For words nobody translates: a parser's, a name. */
export function sameInAll(words: string): Text {
  return { en: words, zh: words };
}

/** The language somebody asks in; undefined where there is no prose. */
export function languageOfRequest(request: string): Language | undefined {
  if (/\p{Script=Han}/u.test(request)) return 'zh';
  return /(?:^|\s)[a-z]{2,}\s+(?:\S+\s+)?[a-z]{2,}(?=\s|[.?!]|$)/i.test(request) ? 'en' : undefined;
}

export function languageFromLocale(env: Record<string, string | undefined>): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh/i.test(locale) ? 'zh' : 'en';
}
