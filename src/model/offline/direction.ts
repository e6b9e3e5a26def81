// The direction of a conversion: a skill that converts Markdown into HTML matches neither "to Markdown" nor a page to convert.
import type { ExclusionScope } from '../../registry/rank/exclusion.ts';
import { isStopWord } from '../../registry/rank/tokenize.ts';
import type { RequestIntent } from './intent.ts';
import { kindOfVerb, termsIn } from './verb.ts';

const TARGET =
  /(?:\b(?:to|into|as)\s+(?:an?\s+|the\s+)?|(?:转换?[成为]?|成|为)\s*)(?<target>[\w.-]+(?: +[\w.-]+){0,2}|\p{Script=Han}{2,4})/giu;
/** A full stop inside a word, as in ".md", ends nothing. */
const REST = String.raw`(?:[^.;。；\n]|\.(?=\S))`;
const CONVERSION = new RegExp(
  String.raw`\b(?:convert|turn|transform|export|render|migrat)\w*\s+(?<from>${REST}*?)\s+(?:in)?to\s+(?<to>${REST}*)|(?<source>[\w. ]+|\p{Script=Han}+)\s*转换?(?:为|成)\s*(?<result>${REST}*)`,
  'giu',
);
/** Where the next request begins. */
const NEXT_WISH = /,?\s*\b(?:or|and)\s+to\b/i;
/** The object of a making verb is the result. */
const MADE = new RegExp(
  String.raw`\b(?:writ|creat|generat|mak|produc|build|draft|prepar)(?:e|es|s|ing)?\b(?<made>${REST}*)|(?:生成|制作|编写|输出)(?<done>${REST}*)`,
  'giu',
);
const SOURCE_FILE =
  /(?<!\b(?:to|into|as|in)\s+(?:an?\s+|the\s+)?)(?<![\w./-])[\w~@+./-]*\w\.(?<extension>[a-z]\w{0,7})\b/gi;

export function isOtherWayRound(request: string, intent: RequestIntent | undefined, scope: ExclusionScope): boolean {
  const targets = readTargets(intent?.order ?? request);
  if (targets.length === 0) return false;
  const { sources, results } = readDirection(scope.included);
  const made = [...results, ...madeIn(scope.included)];
  const spoken = termsIn(scope.included);
  const refused = termsIn(scope.excluded);
  const isMade = (target: readonly string[]) => target.some((word) => made.includes(word));
  const isForeign = (word: string) => (spoken.includes(word) ? sources.includes(word) : refused.includes(word));
  if (targets.some((target) => !isMade(target) && target.some(isForeign))) return true;
  // A request to convert matches a skill that makes the target, where it says what it makes.
  const converts = intent !== undefined && kindOfVerb(intent.word) === 'converting';
  if (converts && made.length > 0 && !isMade(targets[0] ?? [])) return true;
  return formatsOf(request).some((format) => results.includes(format) && !sources.includes(format));
}

/** The target of a conversion: "to HTML", "into a web page", each as stems. */
function readTargets(request: string): string[][] {
  const written = [...request.matchAll(TARGET)].map(({ groups }) => (groups?.target ?? '').split(' '));
  return written.flatMap((words) => {
    // "to convert it" says what to do, not what to make.
    if (kindOfVerb(words[0] ?? '') !== undefined) return [];
    const end = words.findIndex((word) => isStopWord(word.toLowerCase()));
    const terms = termsIn(words.slice(0, end < 0 ? words.length : end).join(' '));
    return terms.length > 0 ? [terms] : [];
  });
}

/** The formats of the files to work on. */
function formatsOf(request: string): string[] {
  return [...request.matchAll(SOURCE_FILE)].map(({ groups }) => groups?.extension?.toLowerCase() ?? '');
}

/** Input and output, as stems; undefined where the description mentions no conversion. */
function readDirection(included: string): { sources: string[]; results: string[] } {
  const conversions = [...included.matchAll(CONVERSION)].map(({ groups }) => groups ?? {});
  return {
    sources: conversions.flatMap(({ from, source }) => termsIn(from ?? source ?? '')),
    results: conversions.flatMap(({ to, result }) => termsIn((to ?? result ?? '').split(NEXT_WISH)[0] ?? '')),
  };
}

function madeIn(included: string): string[] {
  return [...included.matchAll(MADE)].flatMap(({ groups }) => termsIn(groups?.made ?? groups?.done ?? ''));
}
