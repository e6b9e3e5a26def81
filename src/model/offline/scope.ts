// What a skill excludes: "Not for running tests or fixing them".
import { splitExclusions } from '../../registry/rank/exclusion.ts';
import { stem } from '../../registry/rank/stem.ts';
import { isOtherWayRound } from './direction.ts';
import type { RequestIntent } from './intent.ts';
import { termsIn } from './verb.ts';

const PRONOUN = /^\s*(?:them|it|those|these)\b/i;

export function isOutside(request: string, intent: RequestIntent | undefined, description: string): boolean {
  const { included, excluded } = splitExclusions(description);
  return isRefusedIntent(intent, included, excluded) || isOtherWayRound(request, intent, { included, excluded });
}

/** "Run the test suite" is excluded by "Not for running tests"; "write a test report" is not excluded by "writing tests". */
function isRefusedIntent(intent: RequestIntent | undefined, included: string, excluded: string): boolean {
  if (!intent) return false;
  const isOffered = intent.noun !== undefined && termsIn(included).includes(termsIn(intent.noun)[0] ?? '');
  const nouns = isOffered ? intent.object.slice(-1) : intent.object;
  return refusedIntents(excluded).some(
    ({ verb, noun }) => (intent.verb === verb || intent.verb === `re${verb}`) && nouns.includes(noun),
  );
}

interface RefusedIntent {
  readonly verb: string;
  readonly noun: string;
}

/** "running or fixing tests": the verbs share their noun; "running builds or tests": the nouns share their verb. */
function refusedIntents(excluded: string): RefusedIntent[] {
  const refused: RefusedIntent[] = [];
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
