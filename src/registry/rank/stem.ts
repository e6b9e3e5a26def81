// English word stems by the Porter2 algorithm, so that "converting" finds "conversion tools that convert".

const EXCEPTIONS = new Map<string, string>([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word): [string, string] => [word, word]),
]);

const FINISHED_AFTER_PLURAL = /^(?:inning|outing|canning|herring|earring|proceed|exceed|succeed)$/;
const R1_PREFIX = /^(?:gener|commun|arsen)/;
const VOWEL = /[aeiouy]/;
const REGION = /[aeiouy][^aeiouy]/;
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
const SHORT_SYLLABLE = /(?:^|[^aeiouy])[aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$/;

/** Suffixes of step 2, longest first where one ends in another. */
const STEP_2: readonly [string, string][] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
];

const STEP_3: readonly [string, string][] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

const STEP_4: readonly string[] = [
  ...['ement', 'ance', 'ence', 'able', 'ible', 'ment', 'ant', 'ent', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'],
  ...['ion', 'al', 'er', 'ic'],
];

/** The stem of a lower-case English word; words of one or two letters stay as they are. */
export function stem(word: string): string {
  if (word.length <= 2) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  let current = markConsonantY(word.replace(/^'/, ''));
  const r1 = regionAfter(current, R1_PREFIX.exec(current)?.[0].length ?? 0, R1_PREFIX.test(current));
  const r2 = regionAfter(current, r1, false);
  current = removePlural(current.replace(/'s?'?$/, ''));
  if (FINISHED_AFTER_PLURAL.test(current)) return current;
  current = removePastAndGerund(current, r1);
  current = current.replace(/(.[^aeiouy])[yY]$/, '$1i');
  current = replaceDerivation(current, r1);
  current = replaceSecondDerivation(current, r1, r2);
  current = removeResidue(current, r2);
  return removeFinalLetter(current, r1, r2).toLowerCase();
}

/** Y marks a y that is a consonant. */
function markConsonantY(word: string): string {
  return word.includes('y') ? word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y') : word;
}

function regionAfter(word: string, start: number, fixed: boolean): number {
  if (fixed) return start;
  const found = REGION.exec(word.slice(start));
  return found ? start + found.index + 2 : word.length;
}

function removePlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
  if (/(?:us|ss)$/.test(word) || !word.endsWith('s')) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function removePastAndGerund(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (!ending || !VOWEL.test(word.slice(0, ending.index))) return word;
  const rest = word.slice(0, ending.index);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (DOUBLE.test(rest)) return rest.slice(0, -1);
  return isShort(rest, r1) ? `${rest}e` : rest;
}

function isShort(word: string, r1: number): boolean {
  return r1 >= word.length && SHORT_SYLLABLE.test(word);
}

function replaceDerivation(word: string, r1: number): string {
  const found = STEP_2.find(([suffix]) => word.endsWith(suffix));
  if (!found) return word;
  const [suffix, replacement] = found;
  const rest = word.slice(0, -suffix.length);
  if (rest.length < r1) return word;
  if (suffix === 'ogi' && !rest.endsWith('l')) return word;
  if (suffix === 'li' && !/[cdeghkmnrt]$/.test(rest)) return word;
  return rest + replacement;
}

function replaceSecondDerivation(word: string, r1: number, r2: number): string {
  const found = STEP_3.find(([suffix]) => word.endsWith(suffix));
  if (!found) return word;
  const [suffix, replacement] = found;
  const rest = word.slice(0, -suffix.length);
  return rest.length < (suffix === 'ative' ? r2 : r1) ? word : rest + replacement;
}

function removeResidue(word: string, r2: number): string {
  const suffix = STEP_4.find((candidate) => word.endsWith(candidate));
  if (suffix === undefined) return word;
  const rest = word.slice(0, -suffix.length);
  if (rest.length < r2 || (suffix === 'ion' && !/[st]$/.test(rest))) return word;
  return rest;
}

function removeFinalLetter(word: string, r1: number, r2: number): string {
  const rest = word.slice(0, -1);
  if (word.endsWith('e')) {
    const removable = rest.length >= r2 || (rest.length >= r1 && !SHORT_SYLLABLE.test(rest));
    return removable ? rest : word;
  }
  return word.endsWith('ll') && rest.length >= r2 ? rest : word;
}
