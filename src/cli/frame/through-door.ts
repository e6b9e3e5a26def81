// A person's command through the door: somebody may be asked, progress is shown, and the record is closed.

import { type OpenDoor, openDoor } from '../../app/open-door.ts';
import { isRecord } from '../../base/json.ts';
import type { Outcome } from '../../base/outcome.ts';
import { visibleLines } from '../../base/text.ts';
import { VERSION } from '../../base/version.ts';
import type { CallContext } from '../../door/call.ts';
import { fail, nameFault } from '../../door/fail.ts';
import { openProgressLine } from '../view/show-progress.ts';
import { PERSON } from './ask-line.ts';
import { type CommandContext, isOn, type Option, type Reply } from './command.ts';
import { promptPerson } from './prompt-person.ts';

export const PRIVATE_OPTION: Option = {
  name: 'private',
  summary: { en: 'keep no text in the record, only hashes', zh: '记录中只保留哈希，不保留文本' },
};

export interface DoorRequest {
  readonly kind: string;
  /** As typed, for the record. */
  readonly request: string;
  readonly ids?: Partial<CallContext>;
}

export async function throughDoor(
  context: CommandContext,
  { kind, request, ids = {} }: DoorRequest,
  act: (door: OpenDoor) => Promise<Outcome>,
): Promise<Outcome> {
  const { runtime, options, terminal } = context;
  const line = process.stderr.isTTY ? openProgressLine(process.stderr, terminal.width) : undefined;
  const stop = new AbortController();
  const abort = () => stop.abort();
  const ask = promptPerson(runtime.language, PERSON);
  const door = openDoor(runtime, {
    kind,
    request,
    version: VERSION,
    context: { request_id: crypto.randomUUID(), ...ids },
    attended: !isOn(options, 'non-interactive'),
    yes: isOn(options, 'yes'),
    private: isOn(options, 'private'),
    signal: stop.signal,
    ...(isOn(options, 'debug') && { debug: true }),
    ...(terminal.interactive && { ask }),
    ...(line && { onProgress: (progress) => line.show(progress) }),
  });
  process.once('SIGINT', abort);
  try {
    const outcome = await act(door);
    door.finish(outcome);
    return outcome;
  } catch (error) {
    // Whatever ended it, a record that was begun says so.
    door.finish(fail(runtime.answering('skillwright', 'own'), nameFault(error)));
    throw error;
  } finally {
    process.removeListener('SIGINT', abort);
    line?.clear();
  }
}

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
