// What a finding means for an installation: a question anyone may answer, one that only a person may, or a refusal.
import { SEVERITIES, type VetSeverity } from './severity.ts';

/** From mild to strict. */
export const VET_ANSWERS = ['ask', 'person', 'refuse'] as const;
export type VetAnswer = (typeof VET_ANSWERS)[number];

/** As the settings say; what they leave out is as it always is. */
export type VetPolicy = Readonly<Partial<Record<VetSeverity, VetAnswer | undefined>>>;

// No setting makes these milder: `--yes` never answers for a person here.
const LEAST: Readonly<Record<VetSeverity, VetAnswer>> = {
  INFO: 'ask',
  LOW: 'ask',
  MEDIUM: 'ask',
  HIGH: 'person',
  CRITICAL: 'person',
};

/** The gravest severity that gets this answer. */
export function gravestWith(
  answer: VetAnswer,
  found: Iterable<VetSeverity>,
  policy: VetPolicy,
): VetSeverity | undefined {
  const severities = new Set(found);
  return SEVERITIES.findLast(
    (severity) => severities.has(severity) && stricter(LEAST[severity], policy[severity]) === answer,
  );
}

export function stricter(a: VetAnswer, b: VetAnswer = 'ask'): VetAnswer {
  return VET_ANSWERS.indexOf(a) >= VET_ANSWERS.indexOf(b) ? a : b;
}
