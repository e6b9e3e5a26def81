// A line of words as a person writes it, with quotes.

/** Words as a person writes them, with quotes; undefined when a quote stays open. */
export function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  const pieces = /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)|(["'])/gs;
  let current: string | undefined;
  for (const [whole, double, single, plain, stray] of text.matchAll(pieces)) {
    if (stray !== undefined) return undefined;
    if (/^\s/.test(whole) && plain === undefined && double === undefined && single === undefined) {
      if (current !== undefined) words.push(current);
      current = undefined;
    } else current = (current ?? '') + (double?.replace(/\\(.)/gs, '$1') ?? single ?? plain ?? '');
  }
  if (current !== undefined) words.push(current);
  return words;
}
