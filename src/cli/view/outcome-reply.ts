// How the outcome of a call is shown to a person: its text, what it waits for, and the command that goes on.
import { isRecord } from '../../base/json.ts';
import type { Outcome } from '../../base/outcome.ts';
import { visibleLines } from '../../base/text.ts';
import type { Reply } from '../frame/command.ts';

const SHOWN = 20_000;

/** What a skill printed, as far as a person reads; whatever is in it is shown and steers nothing. */
export function showText(text: string): string {
  const shown = visibleLines(text.slice(0, SHOWN).trimEnd());
  return text.length > SHOWN ? `${shown}\n… (--json: ${text.length})` : shown;
}

/** The hint travels with the outcome; a waiting decision is answered by its command. */
export function replyWith(outcome: Outcome, human?: string): Reply {
  const { hint, resume_command: command, prompt, details, note } = outcome.data;
  const advice = [command, prompt, hint].find((text) => typeof text === 'string');
  const stderr = isRecord(details) && typeof details.stderr === 'string' ? details.stderr : '';
  const asked = [note, factsIn(outcome)].filter((text) => typeof text === 'string').join('\n');
  const body = human ?? (asked !== '' ? showText(asked) : outcome.summary.includes(stderr) ? '' : showText(stderr));
  return { outcome, ...(body !== '' && { human: body }), ...(typeof advice === 'string' && { hint: advice }) };
}

/** What a waiting decision is about, whoever is to give it. */
export function factsIn({ state, data }: Outcome): string | undefined {
  return state === 'interrupted' && typeof data.question === 'string' ? data.question : undefined;
}
