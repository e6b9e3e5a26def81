// Diagnostics in the language of whoever reads them.
import { type Diagnostic, speak } from '../../base/diagnostic.ts';
import type { Language } from '../../base/language.ts';

export async function inLanguageOf(diagnostics: readonly Diagnostic[], language: Language): Promise<Diagnostic[]> {
  if (language === 'en') return speak(diagnostics, language);
  const { withChinese } = await import('./diagnostic-zh.ts');
  return speak(withChinese(diagnostics), language);
}
