// Asks the person at the terminal about a host that a call tries to reach, while the call waits for the answer.

import { Fault } from '../../base/errors.ts';
import { showHostRule } from '../../base/host-rule.ts';
import type { Language } from '../../base/language.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import { visible } from '../../base/text.ts';
import type { Door } from '../../door/door.ts';
import { askLines, forgetTypedAhead, type OpenEnds, wasStopped } from './ask-line.ts';

type AskHost = NonNullable<Door['askHost']>;

export interface HostPrompt {
  readonly language: Language;
  readonly ends: OpenEnds;
  /** The answer `always` can be kept. */
  readonly offersGrants: boolean;
  /** Ctrl-C there means the whole command. */
  readonly onStop: () => void;
}

/** One question after the other, though a call asks for several hosts at once. */
export function promptHost(prompt: HostPrompt): AskHost {
  let last: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const answer = last.then(() => askOne(question, signal, prompt));
    last = answer.catch(() => {});
    return answer;
  };
}

async function askOne(
  { skill, host, port }: Parameters<AskHost>[0],
  signal: AbortSignal,
  { language, ends, offersGrants, onStop }: HostPrompt,
): ReturnType<AskHost> {
  if (signal.aborted) return 'no';
  await forgetTypedAhead(ends().input);
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const giveUp = () => resolve('');
  signal.addEventListener('abort', giveUp, { once: true });
  const rule = visible(showHostRule({ host, port }));
  const asked = [
    ...wordsOf(visible(skill), rule)[language],
    ...(offersGrants ? [alwaysOf(skill, rule)[language]] : []),
  ];
  const choices = CHOICES[language](offersGrants);
  try {
    const typed = await askLines(ends, (ask, tell) => {
      tell(['', ...asked]);
      return Promise.race([ask(`${choices} `), late]);
    });
    return meaningOf(typed, offersGrants);
  } catch (error) {
    if (error instanceof Fault && wasStopped(error)) onStop();
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function wordsOf(skill: string, host: string): Record<Language, readonly string[]> {
  return {
    en: [`${skill} tries to reach ${host}.`, 'Whatever it can read may be sent there.'],
    zh: [`${skill} 试图访问 ${host}。`, '其能读取的一切都可能被发送到那里。'],
  };
}

/** What "always" would write, word for word. */
function alwaysOf(skill: string, rule: string): Record<Language, string> {
  const command = `skillwright grants add ${typedWord(skill)} --host ${rule.includes('[') ? `'${rule}'` : rule}`;
  return {
    en: `Always means this grant, for this version of it: ${command}`,
    zh: `“始终”即为其此版本添加此授权: ${command}`,
  };
}

const CHOICES: Record<Language, (always: boolean) => string> = {
  en: (always) => `Allow it? y = for this call, r = for this run${always ? ', a = always' : ''}, Enter = no:`,
  zh: (always) => `允许？y = 此次调用，r = 本次运行${always ? '，a = 始终' : ''}，回车 = 否:`,
};

function meaningOf(typed: string, offersGrants: boolean): Awaited<ReturnType<AskHost>> {
  const word = typed.trim().toLowerCase();
  if (/^(?:y|yes|o|once|是)$/.test(word)) return 'once';
  if (/^(?:r|run|本次)$/.test(word)) return 'run';
  if (offersGrants && /^(?:a|always|始终|一直)$/.test(word)) return 'always';
  return 'no';
}
