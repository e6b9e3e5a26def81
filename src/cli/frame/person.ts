// The person at the terminal as a use case sees them: asked when something needs a yes, shown progress, stopped by Ctrl-C.
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../app/open-door.ts';
import type { Language } from '../../base/language.ts';
import { once } from '../../base/once.ts';
import type { Terminal } from '../../base/text/terminal.ts';
import { visibleLines } from '../../base/text.ts';
import { openProgressLine } from '../view/show-progress.ts';
import { askWithout, openWaiting } from '../view/waiting.ts';
import { isWatched } from '../view/watched.ts';
import { PERSON } from './ask-line.ts';
import { changeWishes } from './change/wishes.ts';
import { type CommandContext, isForProgram, isOn, type Option } from './command.ts';
import { askWish } from './question/ask-option.ts';

export const PRIVATE_OPTION: Option = {
  name: 'private',
  summary: { en: 'keep no text in the record, only hashes', zh: '记录中只保留哈希，不保留文本' },
};

export interface Person extends Disposable {
  readonly caller: Caller;
  /** Asks them something else: nothing is shown over the question. */
  asking<Question, Answer>(ask: (question: Question) => Promise<Answer>): (question: Question) => Promise<Answer>;
}

/** Whoever opens it closes it: then Ctrl-C means what it meant before, and the line of progress is gone. */
export function openPerson(context: CommandContext): Person {
  const { runtime, options, terminal } = context;
  const line = isWatched() ? openProgressLine(process.stderr, terminal.width) : undefined;
  const waiting = isForProgram(options) ? undefined : openWaiting(runningText(context));
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.once('SIGINT', abort);
  return {
    caller: {
      context: { request_id: randomUUID() },
      attended: !isOn(options, 'non-interactive'),
      yes: isOn(options, 'yes'),
      ...askWish(context),
      private: isOn(options, 'private'),
      signal: stop.signal,
      ...(isOn(options, 'debug') && { debug: true }),
      ...((isOn(options, 'debug') || runtime.env.SKILL_DEBUG === '1') && { onStderr: showStderr }),
      ...(terminal.interactive && {
        ask: askWithout(waiting, promptLate(runtime.language, terminal)),
        offersGrants: true,
        ...networkAskers(runtime.language, waiting, abort),
      }),
      ...changeWishes(context, (ask) => askWithout(waiting, ask)),
      ...(line && {
        onProgress: (progress) => {
          waiting?.pause();
          line.show(progress);
        },
      }),
    },
    asking: (ask) => askWithout(waiting, ask),
    [Symbol.dispose]() {
      process.removeListener('SIGINT', abort);
      waiting?.[Symbol.dispose]();
      line?.clear();
    },
  };
}

/** About hosts that a call tries to reach and about the whole network, while the clock stands still. */
export function networkAskers(
  language: Language,
  waiting: Parameters<typeof askWithout>[0],
  onStop: () => void,
): Required<Pick<Caller, 'askHost' | 'askNetwork'>> {
  const prompt = once(async () => {
    const { promptHost } = await import('./ask-host.ts');
    return promptHost({ language, ends: PERSON, offersGrants: true, onStop });
  });
  type Asked = Parameters<NonNullable<Caller['askHost']>>;
  const quietly = askWithout(waiting, async (asked: Asked) => (await prompt())(...asked));
  return {
    askHost: (...asked: Asked) => quietly(asked),
    askNetwork: askWithout(waiting, async (question) => {
      const { promptNetwork } = await import('./ask-network.ts');
      return await promptNetwork(language, PERSON)(question);
    }),
  };
}

/** Loaded where somebody is asked: most calls need no answer. */
function promptLate(language: Language, terminal: Terminal): NonNullable<Caller['ask']> {
  return async (question) => {
    const { promptPerson } = await import('./question/prompt-person.ts');
    return await promptPerson(language, PERSON, terminal)(question);
  };
}

function runningText({ positionals: [what = ''], runtime }: CommandContext): string {
  return { en: `running ${what}`, zh: `正在运行 ${what}` }[runtime.language];
}

/** What skills write there while they are debugged; whatever is in it steers no terminal. */
export function showStderr(text: string): void {
  if (text.trim() !== '') process.stderr.write(`${visibleLines(text.trimEnd())}\n`);
}
