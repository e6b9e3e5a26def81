// How the outcome of a call is shown to a person: its text, what it waits for, and the command that goes on.
import type { Outcome } from '../../base/outcome.ts';
import { visibleLines } from '../../base/text.ts';
import type { Reply } from '../frame/command.ts';

const SHOWN = 20_000;

/** What a skill printed, as far as a person reads; whatever is in it is shown and steers nothing. */
export function showText(text: string): string {
  const shown = visibleLines(text.slice(0, SHOWN).trimEnd());
  return text.length > SHOWN ? `${shown}\n… (--json: ${text.length})` : shown;
}

/** The hint travels with the outcome; a waiting decision is answered by its command, never by one a script names. */
export function replyWith(outcome: Outcome, human?: string): Reply {
  const { next, note, stderr = '' } = outcome;
  const asked = [note, factsIn(outcome)].filter((text) => text !== undefined).join('\n');
  const body = human ?? (asked !== '' ? showText(asked) : isTold(stderr, outcome.summary) ? '' : showText(stderr));
  return {
    outcome,
    ...(body !== '' && { human: body }),
    ...(next !== undefined && { hint: next }),
    ...warningsOf(outcome),
  };
}

/** What was noticed on the way to the outcome, whatever came of it. */
export function warningsOf({ warnings = [] }: Outcome): Pick<Reply, 'warnings'> {
  return warnings.length > 0 ? { warnings: warnings.map(String) } : {};
}

/** Of a traceback the line that counts stands in the summary; --debug and --json have the rest. */
function isTold(stderr: string, summary: string): boolean {
  const isStack = /^Traceback \(most recent call last\):$|^ {4}at \S/m.test(stderr);
  return summary.includes(isStack ? stderr.slice(stderr.lastIndexOf('\n') + 1) : stderr);
}

/** What a waiting decision is about, whoever is to give it. */
export function factsIn(outcome: Outcome): string | undefined {
  return outcome.state === 'interrupted' ? outcome.question : undefined;
}
