// What a skill says it is not for, and which way round it works: "Not for running tests", "Converts Markdown into HTML".
import { splitExclusions } from '../../registry/rank-exclusion.ts';
import { stem } from '../../registry/stem.ts';
import { tokenize } from '../../registry/tokenize.ts';
import type { Deed } from './deed.ts';

const TARGET =
  /(?:\b(?:to|into|as)\s+(?:an?\s+|the\s+)?|(?:转换?[成为]?|成|为)\s*)(?<target>[\w.-]+|\p{Script=Han}{2,4})/giu;
/** A full stop inside a word, as in ".md", ends nothing. */
const REST = String.raw`(?:[^.;。；\n]|\.(?=\S))`;
const CONVERSION = new RegExp(
  String.raw`\b(?:convert|turn|transform|export|render|migrat)\w*\s+(?<from>${REST}*?)\s+(?:in)?to\s+(?<to>${REST}*)|(?<source>[\w. ]+|\p{Script=Han}+)\s*转换?(?:为|成)\s*(?<result>${REST}*)`,
  'giu',
);
/** Where the next thing someone may ask for begins. */
const NEXT_WISH = /,?\s*\b(?:or|and)\s+to\b/i;
const PRONOUN = /^\s*(?:them|it|those|these)\b/i;

export function isOutside(request: string, deed: Deed | undefined, description: string): boolean {
  const { included, excluded } = splitExclusions(description);
  return isRefusedDeed(deed, included, excluded) || isOtherTarget(request, included, excluded);
}

/** "Run the test suite" is what "Not for running tests" speaks of; "write a test report" is not what "writing tests" does. */
function isRefusedDeed(deed: Deed | undefined, included: string, excluded: string): boolean {
  if (!deed) return false;
  const isOffered = deed.noun !== undefined && termsIn(included).includes(termsIn(deed.noun)[0] ?? '');
  const nouns = isOffered ? deed.object.slice(-1) : deed.object;
  return refusedDeeds(excluded).some(
    ({ verb, noun }) => (deed.verb === verb || deed.verb === `re${verb}`) && nouns.includes(noun),
  );
}

interface RefusedDeed {
  readonly verb: string;
  readonly noun: string;
}

/** "running or fixing tests": the verbs share their noun; "running builds or tests": the nouns share their verb. */
function refusedDeeds(excluded: string): RefusedDeed[] {
  const refused: RefusedDeed[] = [];
  let verbs: string[] = [];
  let noun = '';
  let isWaiting = false;
  for (const phrase of excluded.split(/[,;\n]|\b(?:or|and|nor)\b/i)) {
    const { gerund, rest = phrase } = /\b(?<gerund>[a-z]{3,}ing)\b(?<rest>.*)/i.exec(phrase)?.groups ?? {};
    if (gerund !== undefined) verbs = [...(isWaiting ? verbs : []), stem(gerund.toLowerCase())];
    isWaiting = rest.trim() === '';
    if (isWaiting) continue;
    if (!PRONOUN.test(rest)) noun = termsIn(rest).at(-1) ?? '';
    for (const verb of verbs) refused.push({ verb, noun });
  }
  return refused;
}

/** A converter of Markdown makes no Markdown; one that speaks of PDF only to say that it makes none is not meant by "to PDF". */
function isOtherTarget(request: string, included: string, excluded: string): boolean {
  const targets = termsIn([...request.matchAll(TARGET)].map(({ groups }) => groups?.target ?? '').join(' '));
  if (targets.length === 0) return false;
  const conversions = [...included.matchAll(CONVERSION)].map(({ groups }) => groups ?? {});
  const sources = conversions.flatMap(({ from, source }) => termsIn(from ?? source ?? ''));
  const results = conversions.flatMap(({ to, result }) => termsIn((to ?? result ?? '').split(NEXT_WISH)[0] ?? ''));
  const spoken = termsIn(included);
  const refused = termsIn(excluded);
  return targets.some((target) =>
    results.includes(target)
      ? false
      : sources.includes(target) || (refused.includes(target) && !spoken.includes(target)),
  );
}

function termsIn(text: string): string[] {
  return tokenize(text).flatMap(({ kind, term }) => (kind === 'part' || kind === 'number' ? [] : [term]));
}
