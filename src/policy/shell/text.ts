// What is looked at before a script is parsed: characters that a parser and the shell may read differently.

/** As long as one argument of a program may be, with room for the rest. */
export const SCRIPT_LIMIT = 64 * 1024;

// The shell drops NUL, and takes a carriage return for a part of a word; a locale may take more characters for blanks.
const REFUSED = /(?![\n\t])\p{Cc}|\p{Cf}|(?! )\p{Z}|\p{Cs}/u;

/** Whether a parser reads these characters as the shell does. */
export function hasPlainCharacters(script: string): boolean {
  return !REFUSED.test(script);
}

/** Two brackets may open arithmetic or two subshells: the shell tries one after the other, and reads here-documents in them differently. */
export function opensTwice(script: string): boolean {
  return script.replace(/\$\(\([\d\s+*/%-]*\)\)/g, '').includes('((');
}
