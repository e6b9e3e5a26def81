// The person at the terminal as a use case sees them: asked when something needs a yes, shown progress, stopped by Ctrl-C.
import type { Caller } from '../../app/open-door.ts';
import type { ChangesAnswer, ShownChanges } from '../../app/workspace/settle.ts';
import { visibleLines } from '../../base/text.ts';
import { openProgressLine } from '../view/show-progress.ts';
import { askWithout, openWaiting } from '../view/waiting.ts';
import { PERSON } from './ask-line.ts';
import { type CommandContext, isForProgram, isOn, type Option } from './command.ts';
import { promptPerson } from './prompt-person.ts';

export const PRIVATE_OPTION: Option = {
  name: 'private',
  summary: { en: 'keep no text in the record, only hashes', zh: '记录中只保留哈希，不保留文本' },
};

export interface Person extends Disposable {
  readonly caller: Caller;
  /** Asks about the changes of a run; absent where nobody is there. */
  readonly askChanges?: (shown: ShownChanges) => Promise<ChangesAnswer>;
  /** Asks them something else: nothing is shown over the question. */
  asking<Question, Answer>(ask: (question: Question) => Promise<Answer>): (question: Question) => Promise<Answer>;
}

/** Whoever opens it closes it: then Ctrl-C means what it meant before, and the line of progress is gone. */
export function openPerson({ runtime, options, terminal }: CommandContext): Person {
  const line = process.stderr.isTTY ? openProgressLine(process.stderr, terminal.width) : undefined;
  const waiting = isForProgram(options) ? undefined : openWaiting();
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.once('SIGINT', abort);
  return {
    caller: {
      context: { request_id: crypto.randomUUID() },
      attended: !isOn(options, 'non-interactive'),
      yes: isOn(options, 'yes'),
      private: isOn(options, 'private'),
      signal: stop.signal,
      ...(isOn(options, 'debug') && { debug: true }),
      ...((isOn(options, 'debug') || runtime.env.SKILL_DEBUG === '1') && { onStderr: showStderr }),
      ...(terminal.interactive && { ask: askWithout(waiting, promptPerson(runtime.language, PERSON)) }),
      ...(line && {
        onProgress: (progress) => {
          waiting?.pause();
          line.show(progress);
        },
      }),
    },
    ...(terminal.interactive && {
      askChanges: askWithout(waiting, async (shown) => {
        // Loaded only where something was changed.
        const { askAboutChanges } = await import('./ask-changes.ts');
        return await askAboutChanges(runtime.language, terminal, PERSON)(shown);
      }),
    }),
    asking: (ask) => askWithout(waiting, ask),
    [Symbol.dispose]() {
      process.removeListener('SIGINT', abort);
      waiting?.[Symbol.dispose]();
      line?.clear();
    },
  };
}

/** What skills write there while they are debugged; whatever is in it steers no terminal. */
export function showStderr(text: string): void {
  if (text.trim() !== '') process.stderr.write(`${visibleLines(text.trimEnd())}\n`);
}
