// What a skill says it is not for: "Not for running tests or fixing them".
import { splitExclusions } from '../../registry/rank/exclusion.ts';
import { stem } from '../../registry/rank/stem.ts';
import { isOtherWayRound } from './direction.ts';
import type { Deed } from './intent.ts';
import { termsIn } from './verb.ts';

const PRONOUN = /^\s*(?:them|it|those|these)\b/i;

export function isOutside(request: string, deed: Deed | undefined, description: string): boolean {
  const { included, excluded } = splitExclusions(description);
  return isRefusedDeed(deed, included, excluded) || isOtherWayRound(request, deed, { included, excluded });
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
