// What the outcome of a run says that cases are judged by; it may come from a runner of the library's user, so it is checked.
import type { FlatOutcome } from '../base/flat-outcome.ts';
import { isRecord } from '../base/json.ts';

export interface SaidOfRun {
  readonly answer?: string;
  /** The budget that was used up. */
  readonly exhausted?: unknown;
  /** Names of the skills an unsure model lets the user choose from, the likeliest first. */
  readonly candidates?: readonly string[];
  /** The skill whose parameter is asked for: it was chosen, although nothing of it was read yet. */
  readonly waitingSkill?: string;
}

export function readSaid({ state, data }: FlatOutcome): SaidOfRun {
  const { answer, exhausted, candidates, reason, skill } = data;
  const isPending = state === 'pending';
  return {
    ...(typeof answer === 'string' && { answer }),
    exhausted,
    ...(isPending && Array.isArray(candidates) && { candidates: candidates.flatMap(nameOf) }),
    ...(isPending && reason === 'params' && typeof skill === 'string' && { waitingSkill: skill }),
  };
}

function nameOf(candidate: unknown): string[] {
  return isRecord(candidate) && typeof candidate.name === 'string' ? [candidate.name] : [];
}
